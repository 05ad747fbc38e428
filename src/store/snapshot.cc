#include "store/snapshot.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace bowerbird {

namespace {

constexpr std::string_view kSnapshotMark = "BBsnapshot 2\n";
constexpr std::string_view kPrefix = "snapshot-";
constexpr std::string_view kTemporary = "snapshot.new";
constexpr std::size_t kSnapshotPiece = std::size_t{1} << 20;

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

// The trailer of the file.
struct End {
  std::uint64_t commit = 0;
  std::uint64_t journal_offset = 0;
  std::uint64_t state_bytes = 0;
  std::uint32_t state_crc = 0;
  std::uint32_t crc = 0;  // of the above

  std::uint32_t own_crc() const { return libdeflate_crc32(0, this, offsetof(End, crc)); }
};
static_assert(sizeof(End) == 32);

Result<std::optional<End>> read_end(const DiskFile& file) {
  BB_TRY(const std::uint64_t size, file.size());
  if (size < kSnapshotMark.size() + sizeof(End)) return std::optional<End>();
  BB_TRY(const std::string mark, file.read(0, kSnapshotMark.size()));
  BB_TRY(const std::string bytes, file.read(size - sizeof(End), sizeof(End)));
  End end;
  if (mark != kSnapshotMark || bytes.size() != sizeof end) return std::optional<End>();
  std::memcpy(&end, bytes.data(), sizeof end);
  if (end.crc != end.own_crc() || end.state_bytes != size - kSnapshotMark.size() - sizeof(End))
    return std::optional<End>();
  return std::optional<End>(end);
}

}  // namespace

bool is_snapshot_name(std::string_view name) {
  return name == kTemporary || commit_of(name).has_value();
}

Result<SnapshotDraft> write_snapshot_draft(Disk& disk, const std::string& folder, const SaveState& save) {
  const std::string temporary = folder + "/" + std::string(kTemporary);
  if (disk.exists(temporary)) BB_TRY_VOID(disk.remove(temporary));
  BB_TRY(const std::unique_ptr<DiskFile> file, disk.open(temporary, Disk::Open::kCreate));
  BB_TRY_VOID(file->append(kSnapshotMark));
  SnapshotDraft draft;
  Status status;
  std::string buffer;
  const auto flush = [&] {
    draft.crc = libdeflate_crc32(draft.crc, buffer.data(), buffer.size());
    draft.bytes += buffer.size();
    if (status.ok()) status = file->append(buffer);
    buffer.clear();
  };
  ByteWriter out([&](std::string_view bytes) {
    while (!bytes.empty()) {
      const std::string_view piece = bytes.substr(0, kSnapshotPiece - buffer.size());
      buffer.append(piece);
      bytes.remove_prefix(piece.size());
      if (buffer.size() == kSnapshotPiece) flush();
    }
  });
  BB_TRY_VOID(save(out));
  flush();
  BB_TRY_VOID(status);
  return draft;
}

Status publish_snapshot(Disk& disk, const std::string& folder, const SnapshotId& id,
                        const SnapshotDraft& draft, bool durable) {
  const std::string temporary = folder + "/" + std::string(kTemporary);
  {
    BB_TRY(const std::unique_ptr<DiskFile> file, disk.open(temporary, Disk::Open::kAppend));
    End end{id.commit, id.journal_offset, draft.bytes, draft.crc, 0};
    end.crc = end.own_crc();
    BB_TRY_VOID(file->append({reinterpret_cast<const char*>(&end), sizeof end}));
    if (durable) BB_TRY_VOID(file->sync());
  }
  const std::string name = file_name(id.commit);
  BB_TRY_VOID(disk.rename(temporary, folder + "/" + name));
  if (durable) BB_TRY_VOID(disk.sync_folder(folder));
  BB_TRY(const std::vector<std::string> names, disk.list(folder));
  for (const std::string& other : names) {
    if (other != name && is_snapshot_name(other)) BB_TRY_VOID(disk.remove(folder + "/" + other));
  }
  return {};
}

Result<std::vector<SnapshotId>> list_snapshots(Disk& disk, const std::string& folder) {
  BB_TRY(std::vector<std::string> names, disk.list(folder));
  std::reverse(names.begin(), names.end());
  std::vector<SnapshotId> ids;
  for (const std::string& name : names) {
    const std::optional<std::uint64_t> commit = commit_of(name);
    if (!commit) continue;
    auto file = disk.open(folder + "/" + name, Disk::Open::kRead);
    if (!file.ok()) continue;  // a running crawl has just replaced it
    BB_TRY(const std::optional<End> end, read_end(**file));
    if (end && end->commit == *commit) ids.push_back({end->commit, end->journal_offset});
  }
  return ids;
}

ByteReader SavedState::reader() const {
  return ByteReader(bytes_,
                    [file = file_, at = std::uint64_t{kSnapshotMark.size()},
                     end = kSnapshotMark.size() + bytes_]() mutable -> std::string {
                      auto piece = file->read(at, std::min<std::uint64_t>(kSnapshotPiece, end - at));
                      if (!piece.ok()) return {};
                      at += piece->size();
                      return std::move(*piece);
                    });
}

Result<std::optional<SavedState>> open_snapshot(Disk& disk, const std::string& folder, const SnapshotId& id) {
  auto file = disk.open(folder + "/" + file_name(id.commit), Disk::Open::kRead);
  if (!file.ok()) return std::optional<SavedState>();
  BB_TRY(const std::optional<End> end, read_end(**file));
  if (!end) return std::optional<SavedState>();
  std::uint32_t crc = 0;
  for (std::uint64_t at = 0; at < end->state_bytes;) {
    BB_TRY(const std::string piece,
           (*file)->read(kSnapshotMark.size() + at,
                         std::min<std::uint64_t>(kSnapshotPiece, end->state_bytes - at)));
    if (piece.empty()) return std::optional<SavedState>();
    crc = libdeflate_crc32(crc, piece.data(), piece.size());
    at += piece.size();
  }
  if (crc != end->state_crc) return std::optional<SavedState>();
  return std::optional<SavedState>(SavedState(std::move(*file), end->state_bytes));
}

}  // namespace bowerbird
