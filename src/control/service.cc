#include "control/service.h"

#include <sys/resource.h>

#include <algorithm>

#include "control/metrics.h"
#include "control/routes.h"
#include "control/status_json.h"
#include "dash/assets.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kSecondUs = 1'000'000;
constexpr std::int64_t kStatusEveryUs = kSecondUs;
constexpr std::int64_t kCommentAfterUs = 15 * kSecondUs;
constexpr std::int64_t kLongestAnswerUs = 30 * kSecondUs;
constexpr std::int64_t kLongestJobUs = 300 * kSecondUs;  // limit for jobs of the helper: why, report, retry
constexpr std::string_view kApi = "/api/v1/";
constexpr std::string_view kCommandsPath = "commands/";

double cpu_seconds() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

// Header fields of all responses: no caching, no framing by other pages, no content sniffing.
void add_safety(HttpResponse& response) {
  response.add_field("cache-control") = "no-store";
  response.add_field("x-content-type-options") = "nosniff";
  response.add_field("x-frame-options") = "DENY";
  response.add_field("referrer-policy") = "no-referrer";
  response.add_field("cross-origin-resource-policy") = "same-origin";
  response.add_field("cross-origin-opener-policy") = "same-origin";
}

void send_text(int status, std::string text, HttpResponse& response,
               std::string_view type = "application/json") {
  response.status = status;
  add_safety(response);
  response.add_field("content-type") = type;
  response.body = std::move(text);
  if (status == 401) response.add_field("www-authenticate") = "Bearer";
  if (status == 503) response.add_field("retry-after") = "1";
}

void send_json(int status, const nlohmann::json& json, HttpResponse& response) {
  send_text(status, dump_json(json), response);
}

void send_answer(Answer& answer, HttpResponse& response) {
  if (answer.type.empty()) return send_json(answer.status, answer.json, response);
  send_text(answer.status, std::move(answer.text), response, answer.type);
}

void send_error(int status, std::string_view why, HttpResponse& response) {
  send_json(status, {{"error", why}}, response);
}

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".json")) return "application/json";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/plain; charset=utf-8";
}

// The state of a request that is answered later.
class PendingAnswer final : public PendingResponse {
 public:
  PendingAnswer(std::shared_ptr<ServiceState> state, std::shared_ptr<AnswerSlot> slot, std::int64_t until_us)
      : state_(std::move(state)), slot_(std::move(slot)), until_us_(until_us) {
    ++state_->pending;
  }
  ~PendingAnswer() override {
    slot_->abandon();
    --state_->pending;
  }
  bool take(std::int64_t now_us, HttpResponse& response) override {
    if (auto answer = slot_->take()) {
      send_answer(*answer, response);
    } else if (now_us >= until_us_) {
      send_error(503, "the crawl did not answer in time; try again later", response);
    } else {
      return false;
    }
    ++state_->codes[static_cast<std::size_t>(response.status / 100)];
    return true;
  }
  std::int64_t next_us() const override { return until_us_; }

 private:
  std::shared_ptr<ServiceState> state_;
  std::shared_ptr<AnswerSlot> slot_;
  std::int64_t until_us_;
};

// Server-sent events: a status about once a second, and changes when they happen.
class EventStream final : public BodyStream {
 public:
  explicit EventStream(std::shared_ptr<ServiceState> state) : state_(std::move(state)) {
    ++state_->streams;
    changes_ = state_->backend.snapshot()->changes_made;
  }
  ~EventStream() override { --state_->streams; }

  bool read(std::int64_t now_us, std::string& out) override {
    const auto snapshot = state_->backend.snapshot();
    send_changes(*snapshot, out);
    const bool closing = state_->closing.load();
    const bool ended = closing || snapshot->status.phase == CrawlPhase::kFinished;
    const bool is_new = last_ == nullptr || snapshot->now_ms != last_->now_ms;
    const std::string& text = state_->status_text();
    if (ended && snapshot->is_live && !text.empty()) {
      send("end", text, out);
      return false;
    }
    if (closing) return false;
    if (is_new && !text.empty() && now_us - status_us_ >= kStatusEveryUs) {
      send("status", text, out);
      last_ = snapshot;
      status_us_ = now_us;
    }
    if (!out.empty()) sent_us_ = now_us;
    if (now_us - sent_us_ >= kCommentAfterUs) {
      out += ":\n\n";
      sent_us_ = now_us;
    }
    return true;
  }
  std::int64_t next_us() const override { return sent_us_ + kCommentAfterUs; }

 private:
  static void send(std::string_view event, std::string_view json, std::string& out) {
    out.append("event: ").append(event).append("\ndata: ").append(json).append("\n\n");
  }
  void send_changes(const LiveSnapshot& snapshot, std::string& out) {
    if (!snapshot.changes || snapshot.changes_made <= changes_) return;
    const std::uint64_t fresh =
        std::min<std::uint64_t>(snapshot.changes_made - changes_, snapshot.changes->size());
    for (std::uint64_t i = fresh; i > 0; --i) {
      const Change& change = (*snapshot.changes)[snapshot.changes->size() - i];
      send("change", dump_json(change_object(change, snapshot.changes_made - i + 1)), out);
    }
    changes_ = snapshot.changes_made;
  }

  std::shared_ptr<ServiceState> state_;
  std::shared_ptr<const LiveSnapshot> last_;
  std::uint64_t changes_ = 0;
  std::int64_t status_us_ = -kStatusEveryUs;
  std::int64_t sent_us_ = MonotonicClock().now_us();
};

class ControlHandler final : public HttpHandler {
 public:
  explicit ControlHandler(std::shared_ptr<ServiceState> state) : state_(std::move(state)) {}

  void answer(const HttpRequest& request, const Moment& moment, HttpResponse& response) override {
    response.clear();
    route(request, moment, response);
    if (!response.pending) ++state_->codes[static_cast<std::size_t>(response.status / 100)];
  }

 private:
  static bool is_read(const HttpRequest& request) {
    return request.method == "GET" || request.method == "HEAD";
  }

  void route(const HttpRequest& request, const Moment& moment, HttpResponse& response) {
    const std::string_view path = request.target.substr(0, request.target.find('?'));
    const bool is_static = path == "/" || path == "/index.html" || path.starts_with("/assets/") ||
                           path == "/healthz" || path == "/readyz" || path == "/api/v1/openapi.json";
    const AccessNeed need = is_static          ? AccessNeed::kNothing
                            : is_read(request) ? AccessNeed::kRead
                                               : AccessNeed::kChange;
    if (const Refusal refusal = check_access(state_->access, request, need); refusal.status != 0)
      return send_error(refusal.status, refusal.why, response);
    if (path.starts_with(kApi) && path.substr(kApi.size()).starts_with(kCommandsPath))
      return command(path.substr(kApi.size() + kCommandsPath.size()), request, moment, response);
    if (!is_read(request)) {
      response.add_field("allow") = "GET, HEAD";
      return send_error(405, "this resource is read-only: use GET", response);
    }
    if (is_static) return send_static(path, response);
    if (path == "/metrics") return send_metrics(request, moment, response);
    if (path.starts_with(kApi)) return read(path.substr(kApi.size()), request, moment, response);
    send_error(404, "there is no such page; the API is described at /api/v1/openapi.json", response);
  }

  void send_static(std::string_view path, HttpResponse& response) {
    if (path == "/healthz" || path == "/readyz") {
      const bool fine = path == "/healthz" || (state_->ready.load() && !state_->closing.load());
      if (!fine) return send_error(503, "the crawl is not ready", response);
      add_safety(response);
      response.add_field("content-type") = "text/plain; charset=utf-8";
      response.body = "ok\n";
      return;
    }
    std::string_view name = "live/index.html";
    if (path == "/api/v1/openapi.json") {
      name = "live/openapi.json";
    } else if (path.starts_with("/assets/")) {
      name = path.substr(8);
    }
    const auto found = std::ranges::find(all_assets(), name, &Asset::name);
    if (found == all_assets().end()) return send_error(404, "there is no such file", response);
    add_safety(response);
    response.add_field("content-type") = type_of(name);
    std::string_view policy = asset("live/policy.txt");
    response.add_field("content-security-policy") = policy.substr(0, policy.find('\n'));
    response.body = found->text;
  }

  void send_metrics(const HttpRequest& request, const Moment& moment, HttpResponse& response) {
    const MetricsFormat format = metrics_format(request.field("accept"));
    if (state_->backend.forwards_metrics()) {
      Ask ask;
      ask.what = "metrics";
      if (format == MetricsFormat::kOpenMetrics) ask.values["format"] = "openmetrics";
      return hand_over(ask, kLongestAnswerUs, moment, response);
    }
    ServerCounts counts;
    for (std::size_t i = 0; i < counts.codes.size(); ++i) counts.codes[i] = state_->codes[i].load();
    counts.streams = state_->streams.load();
    counts.commands = state_->backend.commands_done();
    counts.cpu_seconds = cpu_seconds();
    counts.process_start_ms = state_->process_start_ms;
    send_text(200, metrics_text(*state_->backend.snapshot(), counts, format), response, metrics_type(format));
  }

  void read(std::string_view what, const HttpRequest& request, const Moment& moment, HttpResponse& response) {
    if (what == "events") return stream(response);
    const auto found = std::ranges::find(read_routes(), what, &ReadRoute::what);
    if (found == read_routes().end())
      return send_error(404, "there is no such call; they are described at /api/v1/openapi.json", response);
    const std::size_t query = request.target.find('?');
    auto values = parse_query(query == request.target.npos ? "" : request.target.substr(query + 1), *found);
    if (!values.ok()) return send_error(400, values.error().text, response);
    if (what == "status") {
      const std::string& text = state_->status_text();
      if (text.empty()) return send_error(503, "no process has answered yet; try again", response);
      return send_text(200, text, response);
    }
    Ask ask;
    ask.what = what;
    ask.values = std::move(*values);
    hand_over(ask, what == "why" ? kLongestJobUs : kLongestAnswerUs, moment, response);
  }

  void stream(HttpResponse& response) {
    if (state_->streams.load() >= ControlService::kMostStreams)
      return send_error(503, "too many event streams are open", response);
    add_safety(response);
    response.add_field("content-type") = "text/event-stream; charset=utf-8";
    response.stream = std::make_shared<EventStream>(state_);
  }

  void command(std::string_view name, const HttpRequest& request, const Moment& moment,
               HttpResponse& response) {
    if (std::ranges::find(command_names(), name) == command_names().end())
      return send_error(404, "there is no such command", response);
    if (request.method != "POST") {
      response.add_field("allow") = "POST";
      return send_error(405, "commands need POST", response);
    }
    std::string_view type = request.field("content-type");
    type = type.substr(0, type.find(';'));
    while (type.ends_with(' ')) type.remove_suffix(1);
    if (!field_is(type, "application/json"))
      return send_error(415, "changes need Content-Type: application/json", response);
    Ask ask;
    ask.what = name;
    ask.command = true;
    ask.body = nlohmann::json::parse(request.body, nullptr, false);
    if (ask.body.is_discarded()) return send_error(400, "the body is not JSON", response);
    if (const Status good = check_command(name, ask.body); !good.ok())
      return send_error(400, good.error().text, response);
    ask.origin = origin_of(request);
    const bool long_job = name == "retry" || name == "report";
    hand_over(ask, long_job ? kLongestJobUs : kLongestAnswerUs, moment, response);
  }

  // "page", "ctl", or the name that the client sends.
  static std::string origin_of(const HttpRequest& request) {
    std::string client(request.field("x-bowerbird-client").substr(0, 60));
    for (char& c : client) {
      if (c < ' ' || c > '~') c = '?';
    }
    if (client.empty()) client = request.field("sec-fetch-site").empty() ? "api" : "page";
    return request.local ? client + " (local socket)" : client;
  }

  void hand_over(const Ask& ask, std::int64_t most_us, const Moment& moment, HttpResponse& response) {
    if (state_->pending.load() >= ControlService::kMostPending)
      return send_error(503, "too many requests are waiting for the crawl", response);
    const auto slot = std::make_shared<AnswerSlot>(state_->wake);
    if (auto answer = state_->backend.ask(ask, slot)) return send_answer(*answer, response);
    if (auto answer = slot->take()) return send_answer(*answer, response);
    response.pending = std::make_shared<PendingAnswer>(state_, slot, moment.monotonic_us + most_us);
  }

  std::shared_ptr<ServiceState> state_;
};

}  // namespace

const std::string& ServiceState::status_text() {
  const auto snapshot = backend.snapshot();
  if (snapshot != rendered_for_) {
    const auto status = backend.status_json();
    rendered_ = status.is_null() ? "" : dump_json(status);
    rendered_for_ = snapshot;
  }
  return rendered_;
}

std::unique_ptr<HttpHandler> ControlService::make_handler() {
  return std::make_unique<ControlHandler>(state_);
}

}  // namespace bowerbird
