// Whether a page has changed since its last fetch: pages whose digests are equal show a reader the same.
//
// Problem: many pages differ in their bytes at every fetch, but not in what they say: counters, dates, tokens
// in forms, a list of new articles in the margin. So the digest is of the visible text alone, without scripts
// and without the text of links (new links are found anyway). Every run of digits, and every token of 8 or
// more hexadecimal digits, counts as the same one, unless numbers matter (prices). White space is collapsed.
// The digest is the same in every process, and may be stored. Pure; threads: any.
#pragma once

#include <cstdint>

#include "parse/html_page.h"

namespace bowerbird {

enum class ChangedNumbers : std::uint8_t { kIgnored, kCount };

// The page must have been read with its text.
std::uint64_t change_digest(const HtmlPage& page, ChangedNumbers numbers = ChangedNumbers::kIgnored);

}  // namespace bowerbird
