// The text of any known URL, from the blocks of urls.log, with a cache of decompressed blocks.
//
// Problem: the text is the largest part of what is known about a URL, and is needed once: when it is
// fetched. Texts stay on disk. In memory are the positions of the blocks (16 bytes for about 50 URLs) and
// a cache with one block per slot, which can be made smaller at any time. Ownership: shares the file.
// Threads: one user.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "store/block_log.h"

namespace bowerbird {

// Provides the texts of URLs.
class UrlSource {
 public:
  virtual ~UrlSource() = default;
  // The URL of a known page; an error: the file is damaged.
  virtual Result<std::string> url(PageId page) = 0;
};

// Blocks of urls.log are small, so that reading one URL is cheap.
inline constexpr std::size_t kUrlBlockBytes = 4 << 10;

class UrlTexts final : public UrlSource {
 public:
  // Reads the first `end` bytes of the file. name: for error messages.
  UrlTexts(std::shared_ptr<const DiskFile> file, std::string name, std::uint64_t end,
           std::uint64_t cache_bytes);

  Result<std::string> url(PageId page) override;
  // The file has grown.
  void extend(std::uint64_t end) { reader_.extend(end); }
  void limit_cache(std::uint64_t bytes);
  std::uint64_t bytes() const;
  std::uint64_t cache_bytes() const;

 private:
  std::string name_;
  BlockReader reader_;
  struct Slot {
    std::uint64_t number = ~std::uint64_t{0};
    Block block;
  };
  std::vector<Slot> slots_;
};

}  // namespace bowerbird
