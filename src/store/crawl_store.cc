#include "store/crawl_store.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "store/cdxj.h"
#include "store/store_writer.h"
#include "store/terms.h"

namespace bowerbird {

namespace {

constexpr std::size_t kEventBytes = 1 << 16;  // size of a frame of events
constexpr std::size_t kWakeBytes = 1 << 18;   // the writer is woken when this many bytes wait

// Jobs from the crawl's thread to the writer thread, in order, and the writer's results.
class JobQueue {
 public:
  explicit JobQueue(const StoreCounts& counts) : counts_(counts) {}

  void push(StoreJob job, bool wake) {
    const std::size_t bytes = job_bytes(job);
    bool notify = false;
    {
      const std::lock_guard lock(mutex_);
      if (!status_.ok()) return;
      jobs_.push_back(std::move(job));
      waiting_ += bytes;
      queued_.fetch_add(bytes, std::memory_order_relaxed);
      notify = wake || waiting_ >= kWakeBytes;
      ready_ = ready_ || notify;
    }
    if (notify) work_.notify_one();
  }

  // For the writer: waits for jobs and takes them all. False: the thread should end.
  bool take(std::vector<StoreJob>& jobs) {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [&] { return ready_ || stop_; });
    if (stop_) return false;
    jobs.clear();
    jobs.swap(jobs_);
    waiting_ = 0;
    ready_ = false;
    return true;
  }
  bool stopped() const {
    const std::lock_guard lock(mutex_);
    return stop_;
  }
  // A job is done, or the writer has failed.
  void done(std::size_t bytes, const StoreCounts& counts) {
    {
      const std::lock_guard lock(mutex_);
      counts_ = counts;
      queued_.fetch_sub(bytes, std::memory_order_relaxed);
    }
    progress_.notify_all();
  }
  void fail(Status status) {
    {
      const std::lock_guard lock(mutex_);
      status_ = std::move(status);
      jobs_.clear();
      queued_.store(0, std::memory_order_relaxed);
      failed_.store(true, std::memory_order_release);
    }
    progress_.notify_all();
  }
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    work_.notify_one();
  }

  // Waits until the condition holds (it is evaluated under the lock), or the writer has failed.
  template <typename Condition>
  void wait(const Condition& condition) {
    {
      const std::lock_guard lock(mutex_);
      ready_ = true;
    }
    work_.notify_one();
    std::unique_lock lock(mutex_);
    progress_.wait(lock, [&] { return !status_.ok() || condition(counts_); });
  }

  std::size_t queued() const { return queued_.load(std::memory_order_relaxed); }
  Status status() const {
    if (!failed_.load(std::memory_order_acquire)) return {};
    const std::lock_guard lock(mutex_);
    return status_;
  }
  StoreCounts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable progress_;
  std::vector<StoreJob> jobs_;
  std::size_t waiting_ = 0;
  bool ready_ = false;
  bool stop_ = false;
  Status status_;
  StoreCounts counts_;
  std::atomic<bool> failed_ = false;
  std::atomic<std::size_t> queued_ = 0;
};

// A block of a log that is being filled by the crawl's thread.
struct FillingBlock {
  const char* file;
  std::size_t size;  // size at which the block is completed
  Block block;
};

constexpr std::uint64_t kUrlCache = 4 << 20;

}  // namespace

class CrawlStore::Impl {
 public:
  Impl(std::string folder, const StoreOptions& options, std::unique_ptr<DiskLock> lock, bool resumed,
       std::unique_ptr<CrawlReader> found, std::unique_ptr<StoreWriter> writer)
      : folder_(std::move(folder)),
        options_(options),
        lock_(std::move(lock)),
        resumed_(resumed),
        found_(std::move(found)),
        writer_(std::move(writer)),
        queue_(writer_->counts()),
        urls_{crawl_files::kUrls, kUrlBlockBytes, {}},
        links_{crawl_files::kLinks, kBlockBytes, {}},
        terms_{crawl_files::kTerms, kBlockBytes, {}} {
    for (FillingBlock* log : {&urls_, &links_, &terms_}) {
      log->block.first = found_->commit().find(log->file)->records;
    }
    commits_before_ = found_->commit().number;
    thread_ = std::thread([this] { write(); });
  }

  ~Impl() { join(); }

  void join() {
    queue_.stop();
    if (thread_.joinable()) thread_.join();
  }

  void cut(FillingBlock& log) {
    if (log.block.records == 0) return;
    const std::uint64_t next = log.block.first + log.block.records;
    if (&log == &urls_) unwritten_.push_back(log.block);
    queue_.push(BlockJob{log.file, std::move(log.block)}, false);
    log.block = Block();
    log.block.first = next;
  }
  void added(FillingBlock& log) {
    ++log.block.records;
    if (log.block.raw.size() >= log.size) cut(log);
  }
  void cut_events() {
    if (events_.empty()) return;
    queue_.push(EventsJob{std::move(events_)}, false);
    events_.clear();
  }
  void add_event(std::uint8_t type, std::string_view payload) {
    append_event(events_, type, payload);
    if (events_.size() >= kEventBytes) cut_events();
  }
  void commit(CommitJob job) {
    for (FillingBlock* log : {&urls_, &links_, &terms_}) cut(*log);
    cut_events();
    forget_written();
    ++commits_asked_;
    queue_.push(std::move(job), true);
  }
  // Drops texts that can be read from the file.
  void forget_written() {
    const StoreCounts counts = queue_.counts();
    while (!unwritten_.empty() &&
           unwritten_.front().first + unwritten_.front().records <= counts.urls_written) {
      unwritten_.pop_front();
    }
    if (texts_) texts_->extend(counts.urls_bytes);
  }
  // Texts are mostly read in order, so the position of the next one is remembered.
  std::string_view text_in(const Block& block, PageId page) {
    const bool on = block.first == next_.block && page >= next_.page;
    VarintReader in(std::string_view(block.raw).substr(on ? next_.at : 0));
    for (std::uint64_t i = on ? next_.page : block.first; i < page; ++i) get_url_record(in);
    const std::string_view url = get_url_record(in);
    CHECK(in.ok());
    next_ = {block.first, page + 1, block.raw.size() - static_cast<std::size_t>(in.left())};
    return url;
  }
  Result<std::string> url(PageId page) {
    const Block* block = nullptr;
    if (page >= urls_.block.first) {
      block = &urls_.block;
    } else if (!unwritten_.empty() && page >= unwritten_.front().first) {
      const auto behind =
          std::upper_bound(unwritten_.begin(), unwritten_.end(), page,
                           [](PageId wanted, const Block& one) { return wanted < one.first; });
      block = &*std::prev(behind);
    }
    if (block != nullptr) return std::string(text_in(*block, page));
    if (!texts_) {
      const StoreCounts counts = queue_.counts();
      std::string path = folder_ + "/" + crawl_files::kUrls;
      BB_TRY(std::shared_ptr<const DiskFile> file, options_.disk->open(path, Disk::Open::kRead));
      texts_ = std::make_unique<UrlTexts>(std::move(file), std::move(path), counts.urls_bytes, url_cache_);
    }
    return texts_->url(page);
  }
  std::uint64_t urls_memory() const {
    std::uint64_t bytes = texts_ ? texts_->bytes() : 0;
    for (const Block& block : unwritten_) bytes += block.raw.capacity();
    return bytes;
  }
  std::uint64_t commits_done(const StoreCounts& counts) const {
    return counts.commits - std::min(counts.commits, commits_before_);
  }

  std::string folder_;
  StoreOptions options_;
  std::unique_ptr<DiskLock> lock_;
  bool resumed_;
  std::unique_ptr<CrawlReader> found_;
  std::unique_ptr<StoreWriter> writer_;
  JobQueue queue_;
  FillingBlock urls_;
  FillingBlock links_;
  FillingBlock terms_;
  std::deque<Block> unwritten_;  // URL blocks that are with the writer and not yet committed
  struct {
    std::uint64_t block = ~std::uint64_t{0};  // first page of the block
    std::uint64_t page = 0;
    std::size_t at = 0;
  } next_;  // position for text_in()
  std::unique_ptr<UrlTexts> texts_;
  std::uint64_t url_cache_ = kUrlCache;
  std::string events_;
  std::uint64_t commits_before_ = 0;
  std::uint64_t commits_asked_ = 0;

 private:
  // The loop of the writer thread.
  void write() {
    std::vector<StoreJob> jobs;
    while (queue_.take(jobs)) {
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (queue_.stopped()) return;
        StoreJob& job = jobs[i];
        StoreWriter::find_digests(std::span(jobs).subspan(i));
        const std::size_t bytes = job_bytes(job);
        Status status = writer_->run(job);
        if (!status.ok()) {
          queue_.fail(std::move(status));
          return;
        }
        job = EventsJob();  // frees the memory of the page
        queue_.done(bytes, writer_->counts());
      }
    }
  }

  std::thread thread_;
};

CrawlStore::CrawlStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CrawlStore::~CrawlStore() = default;

Result<std::unique_ptr<CrawlStore>> CrawlStore::open(const std::string& folder, const StoreOptions& options,
                                                     Presence presence) {
  // With a file size limit (ulimit -f), writing fails with an error, as on a full disk, instead of a
  // signal.
  std::signal(SIGXFSZ, SIG_IGN);
  Disk& disk = *options.disk;
  const bool there = CommitGroup::exists(disk, folder);
  if (there && presence == Presence::kCreate)
    return error("{}: there is a crawl in this folder already", folder);
  if (!there && presence == Presence::kResume) return error("{}: there is no crawl in this folder", folder);
  BB_TRY_VOID(disk.make_folder(folder + "/" + kArchiveFolder));
  BB_TRY(std::unique_ptr<DiskLock> lock, disk.lock(folder + "/" + crawl_files::kLock));
  // Another process may have created the crawl in the meantime.
  const bool resumed = CommitGroup::exists(disk, folder);
  const CommitGroup::Options group_options{options.durable};
  auto group = resumed ? CommitGroup::recover(disk, folder, group_options)
                       : CommitGroup::create(disk, folder, options.about,
                                             {crawl_files::kUrls, crawl_files::kLinks, crawl_files::kTerms,
                                              crawl_files::kFetches, crawl_files::kLog},
                                             group_options);
  if (!group.ok()) return group.error();
  BB_TRY(std::unique_ptr<CrawlReader> found, CrawlReader::open(folder, disk));
  BB_TRY(std::unique_ptr<StoreWriter> writer, StoreWriter::make(std::move(*group), folder, options));
  return std::unique_ptr<CrawlStore>(new CrawlStore(std::make_unique<Impl>(
      folder, options, std::move(lock), resumed, std::move(found), std::move(writer))));
}

bool CrawlStore::resumed() const {
  return impl_->resumed_;
}
const std::string& CrawlStore::about() const {
  return impl_->found_->about();
}
const std::string& CrawlStore::state() const {
  return impl_->found_->state();
}
Status CrawlStore::for_each_url(const std::function<void(PageId, std::string_view)>& visit) const {
  return impl_->found_->for_each_url(visit);
}
Status CrawlStore::for_each_terms(const std::function<Status(PageId, const PageTerms&)>& visit) const {
  return impl_->found_->for_each_terms(visit);
}
Result<std::optional<SavedState>> CrawlStore::snapshot() {
  return impl_->found_->snapshot();
}
Status CrawlStore::replay(const std::function<Status(const Event&)>& visit) const {
  return impl_->found_->replay(visit);
}

PageId CrawlStore::pages() const {
  return static_cast<PageId>(impl_->urls_.block.first + impl_->urls_.block.records);
}

PageId CrawlStore::add_url(std::string_view url) {
  const PageId page = pages();
  CHECK(page < kMaxPages);
  put_url_record(impl_->urls_.block.raw, url);
  impl_->added(impl_->urls_);
  return page;
}

Result<std::string> CrawlStore::url(PageId page) {
  return impl_->url(page);
}

void CrawlStore::limit_url_cache(std::uint64_t bytes) {
  impl_->url_cache_ = bytes;
  if (impl_->texts_) impl_->texts_->limit_cache(bytes);
}

void CrawlStore::add_event(std::uint8_t type, std::string_view payload) {
  CHECK(type >= kFirstCrawlEvent);
  impl_->add_event(type, payload);
}

void CrawlStore::add_links(PageId page, std::span<const StoredLink> links, std::string_view payload) {
  put_links_record(impl_->links_.block.raw, page, links);
  impl_->added(impl_->links_);
  impl_->add_event(kLinksEvent, payload);
}

void CrawlStore::add_later_links(PageId page, std::span<const StoredLink> links) {
  std::string row;
  put_links_record(row, page, links);
  impl_->add_event(kLaterLinksEvent, row);
}

void CrawlStore::add_terms(PageId page, const PageTerms& terms) {
  put_terms_record(impl_->terms_.block.raw, page, terms);
  impl_->added(impl_->terms_);
}

void CrawlStore::add_fetch(StoredFetch fetch) {
  // A later revisit of this payload looks up the URL, so its block must be with the writer by then.
  if (fetch.page != kNoPage && fetch.page >= impl_->urls_.block.first) impl_->cut(impl_->urls_);
  impl_->queue_.push(std::move(fetch), false);
}

void CrawlStore::add_record(StoredRecord record) {
  impl_->queue_.push(std::move(record), false);
}

void CrawlStore::add_log(std::string_view json_object) {
  impl_->queue_.push(LogJob{std::string(json_object) + "\n"}, false);
}

void CrawlStore::set_fence(std::function<Status()> may_commit) {
  impl_->queue_.push(FenceJob{std::move(may_commit)}, false);
}

void CrawlStore::commit(std::string_view state) {
  impl_->commit({std::string(state), std::nullopt, false});
}
Status CrawlStore::commit(std::string_view state, const SaveState& save) {
  BB_TRY_VOID(wait_for_commits());  // an earlier draft has its final name
  BB_TRY(const SnapshotDraft draft, write_snapshot_draft(*impl_->options_.disk, impl_->folder_, save));
  impl_->commit({std::string(state), draft, false});
  return {};
}
std::uint64_t CrawlStore::commits_asked() const {
  return impl_->commits_asked_;
}
std::uint64_t CrawlStore::commits_done() const {
  return impl_->commits_done(impl_->queue_.counts());
}

Status CrawlStore::wait_for_commits() {
  impl_->queue_.wait(
      [&](const StoreCounts& counts) { return impl_->commits_done(counts) >= impl_->commits_asked_; });
  return status();
}

bool CrawlStore::congested() const {
  return impl_->queue_.queued() > impl_->options_.queue_bytes;
}
void CrawlStore::wait_while_congested() {
  if (!congested()) return;
  impl_->queue_.wait([&](const StoreCounts&) { return !congested(); });
}

Status CrawlStore::status() const {
  return impl_->queue_.status();
}

void CrawlStore::leave_note(std::string_view text) {
  impl_->lock_->leave_note(text);
}

StoreCounts CrawlStore::counts() const {
  StoreCounts counts = impl_->queue_.counts();
  counts.queued_bytes = impl_->queue_.queued();
  counts.urls_memory = impl_->urls_memory();
  return counts;
}

Status CrawlStore::close(std::string_view state) {
  impl_->commit({std::string(state), std::nullopt, true});
  BB_TRY_VOID(wait_for_commits());
  impl_->join();
  return write_crawl_index(impl_->folder_, *impl_->options_.disk, impl_->options_.sort_bytes);
}

}  // namespace bowerbird
