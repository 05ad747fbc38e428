// What does storing a page cost: CPU time per page and MB/s, as plain, gzip and zstd WARC, including all work
// of the store?
//
// Real pages: BENCH_FILES of them (default 3,000, spread over the folder of html_corpus.h), or generated text
// if there are none; each with a request, a response head and metadata with 60 links, as in a crawl. The
// store runs as in a crawl, with its writer thread and a commit per second, without fsync, until everything
// is committed, sealed and indexed. The time is the CPU time of the whole process for all pages. Verifies
// that every record can be read back and every digest is correct.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/rng.h"
#include "html_corpus.h"
#include "store/crawl_store.h"
#include "store/warc_check.h"
#include "sys/clock.h"

namespace bowerbird {
namespace {

namespace fs = std::filesystem;

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::vector<std::string> pages(int argc, char** argv) {
  const char* wanted = std::getenv("BENCH_FILES");
  const std::size_t most = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 3000;
  const std::vector<std::string> files = bench::html_files(bench::pages_folder(argc, argv));
  const std::size_t step = std::max<std::size_t>(1, files.size() / most);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < files.size() && texts.size() < most; i += step)
    texts.push_back(bench::read_whole(files[i]));
  Rng rng(1);
  while (texts.size() < most) {
    std::string text;
    while (text.size() < 30'000) text += fmt::format("<p>{:x} {}</p>\n", rng.below(5000), rng.below(100));
    texts.push_back(std::move(text));
  }
  return texts;
}

StoredFetch fetch_of(PageId page, const std::string& body) {
  StoredFetch fetch;
  fetch.page = page;
  fetch.url = fmt::format("http://host{}.example.org/folder/page-{}.html", page % 50, page);
  fetch.time_us = 1'763'270'400'000'000 + page * 150;
  fetch.request = fmt::format(
      "GET /folder/page-{}.html HTTP/1.1\r\nHost: host{}.example.org\r\nUser-Agent: bowerbird\r\nAccept: "
      "*/*\r\n\r\n",
      page, page % 50);
  fetch.response_head = fmt::format(
      "HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Sun, 16 Nov 2025 05:20:00 GMT\r\nContent-Type: text/html\r\n"
      "Content-Length: {}\r\nLast-Modified: Mon, 10 Nov 2025 10:00:00 GMT\r\nETag: \"{:x}\"\r\n\r\n",
      body.size(), page);
  fetch.body = body;
  fetch.status = 200;
  fetch.mime = "text/html";
  fetch.ip = "127.0.0.1";
  append_warc_field(fetch.metadata, "score", "0.000123");
  for (unsigned i = 0; i < 60; ++i) {
    append_warc_field(fetch.metadata, "outlink",
                      fmt::format("http://host{}.example.org/folder/page-{}.html", page % 50, page + i * 7));
  }
  return fetch;
}

struct Way {
  const char* name;
  WarcCompression compression;
  int level;
  bool digest_known;
};

void verify(const std::string& folder, std::size_t fetches) {
  std::uint64_t answers = 0;
  for (const auto& entry : fs::directory_iterator(folder + "/warc")) {
    const auto reader = WarcReader::open(entry.path().string());
    CHECK(reader.ok());
    const WarcReport report = check_warc(**reader);
    CHECK(report.problem_count == 0);
    for (const char* type : {"response", "revisit"}) {
      if (const auto found = report.types.find(type); found != report.types.end()) answers += found->second;
    }
  }
  CHECK(answers == fetches);
}

std::vector<StoredFetch> fetches_of(const std::vector<std::string>& bodies, bool digest_known) {
  std::vector<StoredFetch> fetches;
  for (PageId page = 0; page < bodies.size(); ++page) {
    fetches.push_back(fetch_of(page, bodies[page]));
    if (digest_known) fetches.back().digest = sha1(bodies[page]);
  }
  return fetches;
}

// As in a crawl.
void store_all(CrawlStore& store, std::vector<StoredFetch>& fetches) {
  const MonotonicClock clock;
  std::int64_t committed = clock.now_us();
  std::vector<StoredLink> links(60);
  for (PageId page = 0; page < fetches.size(); ++page) {
    store.add_url(fetches[page].url);
    for (std::size_t i = 0; i < links.size(); ++i) {
      links[i] = {static_cast<PageId>((page + i * 7) % fetches.size()), 0};
    }
    store.add_links(page, links);
    store.add_fetch(std::move(fetches[page]));
    store.wait_while_congested();
    if (clock.now_us() - committed > 1'000'000) {
      committed = clock.now_us();
      store.commit("");
    }
  }
  CHECK(store.close("").ok());
}

void measure(benchmark::State& state, const Way& way, const std::vector<std::string>& bodies) {
  const char* tmp = std::getenv("TMPDIR");
  const std::string folder = fmt::format("{}/warc_bench_{}", tmp != nullptr ? tmp : "/tmp", ::getpid());
  StoreOptions options;
  options.compression = way.compression;
  options.level = way.level;
  options.durable = false;
  double cpu = 0;
  std::uint64_t stored = 0;
  for (auto _ : state) {
    std::vector<StoredFetch> fetches = fetches_of(bodies, way.digest_known);
    const auto store = CrawlStore::open(folder, options, CrawlStore::Presence::kCreate);
    CHECK(store.ok());
    const double begin = cpu_seconds();
    store_all(**store, fetches);
    const double used = cpu_seconds() - begin;
    state.SetIterationTime(used);
    cpu += used;
    stored = (*store)->counts().warc_bytes;
    verify(folder, bodies.size());
    fs::remove_all(folder);
  }
  double bytes = 0;
  for (const std::string& body : bodies) bytes += static_cast<double>(body.size());
  const auto rounds = static_cast<double>(state.iterations());
  const auto pages = static_cast<double>(bodies.size());
  state.counters["us_per_page"] = cpu * 1e6 / (pages * rounds);
  state.counters["pages/cpu_s"] = pages * rounds / cpu;
  state.counters["bytes/cpu_s"] = bytes * rounds / cpu;
  state.counters["bytes_per_page"] = bytes / pages;
  state.counters["stored_share"] = static_cast<double>(stored) / bytes;
}

}  // namespace
}  // namespace bowerbird

int main(int argc, char** argv) {
  using bowerbird::WarcCompression;
  benchmark::Initialize(&argc, argv);
  const std::vector<std::string> bodies = bowerbird::pages(argc, argv);
  const bowerbird::Way ways[] = {{"none", WarcCompression::kNone, 0, false},
                                 {"none, digest known", WarcCompression::kNone, 0, true},
                                 {"zstd, digest known", WarcCompression::kZstd, 0, true},
                                 {"zstd -3, digest known", WarcCompression::kZstd, -3, true},
                                 {"zstd 3, digest known", WarcCompression::kZstd, 3, true},
                                 {"gzip, digest known", WarcCompression::kGzip, 0, true},
                                 {"gzip 6, digest known", WarcCompression::kGzip, 6, true}};
  for (const bowerbird::Way& way : ways) {
    benchmark::RegisterBenchmark(
        way.name, [&way, &bodies](benchmark::State& state) { bowerbird::measure(state, way, bodies); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
