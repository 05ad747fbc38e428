#include "demo/race.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include "crawl/loop/crawler.h"
#include "graph/csr.h"
#include "graph/pagerank.h"
#include "store/crawl_reader.h"

namespace bowerbird {

namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(100);
constexpr std::size_t kBestPages = 200;  // among which the seed is chosen

// One crawl in its own thread, and its server.
class Lane {
 public:
  Lane(const std::vector<double>& worth, const Racer& racer)
      : worth_(worth),
        racer_(racer),
        seen_(worth.size()),
        sink_([this](std::string_view lines) { on_log_lines(lines); }) {}
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
    BB_TRY(server_, serve_site(site, server));
    CrawlOptions options = race_crawl_options(seed, server_->addresses().front());
    options.out = racer_.folder;
    options.order.policy = racer_.policy;
    options.budget.pages = pages;
    BB_TRY(crawler_, Crawler::open(options));
    thread_ = std::thread([this] { crawl(); });
    return {};
  }
  bool ended() const { return ended_.load(); }
  void stop() { stopped_ = true; }
  Racer look() const {
    const std::lock_guard lock(mutex_);
    return racer_;
  }
  Status finish() {
    if (thread_.joinable()) thread_.join();
    crawler_.reset();
    server_->stop();
    return result_;
  }

 private:
  void crawl() {
    const auto end = crawler_->run([this](const CrawlStatus& status) {
      note(status);
      return stopped_ ? CrawlRequest::kStop : CrawlRequest::kContinue;
    });
    note(crawler_->status());
    result_ = end.ok() ? crawler_->close() : Status(end.error());
    ended_ = true;
  }
  void note(const CrawlStatus& status) {
    const std::lock_guard lock(mutex_);
    racer_.pages = status.counts.pages;
    racer_.pages_per_second = status.rates.pages;
  }
  // Called by the server's thread.
  void on_log_lines(std::string_view lines) {
    const std::lock_guard lock(mutex_);
    while (!lines.empty()) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      const auto entry = parse_access_line(lines.substr(0, end));
      lines.remove_prefix(std::min(end + 1, lines.size()));
      if (!entry.ok() || entry->page >= seen_.size() || entry->status != 200 || seen_[entry->page]) continue;
      seen_[entry->page] = true;
      racer_.importance += worth_[entry->page];
    }
  }

  const std::vector<double>& worth_;  // by page, shares of 1
  mutable std::mutex mutex_;
  Racer racer_;
  std::vector<bool> seen_;
  AccessSink sink_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Crawler> crawler_;
  Status result_;
  std::atomic<bool> ended_{false};
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace

Result<PageId> choose_seed(const Web& web) {
  BB_TRY(const CsrGraph graph, to_csr(*web.graph));
  BB_TRY(const PageRank ranked, pagerank(graph));
  const std::vector<PageId> top = top_pages(ranked.rank, kBestPages);
  if (top.empty()) return error("this Web has no pages");
  return *std::max_element(top.begin(), top.end(),
                           [&](PageId a, PageId b) { return graph.out(a).size() < graph.out(b).size(); });
}

CrawlOptions race_crawl_options(const std::string& seed, const std::string& address) {
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
  // A host gets one request at a time, so each connection needs another host. With many connections few hosts
  // with pages are left, and the ordering has little to choose from.
  options.politeness.connections = 8;
  options.selection.traps = false;
  options.storage.commit = Seconds(0.5);
  return options;
}

Result<std::vector<Racer>> run_race(const Web& web, const Site& site, PageId seed,
                                    const RaceOptions& options) {
  BB_TRY(const CsrGraph graph, to_csr(*web.graph));
  BB_TRY(const PageRank ranked, pagerank(graph));
  PageUrl url;
  site.addresses().url_of(seed, url);
  std::vector<std::unique_ptr<Lane>> lanes;
  for (const std::string& policy : options.policies) {
    const Racer racer{policy, fmt::format("{}/{}", options.out, policy)};
    lanes.push_back(std::make_unique<Lane>(ranked.rank, racer));
    BB_TRY_VOID(lanes.back()->start(site, std::string(url.text), options.pages));
  }
  std::vector<Racer> racers;
  const auto look = [&] {
    racers.clear();
    for (const auto& lane : lanes) racers.push_back(lane->look());
    return !options.watch || options.watch(racers);
  };
  const auto running = [&] {
    return std::any_of(lanes.begin(), lanes.end(), [](const auto& lane) { return !lane->ended(); });
  };
  while (running()) {
    if (!look()) {
      for (const auto& lane : lanes) lane->stop();
    }
    std::this_thread::sleep_for(kLookEvery);
  }
  for (const auto& lane : lanes) BB_TRY_VOID(lane->finish());
  look();
  return racers;
}

Result<std::uint64_t> pages_fetched(const std::string& folder) {
  BB_TRY(const auto reader, CrawlReader::open(folder));
  CrawlCounts counts;
  CrawlEnd end = CrawlEnd::kNotYet;
  counts_from_state(reader->state(), counts, end);
  return counts.pages;
}

Result<std::uint64_t> pages_stored_once(const std::string& folder) {
  BB_TRY(const auto reader, CrawlReader::open(folder));
  std::set<PageId> pages;
  std::uint64_t records = 0;
  BB_TRY_VOID(reader->for_each_fetch([&](const FetchEntry& entry) -> Status {
    pages.insert(entry.page);
    ++records;
    return {};
  }));
  if (pages.size() != records) return error("{}: {} pages are stored twice", folder, records - pages.size());
  return records;
}

}  // namespace bowerbird
