// A crawl folder with correct checksums may contain anything: it is refused with an error, or can be resumed.
// Nothing aborts, and memory and time are limited.
//
// Input: which crawl, what to do with it, and the changes (forged_folder.h). The crawls are made once, by the
// crawler itself: one with a spilled queue and a growing graph on disk, one of a process of a fleet.
#include <stdlib.h>

#include <array>
#include <memory>

#include "crawl/inspect/crawl_history.h"
#include "crawl/inspect/score_history.h"
#include "crawl/loop/crawler.h"
#include "dash/crawl_report.h"
#include "fleet/merge.h"
#include "forged_folder.h"
#include "lab/crawl_graph.h"

using namespace bowerbird;

namespace {

constexpr int kPages = 300;

// Responds at once. Each poll advances the clock.
class SmallWeb final : public Fetcher {
 public:
  explicit SmallWeb(ManualClock& clock) : clock_(clock) {}

  void start(FetchRequest request) override {
    FetchOutcome& outcome = ready_.emplace_back();
    outcome.id = request.id;
    outcome.end = request.resolve_only ? FetchEnd::kResolved : FetchEnd::kAnswered;
    outcome.address = NetAddress::parse("127.0.0.1");
    outcome.started_us = outcome.first_byte_us = outcome.ended_us = clock_.now_us();
    if (!request.resolve_only) answer(request.url, outcome);
  }
  void poll(std::vector<FetchOutcome>& done, int wait_ms) override {
    clock_.advance(std::int64_t{1000} * (ready_.empty() ? std::max(wait_ms, 1) : 1));
    for (FetchOutcome& outcome : ready_) done.push_back(std::move(outcome));
    ready_.clear();
  }
  std::size_t active() const override { return ready_.size(); }
  void cancel(std::uint64_t) override {}  // every request has ended
  void cancel_all() override { ready_.clear(); }
  void wake() override {}
  std::string request_text(const FetchRequest& request) const override { return request.url; }

 private:
  static void answer(const std::string& url, FetchOutcome& outcome) {
    const std::string name = url.substr(url.rfind('/') + 1);
    const int page = std::atoi(name.c_str());
    outcome.status = page % 11 == 7 ? 503 : page % 13 == 5 ? 404 : page % 17 == 3 ? 302 : 200;
    outcome.head = fmt::format("HTTP/1.1 {} X\r\nContent-Type: text/html\r\n", outcome.status);
    if (name == "robots.txt") {
      outcome.status = 200;
      outcome.body = "user-agent: *\ndisallow: /*9\nallow: /99\ncrawl-delay: 1\n";
    } else if (outcome.status == 302) {
      outcome.head += fmt::format("Location: /{}\r\n", page + 1);
    } else {
      for (int i = 1; i <= 6; ++i)
        outcome.body +=
            fmt::format("<a href=http://h{}.example/{}>x</a>", (page + i) % 5, (page * i + i) % kPages);
    }
    outcome.head += "\r\n";
  }

  ManualClock& clock_;
  std::vector<FetchOutcome> ready_;
};

CrawlOptions options_of(const std::string& folder, bool fleet) {
  CrawlOptions options;
  options.out = folder;
  options.identity.contact = "fuzz@bowerbird.example";
  options.order.policy = fleet ? "bfs" : "lipr";
  options.scope.mode = ScopeMode::kAny;
  options.network.allow_net = {"127.0.0.0/8"};
  options.politeness.delay = Seconds(0);
  options.storage.durable = false;
  options.parsers = 0;
  options.storage.report = false;
  options.storage.warc_bytes = 20'000;
  options.storage.commit = Seconds(0.01);
  if (fleet) {
    options.parallel.procs = 2;
    options.parallel.mode = Mode::kCrossOver;
  } else {
    options.memory.queue = 1024;
    options.memory.graph = 1024;
    options.storage.terms = true;
  }
  return options;
}

// Runs until the page budget, or for a while of the clock; closed: ends normally, or as if it had been
// killed.
void crawl(const CrawlOptions& options, bool closed) {
  ManualClock clock;
  auto crawler = Crawler::open(options, std::make_unique<SmallWeb>(clock), nullptr, &clock);
  if (!crawler.ok()) return;
  int looks = 0;
  const auto watch = [&looks](const CrawlStatus&) {
    return ++looks < 40 ? CrawlRequest::kContinue : CrawlRequest::kStop;
  };
  const auto end = (*crawler)->run(watch);
  if (end.ok() && closed) (void)(*crawler)->close().ok();
}

struct Bases {
  Bases() {
    std::string made = (std::filesystem::temp_directory_path() / "forged-XXXXXX").string();
    CHECK(::mkdtemp(made.data()) != nullptr);
    folder = made;
    for (const bool fleet : {false, true}) {
      CrawlOptions options = options_of(folder + "/base", fleet);
      options.start.seeds = {"http://h0.example/0", "http://h1.example/1"};
      options.budget.pages = 60;
      crawl(options, true);
      options.budget.pages = 90;
      crawl(options, false);
      taken[fleet ? 1 : 0] = std::make_unique<ForgedFolder>(folder + "/base");
      std::filesystem::remove_all(folder + "/base");
    }
    taken[0]->write_to(folder + "/sound");
  }
  ~Bases() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::string folder;
  std::array<std::unique_ptr<ForgedFolder>, 2> taken;
};

void look(const Status& status) {
  if (!status.ok()) CHECK(!status.error().text.empty());
}

void restore(const std::string& folder) {
  const auto seen = RestoredCrawl::open_to_read(folder);
  if (!seen.ok() || !(*seen)->restore().ok()) return;
  const CrawlState& state = (*seen)->state();
  for (PageId page = 0; page < state.pages(); ++page) {
    (void)state.frontier().item(page);
    CHECK(!state.url(page).empty() || !state.status().ok());
  }
}

void explain(const std::string& folder) {
  const auto seen = RestoredCrawl::open_to_read(folder);
  if (!seen.ok() || !(*seen)->make_state().ok()) return;
  ScoreHistory story((*seen)->state(), 3);
  look((*seen)->replay_from_beginning(
      [&](const CrawlEvent& event, const std::function<Status()>& apply) { return story(event, apply); }));
  (void)story.worth();
}

void use(const Bases& bases, unsigned purpose, bool fleet) {
  const std::string folder = bases.folder + "/forged";
  switch (purpose) {
    case 0:
      restore(folder);
      break;
    case 1:
      explain(folder);
      break;
    case 2:
      (void)read_crawl_history(folder).ok();
      (void)read_crawl_entries(folder).ok();
      (void)read_crawl_seeds(folder).ok();
      (void)read_crawl_hosts(folder).ok();
      break;
    case 3:
      (void)crawl_report_data({folder, "", {}, 0, 1}).ok();
      break;
    case 4: {
      const std::string out = bases.folder + "/merged";
      (void)merge_crawls({bases.folder + "/sound", folder}, out, {}).ok();
      std::filesystem::remove_all(out);
      break;
    }
    case 5:
      (void)open_crawl_graph(folder).ok();
      if (const auto reader = CrawlReader::open(folder); reader.ok())
        (void)check_archive(Disk::real(), folder, (*reader)->commit()).ok();
      break;
    default:
      crawl(options_of(folder, fleet), true);
      restore(folder);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Bases bases;
  Choices choices({reinterpret_cast<const char*>(data), size});
  const bool fleet = choices.byte() % 4 == 0;
  const unsigned purpose = choices.byte() % 8;
  ForgedFolder forged = *bases.taken[fleet ? 1 : 0];
  for (int changes = 0; changes < 8 && !choices.empty(); ++changes) forged.change(choices);
  forged.write_to(bases.folder + "/forged");
  use(bases, purpose, fleet);
  return 0;
}
