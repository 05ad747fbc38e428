// Detects whether a page has changed since its last fetch: pages with equal digests look the same to a
// reader.
//
// Problem: many pages differ in their bytes at every fetch, but not in content: counters, dates, tokens in
// forms, a list of new articles in the margin. So the digest covers only the visible text, without scripts
// and without the text of links (new links are found anyway). All runs of digits, and all tokens of 8 or more
// hexadecimal digits, count as equal, unless numbers matter (prices). White space is collapsed. The digest is
// the same in every process, and may be stored. Pure; threads: any.
#pragma once

#include <cstdint>

#include "parse/html_page.h"

namespace bowerbird {

enum class ChangedNumbers : std::uint8_t { kIgnored, kCount };

// The page must have been read with its text.
std::uint64_t change_digest(const HtmlPage& page, ChangedNumbers numbers = ChangedNumbers::kIgnored);

}  // namespace bowerbird
