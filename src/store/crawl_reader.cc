#include "store/crawl_reader.h"

#include <algorithm>

#include "base/check.h"
#include "store/archive_files.h"
#include "store/terms.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kReadUrlCache = 4 << 20;

// Reads the rows of links.log one after the other.
class LinksCursor {
 public:
  LinksCursor(BlockReader blocks, std::string name) : blocks_(std::move(blocks)), name_(std::move(name)) {}

  Status seek(std::uint64_t record) {
    BB_TRY_VOID(blocks_.seek(record));
    skip_to_ = record;
    return {};
  }
  // False at the end.
  Result<bool> next(PageLinks& links) {
    while (left_ == 0) {
      BB_TRY(const Block* block, blocks_.next());
      if (block == nullptr) return false;
      in_ = VarintReader(block->raw);
      left_ = block->records;
      for (std::uint64_t i = block->first; i < skip_to_ && left_ > 0; ++i) {
        BB_TRY_VOID(take(links));
      }
    }
    BB_TRY_VOID(take(links));
    return true;
  }

 private:
  Status take(PageLinks& links) {
    get_links_record(in_, links);
    --left_;
    if (!in_.ok()) return error("{}: a block contains something other than links", name_);
    return {};
  }

  BlockReader blocks_;
  std::string name_;
  VarintReader in_{""};
  std::uint32_t left_ = 0;
  std::uint64_t skip_to_ = 0;
};

}  // namespace

bool CrawlReader::holds_crawl(const std::string& folder, Disk& disk) {
  return CommitGroup::exists(disk, folder);
}

CrawlReader::CrawlReader(Disk& disk, std::string folder, CommittedFolder found)
    : disk_(disk),
      folder_(std::move(folder)),
      about_(std::move(found.about)),
      last_(std::move(found.last)),
      journal_(std::move(found.journal)) {}

Result<std::unique_ptr<CrawlReader>> CrawlReader::open(const std::string& folder, Disk& disk) {
  BB_TRY(CommittedFolder found, look_at_folder(disk, folder));
  for (const char* name : {crawl_files::kUrls, crawl_files::kLinks, crawl_files::kTerms,
                           crawl_files::kFetches, crawl_files::kLog, kArchiveList}) {
    const CommittedFile* const file = found.last.record.find(name);
    if (file == nullptr) return error("{}: the journal does not list the file {}", folder, name);
    if (file->records > kMaxPages)
      return error("{}/{}: there are more records than pages can be", folder, name);
  }
  return std::unique_ptr<CrawlReader>(new CrawlReader(disk, folder, std::move(found)));
}

std::uint64_t CrawlReader::records(const char* file) const {
  return last_.record.find(file)->records;
}

Result<BlockReader> CrawlReader::blocks(const char* name) const {
  const CommittedFile& file = *last_.record.find(name);
  std::string path = folder_ + "/" + name;
  BB_TRY(std::shared_ptr<const DiskFile> bytes, disk_.open(path, Disk::Open::kRead));
  BB_TRY(const std::uint64_t size, bytes->size());
  if (size < file.bytes) {
    return error("{}: has {} bytes, but {} were there at the last commit: restore the file from a copy", path,
                 size, file.bytes);
  }
  return BlockReader(std::move(bytes), std::move(path), file.bytes);
}

Status CrawlReader::for_each_record(const char* file,
                                    const std::function<Status(VarintReader&, std::uint64_t)>& visit) const {
  BB_TRY(BlockReader reader, blocks(file));
  std::uint64_t number = 0;
  for (;;) {
    BB_TRY(const Block* block, reader.next());
    if (block == nullptr) break;
    VarintReader in(block->raw);
    for (std::uint32_t i = 0; i < block->records; ++i) {
      BB_TRY_VOID(visit(in, number++));
      if (!in.ok()) return error("{}/{}: record {} is corrupt", folder_, file, number - 1);
    }
  }
  if (number != records(file)) {
    return error("{}/{}: has {} records, but the last commit says {}", folder_, file, number, records(file));
  }
  return {};
}

Status CrawlReader::for_each_url(const std::function<void(PageId, std::string_view)>& visit) const {
  return for_each_record(crawl_files::kUrls, [&](VarintReader& in, std::uint64_t number) -> Status {
    const std::string_view url = get_url_record(in);
    if (in.ok()) visit(static_cast<PageId>(number), url);
    return {};
  });
}

Result<std::string> CrawlReader::url(PageId page) {
  if (!urls_) {
    const CommittedFile& file = *last_.record.find(crawl_files::kUrls);
    std::string path = folder_ + "/" + crawl_files::kUrls;
    BB_TRY(std::shared_ptr<const DiskFile> bytes, disk_.open(path, Disk::Open::kRead));
    urls_ = std::make_unique<UrlTexts>(std::move(bytes), std::move(path), file.bytes, kReadUrlCache);
  }
  return urls_->url(page);
}

Status CrawlReader::for_each_links(const std::function<Status(const PageLinks&)>& visit) const {
  PageLinks links;
  return for_each_record(crawl_files::kLinks, [&](VarintReader& in, std::uint64_t) -> Status {
    get_links_record(in, links);
    return in.ok() ? visit(links) : Status{};
  });
}

Status CrawlReader::for_each_terms(const std::function<Status(PageId, const PageTerms&)>& visit) const {
  PageTerms terms;
  return for_each_record(crawl_files::kTerms, [&](VarintReader& in, std::uint64_t) -> Status {
    const PageId page = get_terms_record(in, terms);
    return in.ok() ? visit(page, terms) : Status{};
  });
}

std::uint64_t CrawlReader::fetches() const {
  return stored_counts(last_.record.store_state).fetches;
}

Result<std::string> CrawlReader::url(const FetchEntry& entry) {
  if (entry.page == kNoPage) return entry.url;
  return url(entry.page);
}

Result<FetchEntry> CrawlReader::capture(std::uint64_t number) {
  if (!fetches_) {
    BB_TRY(BlockReader reader, blocks(crawl_files::kFetches));
    fetches_ = std::make_unique<BlockReader>(std::move(reader));
  }
  BB_TRY(const Block* block, fetches_->find(number));
  if (block == nullptr) return error("{}/{}: there is no record {}", folder_, crawl_files::kFetches, number);
  VarintReader in(block->raw);
  for (std::uint64_t at = block->first; in.ok(); ++at) {
    FetchEntry entry = FetchEntry::get(in);
    if (at == number && in.ok()) return entry;
  }
  return error("{}/{}: record {} is corrupt", folder_, crawl_files::kFetches, number);
}

std::string CrawlReader::warc_path(const FetchEntry& entry) const {
  std::string path = fmt::format("{}/{}/{}", folder_, kArchiveFolder, entry.file);
  return disk_.exists(path) ? path : path + ".open";
}

Status CrawlReader::for_each_fetch(const std::function<Status(const FetchEntry&)>& visit) const {
  return for_each_capture(
      [&](const FetchEntry& entry) { return entry.page == kNoPage ? Status{} : visit(entry); });
}

Status CrawlReader::for_each_capture(const std::function<Status(const FetchEntry&)>& visit) const {
  return for_each_record(crawl_files::kFetches, [&](VarintReader& in, std::uint64_t) -> Status {
    const FetchEntry entry = FetchEntry::get(in);
    return in.ok() ? visit(entry) : Status{};
  });
}

Result<std::optional<SavedState>> CrawlReader::snapshot() {
  BB_TRY(std::optional<Snapshot> found, read_snapshot(disk_, folder_));
  // A running crawl may have committed since the folder was read.
  if (!found || found->commit.number > last_.record.number) return std::optional<SavedState>();
  const CommittedFile* const links = found->commit.find(crawl_files::kLinks);
  if (links == nullptr) return std::optional<SavedState>();
  replay_begin_ = found->journal_end;
  replay_links_ = links->records;
  return std::optional<SavedState>(std::move(found->state));
}

Status CrawlReader::replay(const std::function<Status(const Event&)>& visit) const {
  return replay_from(replay_begin_, replay_links_, visit);
}

Status CrawlReader::replay_all(const std::function<Status(const Event&)>& visit) const {
  return replay_from(0, 0, visit);
}

Status CrawlReader::walk(const std::function<Status(const Event&)>& on_event,
                         const std::function<Status(const CommitRecord&)>& on_commit) const {
  return each_event(
      [&](const Event& event) { return event.type >= kFirstCrawlEvent ? on_event(event) : Status(); },
      on_commit);
}

Status CrawlReader::for_each_later_links(const std::function<Status(const PageLinks&)>& visit) const {
  PageLinks links;
  return each_event(
      [&](const Event& event) -> Status {
        if (event.type != kLaterLinksEvent) return {};
        VarintReader in(event.payload);
        get_links_record(in, links);
        const auto known = [this](const StoredLink& link) { return link.page < pages(); };
        if (!in.ok() || links.page >= pages() || !std::ranges::all_of(links.links, known))
          return error("{}/journal: links that were found later are corrupt", folder_);
        return visit(links);
      },
      [](const CommitRecord&) { return Status(); });
}

Status CrawlReader::each_event(const std::function<Status(const Event&)>& on_event,
                               const std::function<Status(const CommitRecord&)>& on_commit) const {
  FrameReader frames(*journal_, 0, last_.end);
  for (;;) {
    BB_TRY(const std::optional<Frame> frame, frames.next());
    if (!frame) break;
    if (frame->kind == FrameKind::kCommit) {
      const auto commit = CommitRecord::decode(frame->payload);
      if (commit) BB_TRY_VOID(on_commit(*commit));
      continue;
    }
    VarintReader in(frame->kind == FrameKind::kEvents ? frame->payload : std::string_view());
    while (!in.at_end()) {
      Event event;
      event.type = in.get_byte();
      event.payload = in.get_string();
      if (!in.ok()) return error("{}/journal: byte {}: this event is corrupt", folder_, frame->offset);
      BB_TRY_VOID(on_event(event));
    }
  }
  if (frames.at() < last_.end)
    return error("{}/journal: byte {}: the journal is damaged here", folder_, frames.at());
  return {};
}

Status CrawlReader::replay_from(std::uint64_t journal_begin, std::uint64_t links_before,
                                const std::function<Status(const Event&)>& visit) const {
  BB_TRY(BlockReader reader, blocks(crawl_files::kLinks));
  LinksCursor cursor(std::move(reader), folder_ + "/" + crawl_files::kLinks);
  BB_TRY_VOID(cursor.seek(links_before));
  FrameReader frames(*journal_, journal_begin, last_.end);
  PageLinks links;
  for (;;) {
    BB_TRY(const std::optional<Frame> frame, frames.next());
    if (!frame) break;
    if (frame->kind != FrameKind::kEvents) continue;
    VarintReader in(frame->payload);
    while (!in.at_end()) {
      Event event;
      event.type = in.get_byte();
      event.payload = in.get_string();
      if (!in.ok()) return error("{}/journal: byte {}: this event is corrupt", folder_, frame->offset);
      if (event.type == kLaterLinksEvent) continue;
      if (event.type == kLinksEvent) {
        BB_TRY(const bool found, cursor.next(links));
        if (!found) return error("{}/{}: ends before the journal does", folder_, crawl_files::kLinks);
        event.page = links.page;
        event.links = links.links;
      }
      BB_TRY_VOID(visit(event));
    }
  }
  if (frames.at() < last_.end)
    return error("{}/journal: byte {}: the journal is damaged here", folder_, frames.at());
  return {};
}

}  // namespace bowerbird
