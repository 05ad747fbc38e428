#include "archive/record_packer.h"

#include <algorithm>
#include <memory>

#include "archive/warc_records.h"
#include "sys/sink.h"

namespace bowerbird {

namespace {

constexpr std::size_t kPackedPiece = std::size_t{1} << 18;
constexpr std::string_view kRecordEnd = "\r\n\r\n";

// Passes bytes on and counts them.
class CountingSink final : public ByteSink {
 public:
  CountingSink(const RecordPacker::Write& write, std::uint64_t& bytes) : write_(write), bytes_(bytes) {}

  Status write(std::string_view bytes) override {
    bytes_ += bytes.size();
    return write_(bytes);
  }
  Status finish() override { return {}; }

 private:
  const RecordPacker::Write& write_;
  std::uint64_t& bytes_;
};

// Reads the next `size` bytes of the block, in pieces, whatever length the record claims to have.
Status read_block(WarcReader& reader, std::uint64_t size, std::string& to) {
  to.clear();
  while (to.size() < size) {
    const std::size_t before = to.size();
    to.resize(before + std::min<std::uint64_t>(size - before, kPackedPiece));
    const auto n = reader.read(to.data() + before, to.size() - before);
    to.resize(before + (n.ok() ? *n : 0));
    BB_TRY_VOID(n);
    if (*n == 0) break;
  }
  return {};
}

}  // namespace

Result<std::uint64_t> RecordPacker::copy(WarcReader& reader, const Write& write) {
  const WarcHead& head = reader.head();
  BB_TRY_VOID(read_block(reader, std::min<std::uint64_t>(head.content_length, kWhole), block_));
  if (head.content_length <= block_.size()) {
    const std::string record = record_text(head, block_);
    const std::string_view packed = compressor_.pack(record);
    BB_TRY_VOID(write(packed));
    return std::uint64_t{packed.size()};
  }
  const std::string text = record_head_text(head);
  std::uint64_t length = 0;
  const std::unique_ptr<ByteSink> out =
      compressing(compressor_.compression(), std::make_unique<CountingSink>(write, length),
                  text.size() + head.content_length + kRecordEnd.size());
  BB_TRY_VOID(out->write(text));
  BB_TRY_VOID(out->write(block_));
  std::string piece;
  for (std::uint64_t left = head.content_length - block_.size(); left > 0; left -= piece.size()) {
    BB_TRY_VOID(read_block(reader, std::min<std::uint64_t>(left, kPackedPiece), piece));
    if (piece.empty()) return error("{}: the record at byte {} is cut off", reader.name(), reader.offset());
    BB_TRY_VOID(out->write(piece));
  }
  BB_TRY_VOID(out->write(kRecordEnd));
  BB_TRY_VOID(out->finish());
  return length;
}

}  // namespace bowerbird
