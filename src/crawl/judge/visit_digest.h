// The digest of a page that shows at its next visit whether it has changed.
//
// Problem: only a digest of the text distinguishes changes from counters and tokens
// (parse/change_digest.h), but extracting the text of every page is expensive, and most crawls never
// visit a page again. So a crawl that does not refresh keeps a digest of the bytes. If the bytes differ
// at the next visit, the old text is read from the archive, once. The lowest bit says which digest it is;
// 0 means none. Both digests are the same in every process and may be stored. Pure.
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
