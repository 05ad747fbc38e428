#include "urlfrontier/put_urls.h"

#include "url/url.h"

namespace bowerbird {

namespace {

constexpr std::size_t kLongestUrl = 8 << 10;
constexpr std::size_t kLongestKey = 255;
constexpr std::size_t kMostLinks = 1000;

// Consecutive URLs that can be passed in one call.
struct Run {
  std::string_view crawl;
  std::string_view parent;
  std::vector<std::size_t> items;  // positions
  std::vector<UrlInput> inputs;
};

class Putter {
 public:
  Putter(CrawlFolders& crawls, std::span<const UrlPut> puts, Time now)
      : crawls_(crawls),
        puts_(puts),
        now_(now),
        answers_(puts.size(), PutAnswer::kRefused),
        keys_(puts.size()) {}

  std::vector<PutAnswer> put_all() {
    for (std::size_t i = 0; i < puts_.size(); ++i) put(i);
    flush();
    for (const auto& crawl : touched_) {
      const MutexLock lock(crawl->mutex);
      if (crawl->frontier == nullptr) continue;
      if (const Status done = crawl->frontier->commit(); !done.ok()) {
        for (std::size_t i = 0; i < puts_.size(); ++i) {
          if (puts_[i].crawl == crawl->name) answers_[i] = PutAnswer::kFailed;
        }
        failure_ = done.error().text;
      }
    }
    return std::move(answers_);
  }
  std::string& failure() { return failure_; }

 private:
  void put(std::size_t i) {
    const UrlPut& one = puts_[i];
    if (one.url.size() > kLongestUrl || one.key.size() > kLongestKey) return;
    keys_[i] = default_key(one.url);
    if (keys_[i].empty()) return;
    if (!one.key.empty()) keys_[i] = one.key;
    if (one.fetched) {
      flush();
      put_fetched(i);
      return;
    }
    if (!run_.items.empty() &&
        (run_.crawl != one.crawl || run_.parent != one.parent || run_.items.size() >= kMostLinks))
      flush();
    run_.crawl = one.crawl;
    run_.parent = one.parent;
    run_.items.push_back(i);
    run_.inputs.push_back({one.url, keys_[i], std::string_view(one.payload)});
  }

  std::shared_ptr<ServedCrawl> crawl_of(std::string_view name) {
    for (const auto& crawl : touched_) {
      if (crawl->name == name) return crawl;
    }
    auto found = crawls_.find_or_make(name, now_);
    if (!found.ok()) {
      failure_ = found.error().text;
      return nullptr;
    }
    touched_.push_back(*found);
    return *found;
  }

  void put_fetched(std::size_t i) {
    const UrlPut& one = puts_[i];
    answers_[i] = PutAnswer::kFailed;
    const auto crawl = crawl_of(one.crawl);
    if (crawl == nullptr) return;
    const MutexLock lock(crawl->mutex);
    if (crawl->frontier == nullptr) return;
    UrlFrontier::Completion done;
    done.due = one.due;
    const UrlInput input{one.url, keys_[i], std::string_view(one.payload)};
    if (const auto result = crawl->frontier->put_completed(input, done, now_); result.ok()) {
      answers_[i] = PutAnswer::kDone;
    } else {
      failure_ = result.error().text;
    }
  }

  void flush() {
    if (run_.items.empty()) return;
    put_run();
    run_.items.clear();
    run_.inputs.clear();
  }

  void put_run() {
    for (const std::size_t i : run_.items) answers_[i] = PutAnswer::kFailed;
    const auto crawl = crawl_of(run_.crawl);
    if (crawl == nullptr) return;
    const MutexLock lock(crawl->mutex);
    if (crawl->frontier == nullptr) return;
    const auto results = crawl->frontier->discover(run_.parent, run_.inputs, now_);
    if (!results.ok()) {
      failure_ = results.error().text;
      return;
    }
    for (std::size_t i = 0; i < run_.items.size(); ++i) {
      const PutOutcome outcome = (*results)[i].outcome;
      answers_[run_.items[i]] = outcome == PutOutcome::kNew     ? PutAnswer::kDone
                                : outcome == PutOutcome::kKnown ? PutAnswer::kKnown
                                                                : PutAnswer::kRefused;
    }
  }

  CrawlFolders& crawls_;
  const std::span<const UrlPut> puts_;
  const Time now_;
  std::vector<PutAnswer> answers_;
  std::vector<std::string> keys_;
  std::vector<std::shared_ptr<ServedCrawl>> touched_;
  Run run_;
  std::string failure_;
};

}  // namespace

std::vector<PutAnswer> apply_puts(CrawlFolders& crawls, std::span<const UrlPut> puts, Time now,
                                  std::string& failure) {
  Putter putter(crawls, puts, now);
  std::vector<PutAnswer> answers = putter.put_all();
  failure = std::move(putter.failure());
  return answers;
}

std::string default_key(std::string_view url) {
  Url parsed;
  if (parse_url(url, nullptr, parsed) != UrlFault::kNone) return {};
  return std::string(parsed.hostname());
}

}  // namespace bowerbird
