// The text of any known URL, from the blocks of urls.log, with a cache of unpacked ones.
//
// Problem: texts are most of what is known of a URL, and are needed once: when its turn comes. They stay on
// disk; in memory are the places of the blocks (16 bytes for some 50 URLs) and a cache, a block in each slot,
// which may be made smaller at any time. Ownership: shares the file. Threads: one user.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "store/block_log.h"

namespace bowerbird {

// Whoever knows the texts of URLs.
class UrlSource {
 public:
  virtual ~UrlSource() = default;
  // Of a page that is known; an error where the file is damaged.
  virtual Result<std::string> url(PageId page) = 0;
};

// Blocks of urls.log: small, so that one URL costs little to unpack.
inline constexpr std::size_t kUrlBlockBytes = 4 << 10;

class UrlTexts final : public UrlSource {
 public:
  // The first `end` bytes of the file; `name` is for errors.
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
