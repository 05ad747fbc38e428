#include "control/forward_backend.h"

#include <algorithm>
#include <chrono>

#include "control/client.h"
#include "control/folder_jobs.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(100);
constexpr int kLooksPerPoll = 8;
constexpr int kPatience = 10;  // timeout for reading the status, in seconds

std::uint64_t count_of(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number() ? found->get<std::uint64_t>() : 0;
}

double real_of(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

// Reads the fields of a status that curves and metrics show.
void read_status(const nlohmann::json& json, LiveSnapshot& made) {
  CrawlStatus& status = made.status;
  status.counts.pages = count_of(json, "pages");
  status.counts.bytes = count_of(json, "bytes");
  status.counts.completed = count_of(json, "completed");
  status.counts.retries = count_of(json, "retries");
  status.counts.links = count_of(json, "links");
  status.counts.run_ms = static_cast<std::uint64_t>(real_of(json, "seconds_all") * 1000);
  status.known = count_of(json, "known");
  status.queued = count_of(json, "queued");
  status.under_way = count_of(json, "in_flight");
  status.seconds = real_of(json, "seconds");
  status.rates.pages = real_of(json, "pages_per_second");
  status.rates.bytes = real_of(json, "bytes_per_second");
  status.rates.steady_pages = status.rates.pages;
  status.rates.steady_bytes = status.rates.bytes;
  if (const auto memory = json.find("memory"); memory != json.end() && memory->is_object()) {
    status.memory.resident = count_of(*memory, "resident");
    status.memory.budget = count_of(*memory, "budget");
    const nlohmann::json parts = memory->value("parts", nlohmann::json::object());
    for (const auto& [name, bytes] : parts.items())
      status.memory.parts.push_back({name, bytes.is_number() ? bytes.get<std::uint64_t>() : 0});
  }
  if (const auto hosts = json.find("hosts"); hosts != json.end() && hosts->is_object()) {
    status.hosts.known = count_of(*hosts, "known");
    status.hosts.active = count_of(*hosts, "active");
    status.hosts.waiting = count_of(*hosts, "waiting");
  }
  made.connections = count_of(json, "connections");
  made.changes_made = count_of(json, "changes");
  status.phase = json.value("phase", "") == "finished" ? CrawlPhase::kFinished : CrawlPhase::kRunning;
  if (json.value("phase", "") == "paused") made.pauses.push_back({});
}

Change change_of(const nlohmann::json& json) {
  Change change;
  change.origin = json.value("origin", std::string());
  change.command = json.value("command", std::string());
  change.text = json.value("text", std::string());
  change.arguments = json.value("arguments", nlohmann::json::object()).dump();
  return change;
}

}  // namespace

ForwardBackend::ForwardBackend(std::string folder, std::vector<std::string> members)
    : folder_(std::move(folder)),
      members_(std::move(members)),
      fleet_(no_fleet_object()),
      quick_(std::make_unique<Helper>(Helper::kManyWaiting)),
      slow_(std::make_unique<Helper>()) {
  poll();
  thread_ = std::thread([this] { look(); });
}

ForwardBackend::~ForwardBackend() {
  closing_ = true;
  thread_.join();
  quick_.reset();
  slow_.reset();
}

void ForwardBackend::set_fleet(nlohmann::json fleet) {
  const MutexLock lock(mutex_);
  fleet_ = std::move(fleet);
}

void ForwardBackend::on_publish(std::function<void()> call) {
  const MutexLock lock(mutex_);
  published_ = std::move(call);
}

void ForwardBackend::look() {
  for (int looks = 1; !closing_.load(); ++looks) {
    std::this_thread::sleep_for(kLookEvery);
    if (looks % kLooksPerPoll == 0) poll();
  }
}

void ForwardBackend::poll() {
  std::vector<nlohmann::json> all;
  std::string alive;
  for (const std::string& member : members_) {
    const auto answer = ask_crawl(member, "GET", "/api/v1/status", {}, "watch", kPatience);
    if (!answer.ok() || answer->status != 200) continue;
    all.push_back(answer->json);
    alive = member;
  }
  auto made = std::make_shared<LiveSnapshot>();
  made->folder = folder_;
  made->now_ms = WallClock().now_us() / 1000;
  made->disk = disk_space(folder_);
  const auto before = snapshot();
  made->started_ms = before->started_ms > 0 ? before->started_ms : made->now_ms;
  nlohmann::json status;
  if (all.empty()) {
    made->status = before->status;
    made->is_live = true;
    const MutexLock lock(mutex_);
    status = status_;
    if (status.is_object()) {  // no process has answered yet otherwise
      made->status.phase = CrawlPhase::kFinished;
      status["phase"] = "finished";
      status["end"] = "it is no longer running";
      status["sentence"] = "This crawl is no longer running.";
      status["commands"] = false;
      status["stall"] = nullptr;
    }
  } else {
    status = is_fleet() ? merge_statuses(all, folder_) : all.front();
    read_status(status, *made);
    made->changes = before->changes;
    if (!made->changes || made->changes_made != before->changes_made) {
      const auto answer = ask_crawl(alive, "GET", "/api/v1/changes?limit=1000", {}, "watch", kPatience);
      std::deque<Change> changes;
      if (answer.ok() && answer->status == 200) {
        for (const auto& one : answer->json.value("changes", nlohmann::json::array()))
          changes.push_front(change_of(one));
      }
      made->changes = std::make_shared<const std::deque<Change>>(std::move(changes));
    }
    curves_.add(*made);
  }
  ended_ = all.empty();
  std::function<void()> call;
  {
    const MutexLock lock(mutex_);
    status_ = std::move(status);
    snapshot_ = std::move(made);
    call = published_;
  }
  if (call) call();
}

std::shared_ptr<const LiveSnapshot> ForwardBackend::snapshot() const {
  const MutexLock lock(mutex_);
  return snapshot_;
}

nlohmann::json ForwardBackend::status_json() const {
  const MutexLock lock(mutex_);
  return status_;
}

std::map<std::string, std::uint64_t> ForwardBackend::commands_done() const {
  const MutexLock lock(mutex_);
  return commands_;
}

std::optional<Answer> ForwardBackend::ask(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) {
  if (ask.what == "fleet") {
    const MutexLock lock(mutex_);
    return Answer{200, fleet_};
  }
  if (ask.what == "curves" && is_fleet()) {
    const std::string since = ask.text("since");
    return Answer{200, curves_.json(since.empty() ? 0 : std::stod(since), ask.number("points", 400))};
  }
  const bool is_slow = ask.what == "why" || ask.what == "retry" || ask.what == "report";
  const bool added = (is_slow ? slow_ : quick_)->add([this, ask, slot] { slot->fill(answer(ask)); });
  if (added) return {};
  return error_answer(503, "too many requests are waiting for the crawl; try again later");
}

// If no process answers, the metrics of the last status.
Answer ForwardBackend::metrics(MetricsFormat format) const {
  std::vector<ProcessMetrics> all;
  for (const std::string& member : members_) {
    auto text = read_metrics(member, format, kPatience);
    if (text.ok()) all.push_back({is_fleet() ? member.substr(member.rfind('/') + 1) : "", std::move(*text)});
  }
  if (all.empty()) all.push_back({"", metrics_text(*snapshot(), {}, format)});
  return {200, {}, merge_metrics(all, format), metrics_type(format)};
}

Answer ForwardBackend::answer(const Ask& ask) {
  if (ask.what == "metrics")
    return metrics(ask.text("format").empty() ? MetricsFormat::kPrometheus : MetricsFormat::kOpenMetrics);
  if (is_fleet()) return merged(ask);
  auto one = ask_crawl(members_.front(), ask.command ? "POST" : "GET", target_of(ask), ask.body,
                       ask.command ? ask.origin : "watch");
  if (!one.ok()) return error_answer(409, one.error().text);
  if (ask.command && one->status == 200) {
    const MutexLock lock(mutex_);
    ++commands_[ask.what];
  }
  return std::move(*one);
}

// Sends the request to all running processes and merges the answers. If a process refuses a command, the
// answer is its reason, unless another process has executed the command.
Answer ForwardBackend::merged(const Ask& ask) {
  Ask to_each = ask;
  if (ask.what == "hosts") {
    to_each.values["limit"] =
        std::to_string(std::min<std::uint64_t>(500, ask.number("offset", 0) + ask.number("limit", 50)));
    to_each.values["offset"] = "0";
  }
  std::vector<nlohmann::json> all;
  std::optional<Answer> refused;
  for (const std::string& member : members_) {
    auto one = ask_crawl(member, ask.command ? "POST" : "GET", target_of(to_each), ask.body,
                         ask.command ? ask.origin : "watch");
    if (!one.ok()) continue;
    if (one->status == 200) {
      all.push_back(std::move(one->json));
    } else if (!refused) {
      refused = std::move(*one);
    }
  }
  if (!all.empty()) return {200, merge_answers(ask, all)};
  return refused ? *refused : error_answer(409, "no process of the fleet is running");
}

}  // namespace bowerbird
