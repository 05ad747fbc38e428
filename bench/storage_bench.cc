// Is our own storage worth its code? Compares known URLs and durable commits with RocksDB's on one machine.
//
// Known URLs: links are offered as in a crawl (url_stream.h), in batches of 4096, one in five new; each
// result is checked. RocksDB maps fingerprints to ids without a log, since both can be rebuilt from the
// texts, with a Bloom filter of 10 bits per key, and looks up a whole batch at once. Commits: a hundred
// events of a hundred bytes, then one fsync; afterwards all events are read back and checked. Every
// measurement has its own process, whose memory is its peak resident size. CPU time is that of all threads.
//   storage_bench [URLS=5M] [MEMORY=256MiB] [COMMITS=1000]
// docs/decisions/storage.md has the results for 100M and 2GiB.
#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "base/units.h"
#include "crawl/config/memory_budget.h"
#include "store/crawl_reader.h"
#include "store/crawl_store.h"
#include "store/known_urls.h"
#include "sys/memory.h"
#include "url_stream.h"

namespace bowerbird {
namespace {

constexpr std::size_t kBatch = 4096;
constexpr std::size_t kEvents = 100;  // in a commit
constexpr std::size_t kEventBytes = 100;

double wall_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor_now() {
  timespec time{};
  CHECK(::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void must(const rocksdb::Status& status) {
  if (!status.ok()) fmt::print(stderr, "{}\n", status.ToString());
  CHECK(status.ok());
}

// ---- known URLs
// ----------------------------------------------------------------------------------------------

struct Offers {
  std::array<std::uint64_t, kBatch> numbers;  // index of the URL in the stream
  std::array<std::uint64_t, kBatch> fingerprints;
};

void make_offers(std::uint64_t known, Rng& rng, Offers& offers) {
  for (std::size_t i = 0; i < kBatch; ++i) {
    offers.numbers[i] = known == 0 || i % 5 == 0 ? known++ : pick(known, rng);
    offers.fingerprints[i] = nth_fingerprint(offers.numbers[i]);
  }
}

// Processes a batch of links: the ids of the known ones, consecutive ids for the new ones.
class UrlMemory {
 public:
  virtual ~UrlMemory() = default;
  virtual std::uint64_t size() const = 0;
  virtual void take(const Offers& offers, std::array<std::uint64_t, kBatch>& ids) = 0;
};

class OurUrls final : public UrlMemory {
 public:
  OurUrls(const std::string& folder, std::uint64_t memory)
      : watch_(memory), known_({memory_shares(memory).known_urls, folder}) {
    known_.set_reread([](PageId first, PageId end, const std::function<void(std::uint64_t)>& take) -> Status {
      for (PageId page = first; page < end; ++page) take(nth_fingerprint(page));
      return {};
    });
  }
  std::uint64_t size() const override { return known_.size(); }
  void take(const Offers& offers, std::array<std::uint64_t, kBatch>& ids) override {
    known_.prefetch(offers.fingerprints);
    for (std::size_t i = 0; i < kBatch; ++i) {
      const PageId page = known_.find(offers.fingerprints[i]);
      ids[i] = page == kNoPage ? known_.add(offers.fingerprints[i]) : page;
    }
    // As in a crawl, which checks by the clock.
    if (++batches_ % 64 == 0) known_.limit_blocks(watch_.room(resident_memory(), known_.counts().blocks));
    CHECK(known_.status().ok());
  }

 private:
  MemoryWatch watch_;
  KnownUrls known_;
  std::uint64_t batches_ = 0;
};

class RocksUrls final : public UrlMemory {
 public:
  RocksUrls(const std::string& folder, std::uint64_t memory) {
    rocksdb::BlockBasedTableOptions table;
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    table.block_cache = rocksdb::NewLRUCache(memory / 2);
    // Filters and indexes stay out of the cache: a filter can be larger than a shard of it.
    table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
    rocksdb::Options options;
    options.create_if_missing = true;
    options.IncreaseParallelism(2);
    options.write_buffer_size = std::min<std::size_t>(memory / 16, std::size_t{64} << 20);
    options.max_write_buffer_number = 3;
    options.compression = rocksdb::kNoCompression;  // fingerprints are random
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    rocksdb::DB* db = nullptr;
    must(rocksdb::DB::Open(options, folder, &db));
    db_.reset(db);
  }
  std::uint64_t size() const override { return size_; }
  void take(const Offers& offers, std::array<std::uint64_t, kBatch>& ids) override {
    for (std::size_t i = 0; i < kBatch; ++i) {
      keys_[i] = __builtin_bswap64(offers.fingerprints[i]);
      slices_[i] = rocksdb::Slice(reinterpret_cast<const char*>(&keys_[i]), sizeof keys_[i]);
      values_[i].Reset();
    }
    db_->MultiGet({}, db_->DefaultColumnFamily(), kBatch, slices_.data(), values_.data(), statuses_.data());
    rocksdb::WriteBatch added;
    fresh_.clear();
    for (std::size_t i = 0; i < kBatch; ++i) {
      std::uint32_t id = 0;
      if (statuses_[i].ok()) {
        CHECK(values_[i].size() == sizeof id);
        std::memcpy(&id, values_[i].data(), sizeof id);
      } else {
        CHECK(statuses_[i].IsNotFound());
        const auto [place, is_new] =
            fresh_.emplace(offers.fingerprints[i], static_cast<std::uint32_t>(size_));
        id = place->second;
        if (is_new) {
          ++size_;
          must(added.Put(slices_[i], rocksdb::Slice(reinterpret_cast<const char*>(&id), sizeof id)));
        }
      }
      ids[i] = id;
    }
    rocksdb::WriteOptions unlogged;
    unlogged.disableWAL = true;
    must(db_->Write(unlogged, &added));
  }

 private:
  std::unique_ptr<rocksdb::DB> db_;
  std::uint64_t size_ = 0;
  std::array<std::uint64_t, kBatch> keys_{};
  std::array<rocksdb::Slice, kBatch> slices_;
  std::array<rocksdb::PinnableSlice, kBatch> values_;
  std::array<rocksdb::Status, kBatch> statuses_;
  std::unordered_map<std::uint64_t, std::uint32_t> fresh_;  // of this batch
};

// The next size at which something is printed: 1M, 3M, 10M ... and the end.
std::uint64_t next_stop(std::uint64_t size, std::uint64_t end) {
  std::uint64_t stop = 1'000'000;
  for (bool one = true; stop <= size; one = !one) stop = one ? stop * 3 : stop / 3 * 10;
  return std::min(stop, end);
}

void offer_all(const std::string& name, UrlMemory& memory, std::uint64_t urls, const std::string& folder) {
  Rng rng(9);
  const auto offers = std::make_unique<Offers>();
  const auto ids = std::make_unique<std::array<std::uint64_t, kBatch>>();
  std::uint64_t made = 0;
  double wall = 0, processor = 0;
  std::uint64_t stop = next_stop(0, urls);
  while (memory.size() < urls) {
    make_offers(memory.size(), rng, *offers);
    const double wall_before = wall_now(), processor_before = processor_now();
    memory.take(*offers, *ids);
    wall += wall_now() - wall_before;
    processor += processor_now() - processor_before;
    made += kBatch;
    for (std::size_t i = 0; i < kBatch; ++i) CHECK((*ids)[i] == offers->numbers[i]);
    if (memory.size() < stop) continue;
    fmt::print(
        "known URLs, {:<8} {:>11} URLs  {:>9.0f} offers/s, {:.2f} us of processor each, {} resident "
        "at most, {:.1f} bytes a URL on disk\n",
        name, format_count(memory.size()), static_cast<double>(made) / wall,
        processor / static_cast<double>(made) * 1e6, format_bytes(peak_resident_memory()),
        static_cast<double>(folder_bytes(folder)) / static_cast<double>(memory.size()));
    std::fflush(stdout);
    made = 0;
    wall = processor = 0;
    stop = next_stop(memory.size(), urls);
  }
}

// ---- commits
// -------------------------------------------------------------------------------------------------

std::string nth_event(std::uint64_t number) {
  std::string event(kEventBytes, '\0');
  for (std::size_t i = 0; i + 8 <= event.size(); i += 8) {
    const std::uint64_t part = draw(number, i);
    std::memcpy(event.data() + i, &part, sizeof part);
  }
  return event;
}

// A list of events; what commit() has returned for survives a power failure.
class EventLog {
 public:
  virtual ~EventLog() = default;
  virtual void commit(const std::vector<std::string>& events) = 0;
  virtual void close() = 0;
  // After close().
  virtual void read_all(const std::function<void(std::string_view)>& visit) = 0;
};

class OurLog final : public EventLog {
 public:
  explicit OurLog(std::string folder) : folder_(std::move(folder)) {
    store_ = std::move(CrawlStore::open(folder_, {}).value());
  }
  void commit(const std::vector<std::string>& events) override {
    for (const std::string& event : events) store_->add_event(kEvent, event);
    store_->commit("");
    CHECK(store_->wait_for_commits().ok());
  }
  void close() override {
    CHECK(store_->close("").ok());
    store_.reset();
  }
  void read_all(const std::function<void(std::string_view)>& visit) override {
    const auto reader = std::move(CrawlReader::open(folder_).value());
    CHECK(reader
              ->replay([&](const Event& event) -> Status {
                if (event.type == kEvent) visit(event.payload);
                return {};
              })
              .ok());
  }

 private:
  static constexpr std::uint8_t kEvent = kFirstCrawlEvent;
  std::string folder_;
  std::unique_ptr<CrawlStore> store_;
};

class RocksLog final : public EventLog {
 public:
  explicit RocksLog(std::string folder) : folder_(std::move(folder)) { open(); }
  void commit(const std::vector<std::string>& events) override {
    rocksdb::WriteBatch batch;
    for (const std::string& event : events) {
      const std::uint64_t key = __builtin_bswap64(next_++);
      must(batch.Put(rocksdb::Slice(reinterpret_cast<const char*>(&key), sizeof key), event));
    }
    rocksdb::WriteOptions durable;
    durable.sync = true;
    must(db_->Write(durable, &batch));
  }
  void close() override { db_.reset(); }
  void read_all(const std::function<void(std::string_view)>& visit) override {
    open();
    const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}));
    for (at->SeekToFirst(); at->Valid(); at->Next()) visit({at->value().data(), at->value().size()});
    must(at->status());
  }

 private:
  void open() {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    must(rocksdb::DB::Open(options, folder_, &db));
    db_.reset(db);
  }

  std::string folder_;
  std::unique_ptr<rocksdb::DB> db_;
  std::uint64_t next_ = 0;
};

void commit_all(const std::string& name, EventLog& log, std::uint64_t commits) {
  std::vector<std::string> events(kEvents);
  std::uint64_t number = 0;
  double wall = 0, processor = 0;
  for (std::uint64_t i = 0; i < commits; ++i) {
    for (std::string& event : events) event = nth_event(number++);
    const double wall_before = wall_now(), processor_before = processor_now();
    log.commit(events);
    wall += wall_now() - wall_before;
    processor += processor_now() - processor_before;
  }
  log.close();
  std::uint64_t read = 0;
  const double before = processor_now();
  log.read_all([&](std::string_view event) { CHECK(event == nth_event(read++)); });
  CHECK(read == number);
  fmt::print(
      "commits,    {:<8} {:>11} commits  {:>7.0f} commits/s, {:.0f} us of processor each, {} resident "
      "at most; {:.2f} M events read and checked per "
      "second of processor\n",
      name, format_count(commits), static_cast<double>(commits) / wall,
      processor / static_cast<double>(commits) * 1e6, format_bytes(peak_resident_memory()),
      static_cast<double>(read) / (processor_now() - before) / 1e6);
  std::fflush(stdout);
}

// ---- one process each
// ----------------------------------------------------------------------------------------

void measure(const std::function<void(const std::string& folder)>& work) {
  std::string folder = (std::filesystem::temp_directory_path() / "storage_bench-XXXXXX").string();
  CHECK(::mkdtemp(folder.data()) != nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    work(folder);
    ::_exit(0);
  }
  int status = 0;
  CHECK(::waitpid(child, &status, 0) == child);
  std::filesystem::remove_all(folder);
  CHECK(status == 0);
}

void run(std::uint64_t urls, std::uint64_t memory, std::uint64_t commits) {
  measure([&](const std::string& folder) {
    OurUrls ours(folder, memory);
    offer_all("ours", ours, urls, folder);
  });
  measure([&](const std::string& folder) {
    RocksUrls rocks(folder, memory);
    offer_all("RocksDB", rocks, urls, folder);
  });
  measure([&](const std::string& folder) {
    OurLog log(folder);
    commit_all("ours", log, commits);
  });
  measure([&](const std::string& folder) {
    RocksLog log(folder);
    commit_all("RocksDB", log, commits);
  });
}

}  // namespace
}  // namespace bowerbird

int main(int argc, char** argv) {
  const auto count = [&](int i, std::uint64_t otherwise) {
    return argc > i ? bowerbird::parse_count(argv[i]).value() : otherwise;
  };
  const std::uint64_t memory = argc > 2 ? bowerbird::parse_bytes(argv[2]).value() : std::uint64_t{256} << 20;
  bowerbird::run(count(1, 5'000'000), memory, count(3, 1000));
}
