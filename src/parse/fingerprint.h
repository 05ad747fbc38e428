// Fingerprints of pages: SHA-1 for equal bytes, a simhash for nearly equal text.
//
// SHA-1 (sha1.h) because archives (WARC) identify payloads by it. It recognises equal pages as well as any
// hash, except against somebody who makes two pages collide on purpose. The simhash (Charikar, STOC 2002;
// used for web pages by Manku, Jain and Das Sarma, WWW 2007) is 64 bits of which few differ between texts
// that share most of their shingles, three words in a row. Text that a site repeats on every page would
// dominate small texts: links, menus and footers only count if a page has little text of its own. Pure;
// threads: none needed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "parse/html_page.h"
#include "parse/sha1.h"

namespace bowerbird {

struct TextFingerprint {
  std::uint64_t simhash = 0;
  std::uint32_t words = 0;  // with fewer than about kFewWords a simhash is unreliable
};

constexpr std::uint32_t kFewWords = 32;
// Fingerprints that differ in at most this many bits belong to nearly the same text.
constexpr int kNearBits = 3;

struct SimhashOptions {
  // The weak text of a page (links, menus, footers) gets the weight that its own shingles lack to reach this
  // number.
  std::uint32_t enough = 32;
};

// `weak` is ascending, as in HtmlPage.
TextFingerprint fingerprint_text(std::string_view text, std::span<const TextSpan> weak,
                                 const SimhashOptions& options = {});

int hamming_distance(std::uint64_t a, std::uint64_t b);

}  // namespace bowerbird
