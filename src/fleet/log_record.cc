#include "fleet/log_record.h"

#include <zstd.h>

#include "base/check.h"
#include "base/varint.h"
#include "fleet/seal.h"

namespace bowerbird {

namespace {

constexpr std::uint8_t kPiece = 1, kLastPiece = 2, kClaim = 3, kWithdrawal = 4;
constexpr int kZstdLevel = 3;
// Before compression; a writer stays far below.
constexpr std::size_t kMostPiece = std::size_t{4} << 20;

std::string write_parts(const std::vector<LogPart>& parts) {
  std::string raw;
  for (const LogPart& part : parts) {
    raw += static_cast<char>(part.file);
    put_varint(raw, part.records);
    put_string(raw, part.bytes);
  }
  std::string packed(ZSTD_compressBound(raw.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), kZstdLevel);
  CHECK(ZSTD_isError(size) == 0);
  packed.resize(size);
  return packed;
}

bool read_parts(std::string_view packed, std::vector<LogPart>& parts) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMostPiece) return false;
  std::string raw(size, '\0');
  if (ZSTD_decompress(raw.data(), raw.size(), packed.data(), packed.size()) != size) return false;
  VarintReader in(raw);
  while (!in.at_end()) {
    LogPart part;
    const std::uint8_t file = in.get_byte();
    if (file > static_cast<std::uint8_t>(CopiedFile::kTerms)) in.reject();
    part.file = static_cast<CopiedFile>(file);
    part.records =
        static_cast<std::uint32_t>(in.get_at_most(part.file == CopiedFile::kJournal ? 0 : 0xffffffffu));
    part.bytes = in.get_string();
    if (!in.ok()) return false;
    parts.push_back(std::move(part));
  }
  return in.ok();
}

void put_last(std::string& out, const LoggedCommit& last) {
  put_varint(out, last.position.journal);
  for (const std::uint64_t records : last.position.records) put_varint(out, records);
  put_varint(out, last.bytes);
}

std::optional<LogRecord> read_record(std::string_view message, const HashKey& key, bool with_parts) {
  const auto bytes = unsealed(message, MessageKind::kLogRecord, key);
  if (!bytes) return {};
  VarintReader in(*bytes);
  LogRecord record;
  const std::uint8_t kind = in.get_byte();
  record.fleet = in.get_string();
  record.member = in.get_string();
  if (kind == kClaim || kind == kWithdrawal) {
    LogClaim claim;
    claim.by = in.get_string();
    claim.commit = in.get();
    claim.withdrawn = kind == kWithdrawal;
    record.content = std::move(claim);
    return in.ok() && in.at_end() ? std::optional(std::move(record)) : std::nullopt;
  }
  if (kind != kPiece && kind != kLastPiece) return {};
  LogPiece piece;
  piece.commit = in.get();
  piece.number = in.get();
  if (kind == kLastPiece) {
    LoggedCommit last;
    last.position.commit = piece.commit;
    last.position.journal = in.get();
    for (std::uint64_t& records : last.position.records) records = in.get();
    last.bytes = in.get();
    piece.last = last;
  }
  if (!in.ok() || piece.commit == 0) return {};
  if (with_parts && !read_parts(in.get_bytes(in.left()), piece.parts)) return {};
  record.content = std::move(piece);
  return record;
}

}  // namespace

std::string write_log_record(const LogRecord& record, const HashKey& key) {
  std::string out(1, '\0');
  put_string(out, record.fleet);
  put_string(out, record.member);
  if (const auto* const claim = std::get_if<LogClaim>(&record.content)) {
    out[0] = static_cast<char>(claim->withdrawn ? kWithdrawal : kClaim);
    put_string(out, claim->by);
    put_varint(out, claim->commit);
  } else {
    const auto& piece = std::get<LogPiece>(record.content);
    out[0] = static_cast<char>(piece.last ? kLastPiece : kPiece);
    put_varint(out, piece.commit);
    put_varint(out, piece.number);
    if (piece.last) put_last(out, *piece.last);
    out += write_parts(piece.parts);
  }
  return sealed(std::move(out), MessageKind::kLogRecord, key);
}

std::optional<LogRecord> read_log_record(std::string_view message, const HashKey& key) {
  return read_record(message, key, true);
}

std::optional<LogRecord> read_log_head(std::string_view message, const HashKey& key) {
  return read_record(message, key, false);
}

}  // namespace bowerbird
