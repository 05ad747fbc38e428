#include "crawl/state/restored_crawl.h"

#include <algorithm>

#include "crawl/config/kept_options.h"
#include "crawl/config/memory_budget.h"
#include "crawl/state/state_setup.h"
#include "sys/memory.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kTidyEvery = 1024;  // events

// Gives ids to all URLs of the folder.
template <typename Source>
Status intern_all(const Source& source, CrawlState& state) {
  Url parsed;
  std::string bad;
  BB_TRY_VOID(source.for_each_url([&](PageId page, std::string_view url) {
    if (!bad.empty()) return;
    if (parse_url(url, nullptr, parsed) != UrlFault::kNone || parsed.text() != url) {
      bad = fmt::format("urls.log: page {} has no URL that could be crawled: the file is damaged", page);
      return;
    }
    state.intern(KnownUrls::fingerprint(url), url, parsed.host());
  }));
  if (!bad.empty()) return Error{std::move(bad)};
  if (state.pages() != source.pages()) return error("urls.log is damaged: it contains a URL twice");
  return {};
}

}  // namespace

// ---- Opening

Result<std::unique_ptr<RestoredCrawl>> RestoredCrawl::open(const CrawlOptions& options, OpenPurpose purpose) {
  std::unique_ptr<RestoredCrawl> made(new RestoredCrawl(options, purpose));
  BB_TRY_VOID(purpose == OpenPurpose::kResume ? made->open_store() : made->open_reader());
  return made;
}

Result<std::unique_ptr<RestoredCrawl>> RestoredCrawl::open_to_read(const std::string& folder) {
  CrawlOptions options;
  options.out = folder;
  return open(options, OpenPurpose::kRead);
}

Status RestoredCrawl::open_store() {
  BB_TRY(store_, CrawlStore::open(options_.out, store_options_of(options_)));
  if (!store_->resumed()) return {};
  BB_TRY_VOID(check_unchanged(options_, store_->about()));
  BB_TRY_VOID(adopt_fixed(store_->about(), options_));
  return read_counts(store_->state());
}

Status RestoredCrawl::open_reader() {
  BB_TRY(reader_, CrawlReader::open(options_.out));
  BB_TRY_VOID(adopt_fixed(reader_->about(), options_));
  return read_counts(reader_->state());
}

Status RestoredCrawl::read_counts(const std::string& state) {
  if (!state.empty() && !counts_from_state(state, counts_, end_, &moment_))
    return error("{}: the counters of this crawl cannot be read", options_.out);
  return {};
}

// ---- Restoring

CrawlStateOptions RestoredCrawl::state_options() const {
  CrawlStateOptions made = state_options_of(options_);
  // The value at the start of the crawl, even if none was given: the page budget may have changed since.
  if (resumed()) made.expected_pages = options_.order.expected_pages;
  made.politeness = politeness_of(options_);
  if (purpose_ == OpenPurpose::kResume) {
    made.hosts = hosts_of(options_);
    made.known = known_urls_of(options_);
    made.robots_token = robots_token_of(options_);
    made.spill = spill_folder_.get();
  } else {
    made.spill = spill_memory_.get();
  }
  return made;
}

Status RestoredCrawl::make_state() {
  state_ = nullptr;  // close the files of an earlier state first
  const bool writes = purpose_ == OpenPurpose::kResume;
  spill_folder_ =
      std::make_unique<SpillFolder>(options_.out + "/" + crawl_files::kSpill,
                                    SpillFolderOptions{writes && options_.storage.durable, writes});
  rows_ = std::make_unique<LinkRows>(options_.out);
  if (writes) {
    if (options_.memory.budget > 0) {
      keep_heap_small();
      store_->limit_url_cache(memory_shares(options_.memory.budget).url_cache);
    }
    BB_TRY(state_, CrawlState::make(state_options(), *store_));
    const std::string visits = options_.out + "/" + crawl_files::kVisits;
    if (!resumed() && Disk::real().exists(visits)) BB_TRY_VOID(Disk::real().remove(visits));
    BB_TRY_VOID(state_->refresh().visits().open(visits, options_.storage.durable));
  } else {
    spill_memory_ = std::make_unique<MemorySpill>(spill_folder_.get());
    BB_TRY_VOID(rows_->extend(reader_->commit().find(crawl_files::kLinks)->bytes));
    BB_TRY(state_, CrawlState::make(state_options(), *reader_));
    if (reads_visits_) {
      BB_TRY_VOID(state_->refresh().visits().open_to_read(options_.out + "/" + crawl_files::kVisits));
    }
  }
  state_->read_rows_from([this](std::uint64_t row, PageLinks& links) { return read_row(row, links); },
                         [this](std::uint64_t rows, const std::function<void(const PageLinks&)>& visit) {
                           return read_later_rows(rows, visit);
                         });
  return {};
}

// Importance is recounted only when refreshing begins. Everything that visits have found until then is
// committed.
Status RestoredCrawl::read_later_rows(std::uint64_t rows,
                                      const std::function<void(const PageLinks&)>& visit) const {
  BB_TRY(const auto reader, CrawlReader::open(options_.out));
  return reader->for_each_later_links([&](const PageLinks& row) -> Status {
    if (rows > 0) visit(row);
    rows -= std::min<std::uint64_t>(rows, 1);
    return {};
  });
}

// A running crawl first writes rows that are not in the file yet: about once each time the queue becomes
// empty.
Status RestoredCrawl::read_row(std::uint64_t row, PageLinks& links) {
  if (row >= readable_rows_ && state_->recording() && write_rows_) {
    BB_TRY_VOID(write_rows_());
    readable_rows_ = state_->frontier().counts().crawled;
    BB_TRY_VOID(rows_->extend());
  }
  return rows_->read(row, links);
}

Status RestoredCrawl::restore() {
  BB_TRY_VOID(make_state());
  if (!resumed()) return {};
  Status restored = reader_ ? restore_from(*reader_, true) : restore_from(*store_, true);
  if (!restored.ok() && restored.error().kind == ErrorKind::kRetry) return restored;
  if (!restored.ok()) {
    // The journal has all data of the snapshot and of the files that it refers to.
    const std::string why = restored.error().text;
    BB_TRY_VOID(make_state());
    BB_TRY(const auto whole, CrawlReader::open(options_.out));
    restored = restore_from(*whole, false);
    if (!restored.ok()) return error(restored.error().kind, "{}: {}", options_.out, why);
    warnings_.push_back(fmt::format("everything was replayed from the journal: {}", why));
  }
  return {};
}

template <typename Source>
Status RestoredCrawl::restore_from(Source& source, bool with_snapshot) {
  BB_TRY_VOID(intern_all(source, *state_));
  if (with_snapshot) {
    BB_TRY(const auto saved, source.snapshot());
    if (saved) {
      ByteReader in = saved->reader();
      BB_TRY_VOID(state_->load(in));
    }
  }
  // Files that the snapshot refers to stay until the next snapshot, whatever the replay does with them.
  if (purpose_ == OpenPurpose::kResume) spill_folder_->keep_only_used();
  return source.replay([this](const Event& event) { return replay(event); });
}

Status RestoredCrawl::replay_from_beginning(const Observer& observe) {
  BB_TRY_VOID(intern_all(*reader_, *state_));
  const Status replayed = reader_->replay_all([&](const Event& event) { return replay(event, &observe); });
  if (!replayed.ok()) return error(replayed.error().kind, "{}: {}", options_.out, replayed.error().text);
  return {};
}

Status RestoredCrawl::replay(const Event& event, const Observer* observe) {
  if (++events_ % kTidyEvery == 0) state_->hosts().tidy(state_->now());
  BB_TRY(const CrawlEvent decoded, state_->decode(event));
  if (observe == nullptr) return state_->replay(decoded);
  return (*observe)(decoded, [&] { return state_->replay(decoded); });
}

}  // namespace bowerbird
