#include "control/loop_backend.h"

#include <sys/resource.h>

#include <algorithm>

#include "base/ascii.h"
#include "control/folder_jobs.h"
#include "control/host_results.h"
#include "control/status_json.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kStepUs = 4000;       // for questions, per call
constexpr std::int64_t kDiskEveryMs = 5000;  // how often the free disk space is read
constexpr int kReaderNice = 10;              // of the thread that reads the log and the links
// How much of the log is read for the history of a host.
constexpr std::uint64_t kMostLog = std::uint64_t{256} << 20;

std::int64_t wall_ms() {
  return WallClock().now_us() / 1000;
}

std::uint64_t all_errors(const CrawlCounts& counts) {
  return failed_pages(counts) + counts.retries;
}

Answer answer_of(const CommandResult& result, const LiveSnapshot& snapshot) {
  if (result.kind != CommandResult::Kind::kDone)
    return error_answer(result.kind == CommandResult::Kind::kBadRequest ? 400 : 409, result.text);
  nlohmann::json json = {{"text", result.text}, {"affected", nullptr}, {"change", nullptr}};
  if (result.affected) json["affected"] = *result.affected;
  if (result.changed && snapshot.changes && !snapshot.changes->empty())
    json["change"] = change_object(snapshot.changes->back(), snapshot.changes_made);
  json["warnings"] = result.warnings;
  return {200, std::move(json)};
}

// The command in a body that was checked.
LiveCommand command_of(const Ask& ask) {
  LiveCommand command;
  command.change.time = static_cast<std::uint64_t>(wall_ms());
  command.change.origin = ask.origin;
  command.change.command = ask.what;
  command.change.arguments = dump_json(ask.body);
  const auto text = [&](const char* name) { return ask.body.value(name, std::string()); };
  const auto list = [&](const char* name) {
    return ask.body.contains(name) ? ask.body[name].get<std::vector<std::string>>()
                                   : std::vector<std::string>();
  };
  if (ask.what == "set") {
    command.value = text("option");
    command.values = list("values");
  } else if (ask.what == "seed") {
    command.values = list("urls");
    command.sitemaps = list("sitemaps");
  } else if (ask.what == "fetch") {
    command.value = text("url");
  } else if (ask.body.contains("host")) {
    command.target = RuleTarget::kHost;
    command.value = text("host");
  } else if (ask.body.contains("pattern")) {
    command.target = RuleTarget::kPattern;
    command.value = text("pattern");
  }
  return command;
}

}  // namespace

LoopBackend::LoopBackend(std::string folder)
    : folder_(std::move(folder)), links_(folder_, Activity::kExamples) {}

LoopBackend::~LoopBackend() {
  quick_.reset();
  helper_.reset();
}

// ---- The crawl's thread

void LoopBackend::begin(Crawler& crawler) {
  crawler_ = &crawler;
  helper_ = std::make_unique<Helper>();
  quick_ = std::make_unique<Helper>(Helper::kManyWaiting);
  quick_->add([] { ::setpriority(PRIO_PROCESS, 0, kReaderNice); });  // of this thread alone
  const CrawlStatus status = crawler.status();
  base_ = status.counts;
  base_sharing_ = status.sharing;
  errors_ = RateMeter(crawler.now(), all_errors(base_));
  started_ms_ = last_commit_ms_ = wall_ms();
  {
    const MutexLock lock(mutex_);
    call_watch_ = [&crawler] { crawler.call_watch(); };
  }
  publish(status, CrawlEnd::kNotYet);
  if (crawler.resumed()) quick_->add([this] { read_earlier(); });
}

void LoopBackend::read_earlier() {
  if (const auto history = read_crawl_history(folder_); history.ok()) curves_.add_history(history->points);
  auto earlier = read_earlier_runs(folder_, started_ms_);
  if (!earlier.ok()) return;
  const MutexLock lock(mutex_);
  earlier_ = std::make_unique<EarlierRuns>(std::move(*earlier));
}

void LoopBackend::add_earlier() {
  std::unique_ptr<EarlierRuns> earlier;
  {
    const MutexLock lock(mutex_);
    earlier = std::move(earlier_);
  }
  if (!earlier || add_some(*crawler_, MonotonicClock().now_us() + kStepUs, *earlier)) return;
  const MutexLock lock(mutex_);
  earlier_ = std::move(earlier);
}

CrawlRequest LoopBackend::watch(const CrawlStatus& status) {
  publish(status, CrawlEnd::kNotYet);
  add_earlier();
  answer_some();
  return stop_ ? CrawlRequest::kStop : CrawlRequest::kContinue;
}

void LoopBackend::end(CrawlEnd end, const CrawlStatus& status) {
  std::deque<Open> open;
  std::vector<std::weak_ptr<AnswerSlot>> jobs;
  {
    const MutexLock lock(mutex_);
    call_watch_ = nullptr;
    open.swap(open_);
    jobs.swap(jobs_);
  }
  for (const Open& one : open) one.slot->fill(error_answer(409, "the crawl has ended"));
  // The server stops soon, and these jobs take long.
  for (const auto& job : jobs) {
    if (const auto slot = job.lock())
      slot->fill(error_answer(409, "the crawl has ended; it writes its report itself"));
  }
  CrawlStatus last = status;
  last.phase = CrawlPhase::kFinished;
  publish(last, end);
  crawler_ = nullptr;
}

void LoopBackend::publish(const CrawlStatus& status, CrawlEnd end) {
  const std::int64_t now = wall_ms();
  auto made = std::make_shared<LiveSnapshot>();
  made->folder = folder_;
  made->now_ms = now;
  made->started_ms = started_ms_;
  made->status = status;
  made->end = end;
  made->base = base_;
  made->base_sharing = base_sharing_;
  errors_.update(crawler_->now(), all_errors(status.counts), 0);
  made->errors_per_second = errors_.pages_per_second();
  made->connections = crawler_->slots();
  const auto before = snapshot();
  made->commits = crawler_->commits();
  if (made->commits != before->commits) last_commit_ms_ = now;
  made->last_commit_ms = last_commit_ms_;
  const Activity& activity = crawler_->activity();
  if (activity.last_page() != kNoPage) {
    made->last_url = std::as_const(*crawler_).state().url(activity.last_page());
    made->last_page_ms = milliseconds_of(activity.last_page_time());
  }
  made->response_times = activity.response_times();
  made->may_work = crawler_->may_crawl();
  if (now - disk_at_ms_ >= kDiskEveryMs) {
    disk_ = disk_space(folder_);
    disk_at_ms_ = now;
  }
  made->disk = disk_;
  made->changes = before->changes;
  made->changes_made = before->changes_made;
  made->options = before->options;
  made->by_command = before->by_command;
  add_control(*made);
  curves_.add(*made);
  {
    const MutexLock lock(mutex_);
    snapshot_ = std::move(made);
  }
  if (published_) published_();
}

// Copied only after a change.
void LoopBackend::add_control(LiveSnapshot& made) const {
  const ControlState& control = std::as_const(*crawler_).state().control();
  for (const ControlRule& rule : control.rules()) {
    (rule.kind == RuleKind::kPause ? made.pauses : made.blocks)
        .push_back({rule.target, rule.value, rule.since});
  }
  if (made.changes && made.changes_made == control.changes_made()) return;
  made.changes_made = control.changes_made();
  made.changes = std::make_shared<const std::deque<Change>>(control.changes());
  made.options = std::make_shared<const CrawlOptions>(crawler_->options());
  std::vector<std::string> names;
  for (const auto& [name, option] : control.options()) names.push_back(name);
  made.by_command = std::make_shared<const std::vector<std::string>>(std::move(names));
}

// Questions that are not finished in time continue at the next call, which is requested at once. The
// crawl works between the calls.
void LoopBackend::answer_some() {
  const std::int64_t deadline = MonotonicClock().now_us() + kStepUs;
  for (;;) {
    Open open;
    {
      const MutexLock lock(mutex_);
      if (open_.empty()) return;
      open = std::move(open_.front());
      open_.pop_front();
    }
    if (open.question == nullptr) {
      carry_out(open);
    } else if (!open.slot->is_abandoned()) {
      if (open.question->step(*crawler_, census_, deadline)) {
        finish(open);
      } else {
        const MutexLock lock(mutex_);
        open_.push_front(std::move(open));
      }
    }
    if (MonotonicClock().now_us() >= deadline) break;
  }
  const MutexLock lock(mutex_);
  if (!open_.empty() && call_watch_) call_watch_();
}

// Sends the answer of a question. For a host, results from the log are added first. For problems, a search
// for the links to broken pages may be started, for later answers.
void LoopBackend::finish(Open& open) {
  Answer answer = open.question->take_answer();
  if (open.what == "problems") {
    std::vector<PageId> pages;
    for (const auto& [page, broken] : crawler_->activity().broken()) pages.push_back(page);
    if (links_.want(std::move(pages)) && !quick_->add([this] { links_.search(); })) links_.give_up();
  }
  if (open.host.empty() || answer.status != 200) return open.slot->fill(std::move(answer));
  const auto shared = std::make_shared<Answer>(std::move(answer));
  const bool added = quick_->add([this, shared, host = open.host, slot = open.slot] {
    if (slot->is_abandoned()) return;
    add_logged_results(folder_, host, kMostLog, shared->json);
    slot->fill(std::move(*shared));
  });
  if (!added) open.slot->fill(std::move(*shared));
}

void LoopBackend::carry_out(Open& open) {
  const CommandResult result = crawler_->execute(open.command);
  if (result.kind == CommandResult::Kind::kDone) {
    const MutexLock lock(mutex_);
    ++commands_[open.command.change.command];
  }
  if (open.command.change.command == "stop" && result.kind == CommandResult::Kind::kDone) stop_ = true;
  publish(crawler_->status(), CrawlEnd::kNotYet);
  open.slot->fill(answer_of(result, *snapshot()));
}

// ---- Other threads

std::shared_ptr<const LiveSnapshot> LoopBackend::snapshot() const {
  const MutexLock lock(mutex_);
  return snapshot_;
}

nlohmann::json LoopBackend::status_json() const {
  return status_object(*snapshot());
}

std::map<std::string, std::uint64_t> LoopBackend::commands_done() const {
  const MutexLock lock(mutex_);
  return commands_;
}

bool LoopBackend::enqueue(Open open) {
  const MutexLock lock(mutex_);
  if (!call_watch_ || open_.size() >= kMostOpen) return false;
  open_.push_back(std::move(open));
  call_watch_();
  return true;
}

std::optional<Answer> LoopBackend::ask(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) {
  const auto latest = snapshot();
  if (ask.what == "curves") {
    const std::string since = ask.text("since");
    return Answer{200, curves_.json(since.empty() ? 0 : std::stod(since), ask.number("points", 400))};
  }
  if (ask.what == "options") return Answer{200, options_object(*latest)};
  if (ask.what == "changes") return Answer{200, changes_object(*latest, ask.number("limit", 100))};
  if (ask.what == "fleet") return Answer{200, no_fleet_object()};
  if (latest->status.phase != CrawlPhase::kRunning) return error_answer(409, "the crawl has ended");
  if (ask.what == "why" || ask.what == "report" || ask.what == "retry") return ask_helper(ask, slot);
  Open open;
  open.slot = slot;
  if (ask.command) {
    open.command = command_of(ask);
  } else {
    open.question = make_question(ask, latest, links_.found());
    open.what = ask.what;
    if (ask.what == "host") open.host = ask.text("name");
    for (char& c : open.host) c = ascii_lower(c);
  }
  if (enqueue(std::move(open))) return {};
  return error_answer(503, "too many requests are waiting for the crawl");
}

std::optional<Answer> LoopBackend::ask_helper(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) {
  const bool added = helper_->add([this, ask, slot] {
    if (slot->is_abandoned() && !ask.command) return;
    if (ask.what == "why") {
      slot->fill(explain_in_process(folder_, ask.text("url")));
    } else if (ask.what == "retry") {
      find_failed(ask, slot);
    } else {
      write_report(ask, slot);
    }
  });
  if (!added) return error_answer(503, "too many slow requests are waiting; try again later");
  const MutexLock lock(mutex_);
  std::erase_if(jobs_, [](const auto& job) { return job.expired(); });
  if (call_watch_) jobs_.push_back(slot);
  return {};
}

// The log says which pages failed; the crawl decides what happens with them.
void LoopBackend::find_failed(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) {
  auto pages = find_failed_pages(folder_, ask.body);
  if (!pages.ok()) return slot->fill(error_answer(400, pages.error().text));
  Open open;
  open.slot = slot;
  open.command = command_of(ask);
  open.command.failed = std::move(*pages);
  if (!enqueue(std::move(open))) slot->fill(error_answer(409, "the crawl has ended"));
}

void LoopBackend::write_report(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) {
  if (const Status written = report_in_process(folder_); !written.ok())
    return slot->fill(error_answer(409, written.error().text));
  Open open;
  open.slot = slot;
  open.command = command_of(ask);
  if (!enqueue(std::move(open))) slot->fill(error_answer(409, "the crawl has ended"));
}

}  // namespace bowerbird
