// Two crawls side by side, judged by what their servers were asked for.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "base/units.h"
#include "cmd/demo.h"
#include "cmd/terminal.h"
#include "graph/csr.h"
#include "graph/pagerank.h"

namespace bowerbird {

CrawlOptions demo_crawl_options(const std::string& seed, const std::string& address) {
  CrawlOptions options;
  options.start.seeds = {seed};
  options.identity.contact = "https://bowerbird.example/demo";
  options.scope.mode = ScopeMode::kAny;
  options.network.connect_to = address;
  options.network.allow_net = {"127.0.0.0/8", "::1"};
  options.politeness.delay = Seconds(0.05);
  options.politeness.delay_ip = Seconds(0);
  options.politeness.delay_domain = Seconds(0);
  options.politeness.adapt = 0;
  // A host gets one request at a time, so each connection needs a host of its own: with many connections
  // hosts that have something to fetch run short, and the ordering has little left to choose from.
  options.politeness.connections = 8;
  options.selection.traps = false;
  options.storage.commit = Seconds(0.5);
  return options;
}

namespace {

// One crawl in a thread of its own, and the server it asks.
class Lane {
 public:
  Lane(const std::vector<double>& worth, Racer& racer)
      : worth_(worth),
        racer_(racer),
        seen_(worth.size()),
        sink_([this](std::string_view lines) { hear(lines); }) {}
  ~Lane() {
    if (thread_.joinable()) thread_.join();
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  Status start(const Site& site, const std::string& seed, std::uint64_t pages) {
    ServerOptions server;
    server.port = 0;
    server.addresses = {"127.0.0.1"};
    server.log = &sink_;
    BB_TRY(server_, Server::start(site, server));
    CrawlOptions options = demo_crawl_options(seed, server_->addresses().front());
    options.out = racer_.folder;
    options.order.policy = racer_.policy;
    options.budget.pages = pages;
    BB_TRY(crawler_, Crawler::open(options));
    thread_ = std::thread([this] { crawl(); });
    return {};
  }
  bool ended() const { return ended_.load(); }
  // The status as it was last, and the share of the importance.
  std::pair<CrawlStatus, double> look() const {
    const std::lock_guard lock(mutex_);
    return {status_, gathered_};
  }
  Status finish() {
    if (thread_.joinable()) thread_.join();
    crawler_.reset();
    server_->stop();
    racer_.pages = status_.counts.pages;
    racer_.importance = gathered_;
    return result_;
  }

 private:
  void crawl() {
    const auto end = crawler_->run([this](const CrawlStatus& status) {
      const std::lock_guard lock(mutex_);
      status_ = status;
      return interrupted() ? CrawlRequest::kStop : CrawlRequest::kContinue;
    });
    {
      const std::lock_guard lock(mutex_);
      status_ = crawler_->status();
    }
    result_ = end.ok() ? crawler_->close() : Status(end.error());
    ended_ = true;
  }
  // Called by the server's thread.
  void hear(std::string_view lines) {
    const std::lock_guard lock(mutex_);
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      const auto entry = parse_access_line(lines.substr(0, end));
      lines.remove_prefix(std::min(end + 1, lines.size()));
      if (!entry.ok() || entry->page >= seen_.size() || entry->status != 200 || seen_[entry->page]) continue;
      seen_[entry->page] = true;
      gathered_ += worth_[entry->page];
    }
  }

  const std::vector<double>& worth_;  // by page, shares of 1
  Racer& racer_;
  mutable std::mutex mutex_;
  std::vector<bool> seen_;
  double gathered_ = 0;
  CrawlStatus status_;
  AccessSink sink_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Crawler> crawler_;
  Status result_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

std::string bar(double share, std::size_t width) {
  const auto full =
      static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width)));
  std::string text;
  for (std::size_t i = 0; i < width; ++i) text += i < full ? "█" : "·";
  return text;
}

class RaceDisplay {
 public:
  RaceDisplay(const RaceOptions& options, const std::vector<Racer>& racers)
      : options_(options), racers_(racers), terminal_(stderr_is_terminal()) {}

  void show(const std::vector<std::unique_ptr<Lane>>& lanes, bool last) {
    if (options_.quiet) return;
    if (!terminal_ && !last) return;
    if (drawn_ > 0) fmt::print(stderr, "\x1b[{}A\x1b[J", drawn_);
    double best = 0;
    for (const auto& lane : lanes) best = std::max(best, lane->look().second);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const auto [status, gathered] = lanes[i]->look();
      const std::string share = fmt::format("{:5.1f} %", 100 * gathered);
      fmt::print(stderr, "  {:<10} {} {} of the importance, {} pages, {:.0f} pages/s\n", racers_[i].policy,
                 bar(gathered, 30), gathered == best ? bold(share, colour_on_stderr()) : share,
                 format_count(status.counts.pages), status.pages_per_second);
    }
    drawn_ = static_cast<int>(lanes.size());
  }

 private:
  const RaceOptions& options_;
  const std::vector<Racer>& racers_;
  bool terminal_;
  int drawn_ = 0;
};

Result<std::vector<double>> worth_of(const Web& web) {
  BB_TRY(const CsrGraph graph, to_csr(*web.graph));
  BB_TRY(PageRank ranked, pagerank(graph));
  return std::move(ranked.rank);
}

}  // namespace

Result<std::vector<Racer>> run_race(const Web& web, const Site& site, PageId seed,
                                    const RaceOptions& options) {
  BB_TRY(const std::vector<double> worth, worth_of(web));
  PageUrl url;
  site.addresses().url_of(seed, url);
  std::vector<Racer> racers;
  for (const std::string& policy : options.policies) {
    racers.push_back({policy, fmt::format("{}/{}", options.out, policy), 0, 0});
  }
  std::vector<std::unique_ptr<Lane>> lanes;
  for (Racer& racer : racers) {
    lanes.push_back(std::make_unique<Lane>(worth, racer));
    BB_TRY_VOID(lanes.back()->start(site, std::string(url.text), options.pages));
  }
  RaceDisplay display(options, racers);
  const auto running = [&] {
    return std::any_of(lanes.begin(), lanes.end(), [](const auto& lane) { return !lane->ended(); });
  };
  while (running()) {
    display.show(lanes, false);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  for (const auto& lane : lanes) BB_TRY_VOID(lane->finish());
  display.show(lanes, true);
  return racers;
}

}  // namespace bowerbird
