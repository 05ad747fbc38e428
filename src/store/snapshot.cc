#include "store/snapshot.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/varint.h"

namespace bowerbird {

namespace {

constexpr std::string_view kMark = "BBsnapshot 1\n";
constexpr std::string_view kPrefix = "snapshot-";
constexpr std::string_view kTemporary = "snapshot.new";
constexpr std::size_t kPiece = std::size_t{1} << 24;
constexpr std::size_t kMostHead = kMark.size() + 3 * 10;
constexpr std::size_t kCrcBytes = 4;

std::string file_name(std::uint64_t commit) {
  return fmt::format("{}{:012}", kPrefix, commit);
}

std::optional<std::uint64_t> commit_of(std::string_view name) {
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  if (name.size() != 12) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

std::uint32_t crc_of(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

struct Head {
  SnapshotPlace place;
  std::uint64_t state_bytes = 0;
  std::size_t size = 0;  // of the head itself
};

std::optional<Head> decode_head(std::string_view bytes) {
  if (!bytes.starts_with(kMark)) return std::nullopt;
  VarintReader in(bytes.substr(kMark.size()));
  Head head;
  head.place.commit = in.get();
  head.place.journal_offset = in.get();
  head.state_bytes = in.get();
  head.size = bytes.size() - in.left();
  if (!in.ok()) return std::nullopt;
  return head;
}

}  // namespace

bool is_snapshot_name(std::string_view name) {
  return name == kTemporary || commit_of(name).has_value();
}

Status write_snapshot_file(Disk& disk, const std::string& folder, const SnapshotPlace& place,
                           std::string_view state, bool durable) {
  const std::string temporary = folder + "/" + std::string(kTemporary);
  if (disk.exists(temporary)) BB_TRY_VOID(disk.remove(temporary));
  std::string head(kMark);
  put_varint(head, place.commit);
  put_varint(head, place.journal_offset);
  put_varint(head, state.size());
  std::uint32_t crc = crc_of(head);
  crc = libdeflate_crc32(crc, state.data(), state.size());
  {
    BB_TRY(const std::unique_ptr<DiskFile> file, disk.open(temporary, Disk::Open::kCreate));
    BB_TRY_VOID(file->append(head));
    for (std::string_view rest = state; !rest.empty();) {
      const std::string_view piece = rest.substr(0, kPiece);
      BB_TRY_VOID(file->append(piece));
      rest.remove_prefix(piece.size());
    }
    BB_TRY_VOID(file->append({reinterpret_cast<const char*>(&crc), sizeof crc}));
    if (durable) BB_TRY_VOID(file->sync());
  }
  const std::string name = file_name(place.commit);
  BB_TRY_VOID(disk.rename(temporary, folder + "/" + name));
  if (durable) BB_TRY_VOID(disk.sync_folder(folder));
  BB_TRY(const std::vector<std::string> names, disk.list(folder));
  for (const std::string& other : names) {
    if (other != name && is_snapshot_name(other)) BB_TRY_VOID(disk.remove(folder + "/" + other));
  }
  return {};
}

Result<std::vector<SnapshotPlace>> snapshot_places(Disk& disk, const std::string& folder) {
  BB_TRY(std::vector<std::string> names, disk.list(folder));
  std::reverse(names.begin(), names.end());
  std::vector<SnapshotPlace> places;
  for (const std::string& name : names) {
    const std::optional<std::uint64_t> commit = commit_of(name);
    if (!commit) continue;
    auto file = disk.open(folder + "/" + name, Disk::Open::kRead);
    if (!file.ok()) continue;  // a running crawl has just replaced it
    BB_TRY(const std::string bytes, (*file)->read(0, kMostHead));
    const std::optional<Head> head = decode_head(bytes);
    if (head && head->place.commit == *commit) places.push_back(head->place);
  }
  return places;
}

Result<std::optional<std::string>> read_snapshot_file(Disk& disk, const std::string& folder,
                                                      const SnapshotPlace& place) {
  auto file = disk.open(folder + "/" + file_name(place.commit), Disk::Open::kRead);
  if (!file.ok()) return std::optional<std::string>();
  BB_TRY(const std::uint64_t size, (*file)->size());
  BB_TRY(std::string bytes, (*file)->read(0, size));
  const std::optional<Head> head = decode_head(bytes);
  if (!head || bytes.size() - head->size != head->state_bytes + kCrcBytes)
    return std::optional<std::string>();
  std::uint32_t crc;
  std::memcpy(&crc, bytes.data() + bytes.size() - kCrcBytes, sizeof crc);
  bytes.resize(bytes.size() - kCrcBytes);
  if (crc_of(bytes) != crc) return std::optional<std::string>();
  bytes.erase(0, head->size);
  return std::optional<std::string>(std::move(bytes));
}

}  // namespace bowerbird
