// The links of a crawled page again, by the number of its row in links.log: what a page that held links back
// has left to give, without fetching it.
//
// links.log has every page's links already, in order of completion, packed, and under the same commits as all
// else, so that pages that wait need no file of their own. Rows can be read as far as extend() has been told;
// the owner of the crawl commits before it asks for more. Threads: one owner.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "store/block_log.h"
#include "store/links.h"

namespace bowerbird {

class LinkRows {
 public:
  // The folder of a crawl.
  explicit LinkRows(std::string folder, Disk& disk = Disk::real())
      : folder_(std::move(folder)), disk_(disk) {}

  // So many bytes of the file are whole blocks; 0: all there are, since nobody writes.
  Status extend(std::uint64_t bytes = 0);
  // An error if there is no such row, or it is damaged.
  Status read(std::uint64_t row, PageLinks& links);
  std::uint64_t rows() const { return rows_; }

 private:
  std::string folder_;
  Disk& disk_;
  std::shared_ptr<const DiskFile> file_;
  std::unique_ptr<BlockReader> reader_;
  std::uint64_t rows_ = 0;  // known to be there
};

}  // namespace bowerbird
