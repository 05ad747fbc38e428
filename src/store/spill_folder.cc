#include "store/spill_folder.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/check.h"
#include "sys/error_kind.h"

namespace bowerbird {

namespace {

constexpr int kSpillLevel = 1;
constexpr std::size_t kMostBytes = std::size_t{1} << 26;
// How far ahead of a block that is read the kernel is asked to read.
constexpr std::size_t kAhead = std::size_t{1} << 20;
constexpr std::string_view kSpillPrefix = "run-";

// The header of each block in the file.
struct Head {
  std::uint32_t stored;
  std::uint32_t raw;
  std::uint32_t crc;  // of the two numbers and the stored bytes
};

std::uint32_t checksum(const Head& head, std::string_view stored) {
  return libdeflate_crc32(libdeflate_crc32(0, &head, offsetof(Head, crc)), stored.data(), stored.size());
}

}  // namespace

struct SpillFolder::Run {
  std::unique_ptr<DiskFile> file;
  std::vector<std::uint64_t> ends;  // end offset of each block
  bool synced = false;

  std::uint64_t begin_of(std::uint64_t block) const { return block == 0 ? 0 : ends[block - 1]; }
};

struct SpillFolder::Packer {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  std::string packed;
  ~Packer() { ZSTD_freeCCtx(context); }
};

SpillFolder::SpillFolder(std::string folder, const SpillFolderOptions& options)
    : folder_(std::move(folder)), options_(options), packer_(std::make_unique<Packer>()) {
  CHECK(packer_->context != nullptr);
}
SpillFolder::~SpillFolder() = default;

std::string SpillFolder::path_of(RunId run) const {
  return fmt::format("{}/{}{:09}", folder_, kSpillPrefix, run);
}

Status SpillFolder::append(RunId id, std::string_view block) {
  std::unique_ptr<Run>& run = runs_[id];
  if (!run) {
    if (!made_) BB_TRY_VOID(options_.disk->make_folder(folder_));
    made_ = true;
    // A file left by a crash.
    if (options_.disk->exists(path_of(id))) BB_TRY_VOID(options_.disk->remove(path_of(id)));
    run = std::make_unique<Run>();
    BB_TRY(run->file, options_.disk->open(path_of(id), Disk::Open::kCreate));
  }
  CHECK(block.size() <= kMostBytes);
  std::string& packed = packer_->packed;
  packed.resize(sizeof(Head) + ZSTD_compressBound(block.size()));
  const std::size_t size =
      ZSTD_compressCCtx(packer_->context, packed.data() + sizeof(Head), packed.size() - sizeof(Head),
                        block.data(), block.size(), kSpillLevel);
  CHECK(ZSTD_isError(size) == 0);
  packed.resize(sizeof(Head) + size);
  Head head{static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(block.size()), 0};
  head.crc = checksum(head, std::string_view(packed).substr(sizeof(Head)));
  std::memcpy(packed.data(), &head, sizeof head);
  BB_TRY_VOID(run->file->append(packed));
  run->ends.push_back(run->begin_of(run->ends.size()) + packed.size());
  run->synced = false;
  return {};
}

// Written, but only durable with the next snapshot: before that, nothing refers to it after a crash.
Status SpillFolder::finish(RunId) {
  return {};
}

Result<const SpillFolder::Run*> SpillFolder::open_run(RunId id) {
  const std::lock_guard lock(opening_);
  std::unique_ptr<Run>& run = runs_[id];
  if (!run) {
    auto made = std::make_unique<Run>();
    auto file = options_.disk->open(path_of(id), Disk::Open::kRead);
    if (!file.ok()) {
      runs_.erase(id);
      return file.error();
    }
    made->file = std::move(*file);
    made->synced = true;
    if (const Status indexed = index(*made); !indexed.ok()) {
      runs_.erase(id);
      return indexed.error();
    }
    run = std::move(made);
  }
  return run.get();
}

// Indexes the valid blocks. After them, a crash may have left anything.
Status SpillFolder::index(Run& run) {
  BB_TRY(const std::uint64_t size, run.file->size());
  for (std::uint64_t at = 0; at < size;) {
    BB_TRY(const std::string bytes, run.file->read(at, sizeof(Head)));
    Head head{};
    if (bytes.size() == sizeof head) std::memcpy(&head, bytes.data(), sizeof head);
    const std::uint64_t end = at + sizeof head + head.stored;
    if (bytes.size() < sizeof head || head.stored == 0 || end > size) break;
    run.ends.push_back(end);
    at = end;
  }
  return {};
}

Result<std::string> SpillFolder::read(RunId id, std::uint64_t block) {
  BB_TRY(const Run* const run, open_run(id));
  if (block >= run->ends.size()) {
    return error("{}: byte {}: no block begins here", path_of(id), run->begin_of(run->ends.size()));
  }
  const std::uint64_t begin = run->begin_of(block);
  const auto size = static_cast<std::size_t>(run->ends[block] - begin);
  // When a stretch has been read, the next one is requested.
  if (begin / kAhead != run->ends[block] / kAhead) run->file->will_need(run->ends[block], 2 * kAhead);
  BB_TRY(const std::string bytes, run->file->read(begin, size));
  const auto damaged = [&] { return error("{}: byte {}: the block is damaged", path_of(id), begin); };
  if (bytes.size() < size || size < sizeof(Head)) return damaged();
  Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  const std::string_view stored = std::string_view(bytes).substr(sizeof head);
  if (head.stored != stored.size() || head.raw > kMostBytes || checksum(head, stored) != head.crc)
    return damaged();
  std::string raw(head.raw, '\0');
  const std::size_t unpacked = ZSTD_decompress(raw.data(), raw.size(), stored.data(), stored.size());
  if (unpacked != head.raw) return damaged();
  return raw;
}

void SpillFolder::remove(RunId run) {
  if (needed(run)) {
    removed_.insert(run);
  } else {
    erase_file(run);
  }
}

// A file that cannot be removed does no harm.
void SpillFolder::erase_file(RunId run) {
  runs_.erase(run);
  removed_.erase(run);
  if (options_.disk->exists(path_of(run))) (void)options_.disk->remove(path_of(run)).ok();
}

std::uint64_t SpillFolder::bytes(RunId from, RunId to) const {
  std::uint64_t sum = 0;
  for (auto at = runs_.lower_bound(from); at != runs_.end() && at->first < to; ++at) {
    sum += at->second->begin_of(at->second->ends.size());
  }
  return sum;
}

Status SpillFolder::begin_snapshot() {
  CHECK(options_.snapshots);
  asked_.emplace();
  bool names = false;
  for (auto& [id, run] : runs_) {
    if (removed_.contains(id)) continue;
    asked_->insert(id);
    if (run->synced || !options_.durable) continue;
    BB_TRY_VOID(run->file->sync());
    run->synced = names = true;
  }
  if (names) BB_TRY_VOID(options_.disk->sync_folder(folder_));
  return {};
}

void SpillFolder::end_snapshot() {
  if (!asked_) return;
  kept_ = std::move(*asked_);
  asked_.reset();
  for (const RunId run : std::set<RunId>(removed_)) {
    if (!needed(run)) erase_file(run);
  }
}

void SpillFolder::keep_only_used() {
  kept_.clear();
  for (const auto& [id, run] : runs_) kept_.insert(id);
  const auto names = options_.disk->list(folder_);
  if (!names.ok()) return;
  std::set<std::string> used;
  for (const auto& [id, run] : runs_) used.insert(std::filesystem::path(path_of(id)).filename());
  for (const std::string& name : *names) {
    if (name.starts_with(kSpillPrefix) && !used.contains(name))
      (void)options_.disk->remove(folder_ + "/" + name).ok();
  }
}

Result<std::unique_ptr<TemporarySpill>> TemporarySpill::make() {
  std::error_code ignored;
  std::string folder = (std::filesystem::temp_directory_path(ignored) / "bowerbird-spill-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) {
    return error(kind_of_errno(errno), "{}: cannot create: {}; set TMPDIR to another folder", folder,
                 std::strerror(errno));
  }
  return std::unique_ptr<TemporarySpill>(new TemporarySpill(std::move(folder)));
}

TemporarySpill::TemporarySpill(std::string folder)
    : folder_(std::move(folder)), store_(std::make_unique<SpillFolder>(folder_)) {}

TemporarySpill::~TemporarySpill() {
  store_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace bowerbird
