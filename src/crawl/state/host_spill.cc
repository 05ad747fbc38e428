#include "crawl/state/host_spill.h"

#include <libdeflate.h>

#include <cstring>

namespace bowerbird {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;
constexpr std::size_t kAtOnce = std::size_t{1} << 20;
constexpr std::uint64_t kWorthTidying = std::uint64_t{16} << 20;
constexpr std::size_t kGuess = 256;  // most records are shorter

}  // namespace

HostSpill::HostSpill(std::string path, Disk& disk) : path_(std::move(path)), disk_(disk) {
  if (disk_.exists(path_)) (void)disk_.remove(path_);
}

HostSpill::~HostSpill() {
  if (file_) (void)disk_.remove(path_);
}

std::uint32_t HostSpill::crc_of(HostId host, std::string_view record) {
  const std::uint32_t crc = libdeflate_crc32(0, &host, sizeof host);
  return libdeflate_crc32(crc, record.data(), record.size());
}

Status HostSpill::put(HostId host, std::string_view record) {
  offsets_.grow_to(std::size_t{host} + 1);
  const Head head{host, static_cast<std::uint32_t>(record.size()), crc_of(host, record)};
  if (offsets_[host] > 0) {
    BB_TRY(const std::string old, read(offsets_[host] - 1, sizeof(Head)));
    Head before;
    if (old.size() == sizeof before) {
      std::memcpy(&before, old.data(), sizeof before);
      live_ -= std::min<std::uint64_t>(live_, sizeof before + before.bytes);
    }
  }
  offsets_[host] = written_ + buffer_.size() + 1;
  buffer_.append(reinterpret_cast<const char*>(&head), sizeof head);
  buffer_.append(record);
  live_ += sizeof head + record.size();
  if (buffer_.size() < kBuffer) return {};
  BB_TRY_VOID(flush());
  return disk() > kWorthTidying && disk() > 3 * live_ ? tidy() : Status();
}

Status HostSpill::flush() {
  if (!file_) {
    BB_TRY_VOID(disk_.make_folder(path_.substr(0, path_.rfind('/'))));
    BB_TRY(file_, disk_.open(path_, Disk::Open::kCreate));
  }
  // A failed append may have written a part of the buffer.
  BB_TRY(const std::uint64_t size, file_->size());
  if (size > written_) BB_TRY_VOID(file_->truncate(written_));
  BB_TRY_VOID(file_->append(buffer_));
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<std::string> HostSpill::read(std::uint64_t at, std::size_t size) const {
  if (at >= written_) {
    if (at - written_ > buffer_.size()) return error("{}: byte {} is not there", path_, at);
    return buffer_.substr(at - written_, size);
  }
  BB_TRY(std::string bytes, file_->read(at, std::min<std::uint64_t>(size, written_ - at)));
  return bytes;
}

Result<std::string> HostSpill::get(HostId host) const {
  if (host >= offsets_.size() || offsets_[host] == 0) return error("{}: nothing of host {}", path_, host);
  const std::uint64_t at = offsets_[host] - 1;
  BB_TRY(std::string bytes, read(at, sizeof(Head) + kGuess));
  Head head;
  if (bytes.size() < sizeof head) return error("{}: byte {}: ends too early", path_, at);
  std::memcpy(&head, bytes.data(), sizeof head);
  if (bytes.size() < sizeof head + head.bytes) {
    if (head.bytes > disk()) return error("{}: byte {}: no such record", path_, at);
    BB_TRY(bytes, read(at, sizeof head + head.bytes));
  }
  std::string record = bytes.substr(sizeof head, head.bytes);
  if (record.size() != head.bytes || head.host != host || crc_of(host, record) != head.crc)
    return error("{}: byte {}: the record of host {} is damaged", path_, at, host);
  return record;
}

Status HostSpill::for_each(const std::function<Status(HostId, std::string_view)>& visit) const {
  std::string bytes;
  std::uint64_t at = 0;
  const std::uint64_t end = disk();
  std::size_t wanted = kAtOnce;
  while (at < end) {
    BB_TRY(bytes, read(at, wanted));
    std::size_t used = 0;
    Head head;
    while (bytes.size() - used >= sizeof head) {
      std::memcpy(&head, bytes.data() + used, sizeof head);
      if (bytes.size() - used < sizeof head + head.bytes) break;
      const std::string_view record(bytes.data() + used + sizeof head, head.bytes);
      if (crc_of(head.host, record) != head.crc)
        return error("{}: byte {}: a record is damaged", path_, at + used);
      if (head.host < offsets_.size() && offsets_[head.host] == at + used + 1)
        BB_TRY_VOID(visit(head.host, record));
      used += sizeof head + head.bytes;
    }
    // The record is longer than the piece, or continues after it.
    if (used == 0) {
      if (wanted > end) return error("{}: byte {}: a record is damaged", path_, at);
      wanted *= 2;
    }
    at += used;
  }
  return {};
}

// Copies the live records to a new file.
Status HostSpill::tidy() {
  const std::string path = path_ + ".new";
  if (disk_.exists(path)) BB_TRY_VOID(disk_.remove(path));
  BB_TRY(std::unique_ptr<DiskFile> made, disk_.open(path, Disk::Open::kCreate));
  std::string out;
  std::uint64_t at = 0;
  LazyArray<std::uint64_t> offsets;
  offsets.grow_to(offsets_.size());
  const Status copied = for_each([&](HostId host, std::string_view record) -> Status {
    const Head head{host, static_cast<std::uint32_t>(record.size()), crc_of(host, record)};
    offsets[host] = at + out.size() + 1;
    out.append(reinterpret_cast<const char*>(&head), sizeof head);
    out.append(record);
    if (out.size() < kBuffer) return {};
    BB_TRY_VOID(made->append(out));
    at += out.size();
    out.clear();
    return {};
  });
  BB_TRY_VOID(copied);
  BB_TRY_VOID(made->append(out));
  at += out.size();
  BB_TRY_VOID(disk_.rename(path, path_));
  file_ = std::move(made);
  offsets_ = std::move(offsets);
  written_ = live_ = at;
  buffer_.clear();
  return {};
}

}  // namespace bowerbird
