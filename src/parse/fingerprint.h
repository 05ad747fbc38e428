// What a page is recognised by: the same bytes by their SHA-1, nearly the same words by a simhash.
//
// SHA-1 (sha1.h) because archives (WARC) name payloads by it; it is as good as any to tell equal pages,
// though not against somebody who makes two pages collide on purpose. The simhash (Charikar, STOC 2002; used
// for web pages by Manku, Jain and Das Sarma, WWW 2007) is 64 bits of which few differ between texts that
// share most of their shingles, three words in a row. What a site says on each of its pages would drown small
// texts: links, menus and footers only count where a page has little to say of its own. Pure; threads: none
// needed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "parse/html_page.h"
#include "parse/sha1.h"

namespace bowerbird {

struct TextFingerprint {
  std::uint64_t simhash = 0;
  std::uint32_t words = 0;  // under about kFewWords a simhash says little
};

constexpr std::uint32_t kFewWords = 32;
// Fingerprints that differ in no more bits are of nearly the same text.
constexpr int kNearBits = 3;

struct SimhashOptions {
  // A page with fewer shingles of own text is filled up to this weight by its weak text (links, menus,
  // footers).
  std::uint32_t enough = 32;
};

// `weak` is ascending, as in HtmlPage.
TextFingerprint fingerprint_text(std::string_view text, std::span<const TextSpan> weak,
                                 const SimhashOptions& options = {});

int hamming_distance(std::uint64_t a, std::uint64_t b);

}  // namespace bowerbird
