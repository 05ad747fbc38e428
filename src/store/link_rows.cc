#include "store/link_rows.h"

#include "store/crawl_reader.h"

namespace bowerbird {

Status LinkRows::extend(std::uint64_t bytes) {
  const std::string path = folder_ + "/" + crawl_files::kLinks;
  if (!file_) {
    BB_TRY(file_, disk_.open(path, Disk::Open::kRead));
  }
  if (bytes == 0) {
    BB_TRY(bytes, file_->size());
  }
  if (reader_) {
    reader_->extend(bytes);
  } else {
    reader_ = std::make_unique<BlockReader>(file_, path, bytes);
  }
  return {};
}

Status LinkRows::read(std::uint64_t row, PageLinks& links) {
  if (!reader_) BB_TRY_VOID(extend());
  BB_TRY(const Block* const block, reader_->find(row));
  const auto damaged = [&] {
    return error("{}/{}: row {} cannot be read", folder_, crawl_files::kLinks, row);
  };
  if (block == nullptr) return damaged();
  rows_ = std::max(rows_, block->first + block->records);
  VarintReader in(block->raw);
  for (std::uint64_t i = block->first; i <= row && in.ok(); ++i) get_links_record(in, links);
  return in.ok() ? Status() : damaged();
}

}  // namespace bowerbird
