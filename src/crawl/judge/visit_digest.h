// What is kept of a page to tell at its next visit whether it has changed.
//
// Problem: only the digest of what a page says tells changes from counters and tokens
// (parse/change_digest.h), but reading the text of every page is expensive, and most crawls never visit a
// page again. So a crawl that does not refresh keeps a digest of the bytes. Equal bytes say the same; if they
// differ at the next visit, the old text is read from the archive, once. The lowest bit tells which digest it
// is; 0 is none. Both are the same in every process, and may be stored.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.h"

namespace bowerbird {

inline std::uint64_t text_digest(std::uint64_t hash) {
  return (hash | 2) & ~std::uint64_t{1};
}
inline std::uint64_t bytes_digest(std::string_view bytes) {
  return hash64(bytes) | 1;
}
inline bool is_bytes_digest(std::uint64_t digest) {
  return (digest & 1) != 0;
}

}  // namespace bowerbird
