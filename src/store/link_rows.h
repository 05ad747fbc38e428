// Reads the links of a crawled page from its row in links.log. A strategy that held links of the page
// back gets them from there, without fetching it again.
//
// links.log already has the links of every page in order of completion, compressed and committed with
// everything else, so such pages need no file of their own. Rows can be read up to the last extend(); the
// owner of the crawl commits before it asks for more. Threads: one owner.
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
  // folder: of the crawl.
  explicit LinkRows(std::string folder, Disk& disk = Disk::real())
      : folder_(std::move(folder)), disk_(disk) {}

  // Rows in the first `bytes` of the file, which are whole blocks, can be read. 0: the whole file, which must
  // not be growing.
  Status extend(std::uint64_t bytes = 0);
  // An error: there is no such row, or it is damaged.
  Status read(std::uint64_t row, PageLinks& links);
  std::uint64_t rows() const { return rows_; }

 private:
  std::string folder_;
  Disk& disk_;
  std::shared_ptr<const DiskFile> file_;
  std::unique_ptr<BlockReader> reader_;
  std::uint64_t rows_ = 0;  // number of rows that can be read
};

}  // namespace bowerbird
