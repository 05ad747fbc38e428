#include "store/cdxj.h"

#include <algorithm>
#include <memory>
#include <queue>
#include <vector>

#include "base/json_text.h"
#include "store/crawl_reader.h"
#include "store/surt.h"
#include "store/warc_writer.h"

namespace bowerbird {

namespace {

constexpr std::size_t kIndexPiece = 1 << 18;
constexpr std::size_t kLeastRunPiece = 1 << 12;
constexpr std::size_t kMostRunPiece = 1 << 16;

}  // namespace

std::string cdxj_line(std::string_view key, const IndexEntry& entry) {
  std::string line(key);
  line.append(" ").append(timestamp14(entry.time_us)).append(" {\"url\":");
  append_json_string(line, entry.url);
  line.append(",\"mime\":");
  append_json_string(line, entry.mime);
  fmt::format_to(std::back_inserter(line), ",\"status\":\"{}\",\"digest\":", entry.status);
  append_json_string(line, entry.digest);
  fmt::format_to(std::back_inserter(line), ",\"length\":\"{}\",\"offset\":\"{}\",\"filename\":", entry.length,
                 entry.offset);
  append_json_string(line, entry.file);
  if (entry.noarchive) line.append(",\"robotflags\":\"A\"");
  line.append("}");
  return line;
}

std::string cdxj_line(std::string_view url, const FetchEntry& fetch) {
  const std::string digest = base32(fetch.digest);
  IndexEntry entry;
  entry.url = url;
  entry.time_us = fetch.time_us;
  entry.mime = fetch.revisit ? std::string_view("warc/revisit") : fetch.mime;
  entry.status = fetch.status;
  entry.digest = digest;
  entry.length = fetch.length;
  entry.offset = fetch.offset;
  entry.file = fetch.file;
  entry.noarchive = fetch.noarchive;
  return cdxj_line(surt_key(url), entry);
}

// A sorted run that is being read.
struct LineSorter::Run {
  const DiskFile* file;
  std::uint64_t at;
  std::uint64_t end;
  std::size_t piece_bytes;
  std::string buffer;
  std::size_t used = 0;
  std::string_view line;

  // False at the end.
  Result<bool> next() {
    for (;;) {
      const std::size_t feed = buffer.find('\n', used);
      if (feed != std::string::npos) {
        line = std::string_view(buffer).substr(used, feed - used);
        used = feed + 1;
        return true;
      }
      if (at >= end) return false;
      buffer.erase(0, used);
      used = 0;
      BB_TRY(const std::string piece, file->read(at, std::min<std::uint64_t>(piece_bytes, end - at)));
      if (piece.empty()) return false;
      at += piece.size();
      buffer.append(piece);
    }
  }
};

LineSorter::LineSorter(Disk& disk, std::string scratch, std::size_t memory)
    : disk_(disk), scratch_(std::move(scratch)), memory_(memory) {}

LineSorter::~LineSorter() {
  // Failing to remove the scratch file is not an error of the sort.
  if (file_) [[maybe_unused]]
    const Status removed = disk_.remove(scratch_);
}

Status LineSorter::add(std::string line) {
  bytes_ += line.size() + sizeof line;
  lines_.push_back(std::move(line));
  return bytes_ >= memory_ ? spill() : Status{};
}

Status LineSorter::spill() {
  if (!file_) {
    if (disk_.exists(scratch_)) BB_TRY_VOID(disk_.remove(scratch_));
    BB_TRY(file_, disk_.open(scratch_, Disk::Open::kCreate));
  }
  std::sort(lines_.begin(), lines_.end());
  const std::uint64_t begin = written_;
  std::string piece;
  for (const std::string& line : lines_) {
    piece.append(line).push_back('\n');
    if (piece.size() < kIndexPiece) continue;
    BB_TRY_VOID(file_->append(piece));
    written_ += piece.size();
    piece.clear();
  }
  BB_TRY_VOID(file_->append(piece));
  written_ += piece.size();
  runs_.emplace_back(begin, written_);
  lines_.clear();
  bytes_ = 0;
  return {};
}

Status LineSorter::finish(const std::function<Status(std::string_view)>& visit) {
  if (!runs_.empty()) {
    if (!lines_.empty()) BB_TRY_VOID(spill());
    return merge(visit);
  }
  std::sort(lines_.begin(), lines_.end());
  for (const std::string& line : lines_) BB_TRY_VOID(visit(line));
  return {};
}

Status LineSorter::merge(const std::function<Status(std::string_view)>& visit) {
  std::vector<Run> runs;
  // The buffer of a run holds a piece and the rest of the one before.
  const std::size_t piece = std::clamp(memory_ / 2 / runs_.size(), kLeastRunPiece, kMostRunPiece);
  for (const auto& [begin, end] : runs_) runs.push_back({file_.get(), begin, end, piece, {}, 0, {}});
  const auto later = [&](std::size_t a, std::size_t b) { return runs[a].line > runs[b].line; };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> heads(later);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    BB_TRY(const bool more, runs[i].next());
    if (more) heads.push(i);
  }
  while (!heads.empty()) {
    const std::size_t first = heads.top();
    heads.pop();
    BB_TRY_VOID(visit(runs[first].line));
    BB_TRY(const bool more, runs[first].next());
    if (more) heads.push(first);
  }
  return {};
}

namespace {

// Index lines for fetches. Their URLs are in blocks, so they are looked up in page order, as many at a
// time as fit into `memory`: each block is then decompressed once.
class IndexLines {
 public:
  IndexLines(CrawlReader& crawl, LineSorter& lines, std::size_t memory)
      : crawl_(crawl), lines_(lines), together_(memory / kEntryBytes) {}

  Status add(FetchEntry entry) {
    entry.title = {};  // the index has no titles
    entries_.push_back(std::move(entry));
    return entries_.size() >= together_ ? flush() : Status{};
  }
  Status flush() {
    std::sort(entries_.begin(), entries_.end(),
              [](const FetchEntry& a, const FetchEntry& b) { return a.page < b.page; });
    for (const FetchEntry& entry : entries_) {
      BB_TRY(const std::string url, crawl_.url(entry));
      BB_TRY_VOID(lines_.add(cdxj_line(url, entry)));
    }
    entries_.clear();
    return {};
  }

 private:
  static constexpr std::size_t kEntryBytes = sizeof(FetchEntry) + 64;  // including the file name
  CrawlReader& crawl_;
  LineSorter& lines_;
  std::size_t together_;
  std::vector<FetchEntry> entries_;
};

Status write_lines(LineSorter& lines, DiskFile& file) {
  std::string piece;
  const Status written = lines.finish([&](std::string_view line) -> Status {
    piece.append(line).push_back('\n');
    if (piece.size() < kIndexPiece) return {};
    BB_TRY_VOID(file.append(piece));
    piece.clear();
    return {};
  });
  if (!written.ok()) return written;
  return file.append(piece);
}

}  // namespace

Status write_crawl_index(const std::string& folder, Disk& disk, std::size_t memory) {
  BB_TRY(const std::unique_ptr<CrawlReader> crawl, CrawlReader::open(folder, disk));
  const std::string path = folder + "/" + crawl_files::kIndex;
  LineSorter lines(disk, path + ".runs", memory / 2);
  IndexLines index(*crawl, lines, memory / 2);
  BB_TRY_VOID(crawl->for_each_capture([&](const FetchEntry& entry) { return index.add(entry); }));
  BB_TRY_VOID(index.flush());
  const std::string temporary = path + ".new";
  if (disk.exists(temporary)) BB_TRY_VOID(disk.remove(temporary));
  BB_TRY(const std::unique_ptr<DiskFile> file, disk.open(temporary, Disk::Open::kCreate));
  BB_TRY_VOID(write_lines(lines, *file));
  BB_TRY_VOID(file->sync());
  BB_TRY_VOID(disk.rename(temporary, path));
  return disk.sync_folder(folder);
}

}  // namespace bowerbird
