// How fast are lookups of known URLs, and what do they cost, up to many more than memory holds?
//
// Rates are by wall-clock time and, in brackets, by the CPU time of the calling thread. Links are offered as
// in a crawl: four known URLs to one new; a batch has the links of some eighty pages. 45 % of the known ones
// are popular (u^5 over all), 40 % recent, 15 % any. Each result is checked: URL i of the stream has id i.
// Then next-page decisions: the texts of random pages, checked too. Texts go to the urls.log of a crawl
// folder that is committed once per second, as in a crawl.
//   known_urls_bench [URLS=20000000] [MEMORY=1GiB] [COMPARE_AT=0]
// COMPARE_AT: at this many URLs the same links are offered to an unordered_set<string>, in a separate
// process.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <queue>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "base/units.h"
#include "crawl/config/memory_budget.h"
#include "store/crawl_store.h"
#include "store/known_urls.h"
#include "sys/clock.h"
#include "sys/memory.h"
#include "url_stream.h"

namespace bowerbird {
namespace {

constexpr std::size_t kBatch = 4096;
constexpr std::uint64_t kHosts = 1'000'000;

std::string word(std::uint64_t number) {
  static constexpr const char* kSyllables[] = {"ba",  "ce",  "di",  "fo",  "gu",  "ka",  "le",  "mi",
                                               "no",  "pu",  "ra",  "se",  "ti",  "vo",  "wu",  "za",
                                               "an",  "er",  "is",  "on",  "ul",  "at",  "ent", "ing",
                                               "ver", "sta", "com", "pro", "tra", "per", "con", "res"};
  std::string text;
  for (int i = 0; i < 3; ++i, number /= 32) text += kSyllables[number % 32];
  return text;
}

// The i-th URL of the stream: 60 to 90 bytes, all different; sixteen new links in a row are on one host.
void nth_url(std::uint64_t i, std::string& url) {
  const std::uint64_t burst = draw(1, i / 16);
  const double u = to_unit(burst);
  const auto host = static_cast<std::uint64_t>(u * u * u * kHosts);
  const std::uint64_t bits = draw(2, i);
  // A unique number: a bijection on 32 bits.
  const auto number = static_cast<std::uint32_t>(i * 2654435761u) ^ 0x5bd1e995u;
  const std::uint64_t section = host * 8 + burst % 8;
  url.clear();
  fmt::format_to(std::back_inserter(url), "https://www.{}{}.{}/{}/{}/{}-{}-{}-{}.html", word(draw(3, host)),
                 word(host), host % 3 == 0 ? "com" : "org", word(draw(4, section)), 2005 + bits % 20,
                 word(bits >> 8 & 1023), word(bits >> 20 & 2047), word(bits >> 32 & 2047), number);
}

struct Offers {
  std::vector<std::uint64_t> numbers;  // which URL of the stream
  std::vector<std::uint64_t> fingerprints;
  std::vector<std::string> texts;
};

// One in five is the next new one. Texts of the others are made only where they are wanted.
void make_offers(std::uint64_t& known, Rng& rng, Offers& offers, bool all_texts) {
  offers.numbers.clear();
  offers.fingerprints.clear();
  offers.texts.resize(kBatch);
  for (std::size_t i = 0; i < kBatch; ++i) {
    const bool fresh = known == 0 || i % 5 == 0;
    const std::uint64_t number = fresh ? known++ : pick(known, rng);
    if (fresh || all_texts) nth_url(number, offers.texts[i]);
    offers.numbers.push_back(number);
    offers.fingerprints.push_back(nth_fingerprint(number));
  }
}

// The work done, by wall-clock time and by the CPU time of this thread (the machine may be shared).
struct Stage {
  std::uint64_t offers = 0;
  double wall = 0, processor = 0;
  std::string rate() const {
    return fmt::format("{:.0f} ({:.0f})", static_cast<double>(offers) / wall,
                       static_cast<double>(offers) / processor);
  }
};

class Timed {
 public:
  explicit Timed(Stage& stage) : stage_(stage) {}
  ~Timed() {
    stage_.wall += now(CLOCK_MONOTONIC) - wall_;
    stage_.processor += now(CLOCK_THREAD_CPUTIME_ID) - processor_;
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  static double now(clockid_t clock) {
    timespec time{};
    CHECK(::clock_gettime(clock, &time) == 0);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
  }
  Stage& stage_;
  double wall_ = now(CLOCK_MONOTONIC), processor_ = now(CLOCK_THREAD_CPUTIME_ID);
};

void compare(std::uint64_t urls) {
  const std::uint64_t before = resident_memory();
  std::unordered_set<std::string> set;
  std::priority_queue<std::pair<double, const std::string*>> queue;
  Rng rng(9);
  Offers offers;
  Stage stage;
  for (std::uint64_t known = 0; known < urls;) {
    make_offers(known, rng, offers, true);
    const Timed timed(stage);
    for (std::size_t i = 0; i < kBatch; ++i) {
      const auto [place, fresh] = set.insert(offers.texts[i]);
      if (fresh) queue.emplace(to_unit(offers.fingerprints[i]), &*place);
    }
    stage.offers += kBatch;
  }
  CHECK(set.size() >= urls);
  fmt::print("unordered_set + priority_queue   {} URLs  {} offers/s  {} memory, {:.0f} bytes a URL\n", urls,
             stage.rate(), format_bytes(resident_memory() - before),
             static_cast<double>(resident_memory() - before) / static_cast<double>(urls));
  std::fflush(stdout);
}

class Bench {
 public:
  Bench(std::string folder, std::uint64_t memory)
      : folder_(std::move(folder)), memory_(memory), watch_(memory) {
    StoreOptions options;
    options.durable = false;
    auto store = CrawlStore::open(folder_, options);
    CHECK(store.ok());
    store_ = std::move(*store);
    // The memory in a crawl. Filters and positions of blocks are added to that, and grow with the URLs.
    const MemoryShares shares = memory_shares(memory);
    known_ = std::make_unique<KnownUrls>(KnownUrlsOptions{shares.known_urls, folder_ + "/known"});
    known_->set_reread(
        [](PageId first, PageId end, const std::function<void(std::uint64_t)>& take) -> Status {
          for (PageId page = first; page < end; ++page) take(nth_fingerprint(page));
          return {};
        });
    store_->limit_url_cache(shares.url_cache);
  }

  void offer_until(std::uint64_t urls, Stage& stage) {
    while (known_->size() < urls) {
      std::uint64_t next = known_->size();
      make_offers(next, rng_, offers_, false);
      const Timed timed(stage);
      known_->prefetch(offers_.fingerprints);
      for (std::size_t i = 0; i < kBatch; ++i) {
        PageId page = known_->find(offers_.fingerprints[i]);
        if (page == kNoPage) {
          page = known_->add(offers_.fingerprints[i]);
          CHECK(store_->add_url(offers_.texts[i]) == page);
        }
        wrong_ += page != offers_.numbers[i] ? 1 : 0;
      }
      if (const std::int64_t now = MonotonicClock().now_us();
          now - committed_ > 1'000'000 && store_->commits_done() == store_->commits_asked()) {
        store_->commit("");
        committed_ = now;
      }
      store_->wait_while_congested();
      stage.offers += kBatch;
      CHECK(known_->status().ok());
      // As in a crawl, which checks by the clock.
      if (stage.offers % (kBatch * 64) == 0)
        known_->limit_blocks(watch_.room(resident_memory(), known_->counts().blocks));
      if ((known_->size() >> 17) != looked_) {
        looked_ = known_->size() >> 17;
        disk_a_url();
      }
    }
  }

  double disk_a_url() {
    const double bytes = static_cast<double>(folder_bytes(folder_)) / static_cast<double>(known_->size());
    most_disk_ = std::max(most_disk_, bytes);
    return bytes;
  }

  // The texts of random pages.
  Stage decide(std::uint64_t count) {
    Stage stage;
    std::string expected;
    std::vector<PageId> pages(kBatch);
    std::vector<std::string> urls(kBatch);
    while (stage.offers < count) {
      for (PageId& page : pages) page = static_cast<PageId>(rng_.below(known_->size()));
      {
        const Timed timed(stage);
        for (std::size_t i = 0; i < kBatch; ++i) urls[i] = store_->url(pages[i]).value();
      }
      stage.offers += kBatch;
      for (std::size_t i = 0; i < kBatch; ++i) {
        nth_url(pages[i], expected);
        wrong_ += urls[i] != expected ? 1 : 0;
      }
    }
    return stage;
  }

  void print(const Stage& stage) {
    store_->commit("");
    CHECK(store_->wait_for_commits().ok());
    const Stage decisions = decide(200'000);
    const KnownUrlsCounts counts = known_->counts();
    const auto urls = static_cast<double>(known_->size());
    const double disk = disk_a_url();
    fmt::print(
        "{:>11} URLs  {} offers/s  {} decisions/s  {:>9} resident (most {}), {:.1f} bytes a URL in memory, "
        "{:.1f} on disk (most {:.1f}); {} runs, {} spills, {} merges, {:.1f} % asked of the disk, {} reads; "
        "{} wrong\n",
        format_count(known_->size()), stage.rate(), decisions.rate(), format_bytes(resident_memory()),
        format_bytes(peak_resident_memory()), static_cast<double>(resident_memory()) / urls, disk,
        std::exchange(most_disk_, 0), counts.runs, counts.spills, counts.merges,
        100 * static_cast<double>(counts.asked_disk - asked_before_) / static_cast<double>(stage.offers),
        counts.reads, wrong_);
    std::fflush(stdout);
    asked_before_ = counts.asked_disk;
  }

  int finish() const {
    const double over = static_cast<double>(peak_resident_memory()) / static_cast<double>(memory_);
    fmt::print("most memory {:.2f} of the budget of {}\n", over, format_bytes(memory_));
    if (wrong_ > 0) fmt::print("WRONG: {} answers\n", wrong_);
    return wrong_ > 0 || over > 1.05 ? 1 : 0;
  }

 private:
  std::string folder_;
  std::uint64_t memory_;
  MemoryWatch watch_;
  std::unique_ptr<CrawlStore> store_;
  std::unique_ptr<KnownUrls> known_;
  Rng rng_{9};
  Offers offers_;
  std::int64_t committed_ = 0;
  double most_disk_ = 0;  // bytes per URL, since the last line
  std::uint64_t looked_ = 0, asked_before_ = 0, wrong_ = 0;
};

int run(std::uint64_t urls, std::uint64_t memory, std::uint64_t compare_at) {
  if (compare_at > 0) {
    const pid_t child = ::fork();
    if (child == 0) {
      compare(compare_at);
      ::_exit(0);
    }
    int status = 0;
    CHECK(::waitpid(child, &status, 0) == child && status == 0);
  }
  std::string folder = (std::filesystem::temp_directory_path() / "known_urls_bench-XXXXXX").string();
  CHECK(::mkdtemp(folder.data()) != nullptr);
  int result = 0;
  {
    Bench bench(folder, memory);
    for (std::uint64_t stop = 1'000'000;; stop *= 10) {
      for (const std::uint64_t factor : {1u, 3u}) {
        Stage stage;
        bench.offer_until(std::min(stop * factor, urls), stage);
        if (stage.offers > 0) bench.print(stage);
      }
      if (stop * 3 >= urls) break;
    }
    result = bench.finish();
  }
  std::filesystem::remove_all(folder);
  return result;
}

}  // namespace
}  // namespace bowerbird

int main(int argc, char** argv) {
  const auto count = [&](int i, std::uint64_t otherwise) {
    return argc > i ? bowerbird::parse_count(argv[i]).value() : otherwise;
  };
  const std::uint64_t memory = argc > 2 ? bowerbird::parse_bytes(argv[2]).value() : std::uint64_t{1} << 30;
  return bowerbird::run(count(1, 20'000'000), memory, count(3, 0));
}
