// What does storing a page cost: CPU time a page and MB/s, as plain, gzip and zstd WARC, all of the store's
// work included?
//
// Real pages: BENCH_FILES of them (default 3,000, spread over the folder that html_corpus.h names), or text
// of our own making where there are none; each with a request, the head of an answer and metadata with 60
// links, as a crawl hands them over. The store runs as in a crawl, its writer thread and a commit a second,
// without fsync; CPU time is that of the whole process. Verifies: every record is read back and every digest
// checked. Prints a line of JSON per way of storing: digest computed by the store, or known already.
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

void measure(const Way& way, const std::vector<std::string>& bodies, const std::string& folder) {
  std::vector<StoredFetch> fetches;
  std::uint64_t bytes = 0;
  for (PageId page = 0; page < bodies.size(); ++page) {
    fetches.push_back(fetch_of(page, bodies[page]));
    if (way.digest_known) fetches.back().digest = sha1(bodies[page]);
    bytes += bodies[page].size();
  }
  StoreOptions options;
  options.compression = way.compression;
  options.level = way.level;
  options.durable = false;
  auto store = CrawlStore::open(folder, options, CrawlStore::Presence::kCreate);
  CHECK(store.ok());
  const MonotonicClock clock;
  const std::int64_t begin = clock.now_us();
  const double cpu_begin = cpu_seconds();
  std::int64_t committed = begin;
  std::vector<StoredLink> links(60);
  for (PageId page = 0; page < fetches.size(); ++page) {
    (*store)->add_url(fetches[page].url);
    for (std::size_t i = 0; i < links.size(); ++i)
      links[i] = {static_cast<PageId>((page + i * 7) % fetches.size()), 0};
    (*store)->add_links(page, links);
    (*store)->add_fetch(std::move(fetches[page]));
    (*store)->wait_while_congested();
    if (clock.now_us() - committed > 1'000'000) {
      committed = clock.now_us();
      (*store)->commit("");
    }
  }
  (*store)->commit("");
  CHECK((*store)->wait_for_commits().ok());
  const double cpu = cpu_seconds() - cpu_begin;
  const double seconds = static_cast<double>(clock.now_us() - begin) * 1e-6;
  const StoreCounts counts = (*store)->counts();
  CHECK((*store)->close("").ok());
  const double close_cpu = cpu_seconds() - cpu_begin - cpu;
  const auto n = static_cast<double>(bodies.size());
  fmt::print(
      "{{\"store\":\"{}\",\"pages\":{},\"bytes_per_page\":{:.0f},\"cpu_us_per_page\":{:.1f},\"pages_per_cpu_"
      "second\":{:.0f},"
      "\"MB_per_cpu_second\":{:.0f},\"wall_seconds\":{:.2f},\"stored_share\":{:.3f},\"close_cpu_us_per_"
      "page\":{:.1f}}}\n",
      way.name, bodies.size(), static_cast<double>(bytes) / n, cpu * 1e6 / n, n / cpu,
      static_cast<double>(bytes) / cpu * 1e-6, seconds,
      static_cast<double>(counts.warc_bytes) / static_cast<double>(bytes), close_cpu * 1e6 / n);
  std::fflush(stdout);
  store->reset();
  verify(folder, bodies.size());
}

int run(int argc, char** argv) {
  const std::vector<std::string> bodies = pages(argc, argv);
  const char* tmp = std::getenv("TMPDIR");
  const std::string folder = fmt::format("{}/warc_bench_{}", tmp != nullptr ? tmp : "/tmp", ::getpid());
  const Way ways[] = {
      {"none", WarcCompression::kNone, 0, false},    {"none, digest known", WarcCompression::kNone, 0, true},
      {"zstd", WarcCompression::kZstd, 0, false},    {"zstd, digest known", WarcCompression::kZstd, 0, true},
      {"zstd -1", WarcCompression::kZstd, -1, true}, {"zstd 1", WarcCompression::kZstd, 1, true},
      {"zstd 3", WarcCompression::kZstd, 3, true},   {"gzip, digest known", WarcCompression::kGzip, 0, true},
      {"gzip 1", WarcCompression::kGzip, 1, true},   {"gzip 6", WarcCompression::kGzip, 6, true}};
  for (const Way& way : ways) {
    measure(way, bodies, folder);
    fs::remove_all(folder);
  }
  return 0;
}

}  // namespace
}  // namespace bowerbird

int main(int argc, char** argv) {
  return bowerbird::run(argc, argv);
}
