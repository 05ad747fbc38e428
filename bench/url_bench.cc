// How many links per second are canonicalised on one core, and how does that compare with other libraries?
// Real links: those of BENCH_FILES pages (default 3,000, spread over the folder that html_corpus.h names;
// relative ones are resolved against their page), and the absolute URLs of the graphs in BOWERBIRD_DATA.
// Verified first: the canonical form of a canonical form is the same. Others: libcurl's URL interface if it
// was found at build time (RFC 3986, no IDNA here), and Node's URL class (WHATWG) if node is installed, which
// measures its own CPU time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "html_corpus.h"
#include "parse/page_reader.h"
#include "sys/line_reader.h"
#include "url/canonical.h"
#ifdef BOWERBIRD_HAS_CURL
#include <curl/curl.h>
#endif

namespace bowerbird {
namespace {

namespace fs = std::filesystem;

struct Page {
  std::string url;
  Url base;
  std::vector<std::string> links;
};

struct Links {
  std::vector<Page> pages;
  std::size_t count = 0;
  std::size_t bytes = 0;

  void add(Page page) {
    count += page.links.size();
    for (const std::string& link : page.links) bytes += link.size();
    if (!page.links.empty()) pages.push_back(std::move(page));
  }
};

Links from_pages() {
  Links links;
  const std::string folder = bench::pages_folder(0, nullptr);
  const char* wanted = std::getenv("BENCH_FILES");
  const std::size_t most = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 3000;
  const std::vector<std::string> files = bench::html_files(folder);
  const std::size_t step = std::max<std::size_t>(1, files.size() / most);
  PageReader reader;
  HtmlPage html;
  for (std::size_t i = 0; i < files.size(); i += step) {
    Page page;
    page.url = "http:/" + files[i].substr(folder.size());
    if (parse_url(page.url, nullptr, page.base) != UrlFault::kNone) continue;
    reader.read(bench::read_whole(files[i]), {}, html);
    for (const HtmlLink& link : html.links) page.links.emplace_back(html.href(link));
    links.add(std::move(page));
  }
  return links;
}

Links from_graphs() {
  Links links;
  const char* data = std::getenv("BOWERBIRD_DATA");
  const fs::path folder =
      data != nullptr ? fs::path(data) : fs::path(BOWERBIRD_SOURCE_DIR) / "../shared/data";
  if (!fs::exists(folder)) return links;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.path().string().ends_with(".urls.gz")) continue;
    auto stream = InputStream::open(entry.path().string());
    if (!stream.ok()) continue;
    LineReader lines(**stream);
    Page page;
    std::string_view line;
    while (true) {
      const auto more = lines.next(line);
      if (!more.ok() || !*more) break;
      page.links.emplace_back(line);
    }
    page.url = "http://example.org/";
    (void)parse_url(page.url, nullptr, page.base);
    links.add(std::move(page));
  }
  return links;
}

const Links& links(int which) {
  static const Links all[] = {from_pages(), from_graphs()};
  return all[which];
}

void verify(const Links& all) {
  Url url;
  Url again;
  for (const Page& page : all.pages) {
    for (const std::string& link : page.links) {
      if (canonical_url(link, &page.base, url) != UrlFault::kNone) continue;
      if (canonical_url(url.text(), nullptr, again) == UrlFault::kNone && again == url && again.notes() == 0)
        continue;
      std::fprintf(stderr, "not its own canonical form: %s\n", url.text().c_str());
      std::exit(1);
    }
  }
}

template <typename Each>
void run(benchmark::State& state, Each each) {
  const Links& all = links(static_cast<int>(state.range(0)));
  if (all.count == 0) {
    state.SkipWithError("no links: set BOWERBIRD_PAGES and BOWERBIRD_DATA");
    return;
  }
  verify(all);
  std::size_t good = 0;
  for (auto _ : state) {
    good = 0;
    for (const Page& page : all.pages) {
      for (const std::string& link : page.links) good += each(page, link);
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * all.count));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * all.bytes));
  state.counters["links"] = static_cast<double>(all.count);
  state.counters["accepted"] = static_cast<double>(good) / static_cast<double>(all.count);
}

void BM_Canonical(benchmark::State& state) {
  Url url;
  run(state, [&url](const Page& page, const std::string& link) {
    return canonical_url(link, &page.base, url) == UrlFault::kNone;
  });
}

void BM_ParseOnly(benchmark::State& state) {
  Url url;
  run(state, [&url](const Page& page, const std::string& link) {
    return parse_url(link, &page.base, url) == UrlFault::kNone;
  });
}

#ifdef BOWERBIRD_HAS_CURL
void BM_Curl(benchmark::State& state) {
  CURLU* handle = curl_url();
  run(state, [handle](const Page& page, const std::string& link) {
    // A relative link replaces the URL of the handle, so the base is set again each time.
    curl_url_set(handle, CURLUPART_URL, page.url.c_str(), 0);
    if (curl_url_set(handle, CURLUPART_URL, link.c_str(), 0) != CURLUE_OK) return false;
    char* text = nullptr;
    if (curl_url_get(handle, CURLUPART_URL, &text, 0) != CURLUE_OK) return false;
    curl_free(text);
    return true;
  });
  curl_url_cleanup(handle);
}
#endif

void BM_Node(benchmark::State& state) {
  const Links& all = links(static_cast<int>(state.range(0)));
  if (all.count == 0 || std::system("node --version > /dev/null 2>&1") != 0) {
    state.SkipWithError("no links, or no node");
    return;
  }
  const fs::path file = fs::temp_directory_path() / fmt::format("bowerbird_links_{}", getpid());
  {
    std::ofstream out(file);
    for (const Page& page : all.pages) {
      for (const std::string& link : page.links) {
        std::string line = link;
        std::replace(line.begin(), line.end(), '\n', ' ');
        out << page.url << '\t' << line << '\n';
      }
    }
  }
  const std::string script =
      "const l=require('fs').readFileSync(process.argv[1],'utf8').split('\\n').map(x=>x.split('\\t'));"
      "let n=0;const t=process.cpuUsage();"
      "for(const [b,u] of l){try{n+=new URL(u,b).href.length}catch{}}"
      "const u=process.cpuUsage(t);console.log((u.user+u.system)/1e6)";
  for (auto _ : state) {
    double seconds = 0;
    FILE* pipe = popen(fmt::format("node -e \"{}\" {}", script, file.string()).c_str(), "r");
    if (pipe == nullptr || std::fscanf(pipe, "%lf", &seconds) != 1) state.SkipWithError("node failed");
    if (pipe != nullptr) pclose(pipe);
    state.SetIterationTime(seconds);
  }
  fs::remove(file);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * all.count));
}

// 0: links of pages, mostly relative; 1: absolute URLs.
BENCHMARK(BM_Canonical)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ParseOnly)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
#ifdef BOWERBIRD_HAS_CURL
BENCHMARK(BM_Curl)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
#endif
BENCHMARK(BM_Node)->Arg(0)->Arg(1)->Iterations(3)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bowerbird

BENCHMARK_MAIN();
