// How fast are pages read: only their links, whole and in pieces, with the encoding detected and converted,
// with anchors and text, with requisites, and by Gumbo in the same run? How many pages per second are
// processed from bytes to canonical links, as a crawler needs it? Real pages (see html_corpus.h; BENCH_MB,
// default 100, spread over all of them) or, if there are none, generated pages. Verified: every way of
// reading finds the same links as the first, and Gumbo finds as many on 99.9 % of the pages
// (html_agreement_bench explains the others).
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "html_corpus.h"
#include "html_gumbo.h"
#include "parse/fingerprint.h"
#include "parse/page_links.h"
#include "parse/page_reader.h"

namespace bowerbird::bench {
namespace {

struct Sample {
  std::string html;
  Url url;
};

struct Pages {
  std::vector<Sample> list;
  std::size_t bytes = 0;

  void add(std::string html, const std::string& url) {
    Sample sample{std::move(html), {}};
    if (parse_url(url, nullptr, sample.url) != UrlFault::kNone) return;
    bytes += sample.html.size();
    list.push_back(std::move(sample));
  }
};

// Every n-th page of the folder, so that all its sites are there. A page's URL is its path.
Pages load(const std::string& folder, std::size_t limit) {
  Pages pages;
  const std::vector<std::string> files = html_files(folder);
  std::size_t total = 0;
  for (const std::string& file : files) total += std::filesystem::file_size(file);
  const std::size_t step = std::max<std::size_t>(1, total / limit);
  for (std::size_t i = 0; i < files.size(); i += step)
    pages.add(read_whole(files[i]), "http:/" + files[i].substr(folder.size()));
  return pages;
}

Pages made_up(std::size_t count) {
  Pages pages;
  for (std::size_t i = 0; i < count; ++i) {
    std::string html = fmt::format("<!DOCTYPE html><html><head><title>Page {}</title></head><body><ul>", i);
    for (std::size_t k = 0; k < 60; ++k) {
      html += fmt::format(
          "<li class=\"entry\"><a class='ref' href=\"/page/{}?a=1&amp;b={}\">the {} words</a> and some "
          "<em>text</em> that stands between the links of a page, as it does.</li>\n",
          (i * 31 + k * 7) % count, k, k);
    }
    pages.add(html + "</ul></body></html>", fmt::format("http://example.org/page/{}", i));
  }
  return pages;
}

const Pages& pages() {
  static const Pages all = [] {
    const char* wanted = std::getenv("BENCH_MB");
    Pages found = load(pages_folder(0, nullptr), (wanted != nullptr ? std::stoul(wanted) : 100) << 20);
    return found.list.empty() ? made_up(5000) : found;
  }();
  return all;
}

HtmlOptions links_alone() {
  HtmlOptions options;
  options.text = false;
  return options;
}

const std::vector<std::size_t>& true_links() {
  static const std::vector<std::size_t> counts = [] {
    std::vector<std::size_t> list;
    HtmlScanner scanner(links_alone());
    HtmlPage page;
    for (const Sample& sample : pages().list) {
      scanner.scan(sample.html, page);
      list.push_back(page.links.size());
    }
    return list;
  }();
  return counts;
}

// `read` returns the number of links of a page. Every step-th page is read.
template <typename Read>
void run(benchmark::State& state, Read read, std::size_t step = 1, double tolerated = 0) {
  const auto& list = pages().list;
  const auto& truth = true_links();
  std::size_t links = 0, bytes = 0, count = 0, wrong = 0;
  for (auto _ : state) {
    links = bytes = count = wrong = 0;
    for (std::size_t i = 0; i < list.size(); i += step) {
      const std::size_t found = read(list[i]);
      wrong += found != truth[i] ? 1u : 0u;
      links += found;
      bytes += list[i].html.size();
      ++count;
    }
  }
  if (static_cast<double>(wrong) > tolerated * static_cast<double>(count))
    state.SkipWithError("links are missing, or too many");
  const auto each = [&](std::size_t n) {
    return static_cast<double>(n) * static_cast<double>(state.iterations());
  };
  state.SetBytesProcessed(static_cast<std::int64_t>(each(bytes)));
  state.counters["pages/s"] = benchmark::Counter(each(count), benchmark::Counter::kIsRate);
  state.counters["pages"] = static_cast<double>(count);
  state.counters["links"] = static_cast<double>(links);
}

void BM_LinksAlone(benchmark::State& state) {
  HtmlScanner scanner(links_alone());
  HtmlPage page;
  run(state, [&](const Sample& sample) {
    scanner.scan(sample.html, page);
    return page.links.size();
  });
}

void BM_LinksAloneInPieces(benchmark::State& state) {
  HtmlScanner scanner(links_alone());
  HtmlPage page;
  run(state, [&](const Sample& sample) {
    scanner.begin(page);
    for (std::size_t at = 0; at < sample.html.size(); at += 16384)
      scanner.feed(std::string_view(sample.html).substr(at, 16384));
    scanner.finish();
    return page.links.size();
  });
}

// Detects the encoding, and converts if it is not UTF-8.
void BM_LinksAloneAnyEncoding(benchmark::State& state) {
  PageReader reader(links_alone());
  HtmlPage page;
  run(state, [&](const Sample& sample) {
    reader.read(sample.html, {}, page);
    return page.links.size();
  });
}

void BM_LinksAnchorsText(benchmark::State& state) {
  HtmlScanner scanner;
  HtmlPage page;
  run(state, [&](const Sample& sample) {
    scanner.scan(sample.html, page);
    return page.links.size();
  });
}

void BM_LinksAnchorsTextRequisites(benchmark::State& state) {
  HtmlOptions options;
  options.requisites = true;
  HtmlScanner scanner(options);
  HtmlPage page;
  run(state, [&](const Sample& sample) {
    scanner.scan(sample.html, page);
    return static_cast<std::size_t>(
        std::count_if(page.links.begin(), page.links.end(),
                      [](const HtmlLink& link) { return link.kind < LinkKind::kImage; }));
  });
}

// Bytes to canonical links; with text: anchors, text and its fingerprint as well.
void BM_BytesToCanonicalLinks(benchmark::State& state) {
  const bool text = state.range(0) != 0;
  HtmlOptions options;
  options.text = text;
  PageReader reader(options);
  LinkResolver resolver;
  HtmlPage page;
  std::size_t bytes = 0;
  run(state, [&](const Sample& sample) {
    reader.read(sample.html, {}, page);
    if (text) benchmark::DoNotOptimize(fingerprint_text(page.text, page.weak));
    std::size_t links = 0;
    links += resolver.resolve(
        page, sample.url, [](const HtmlLink&) { return true; },
        [&](const HtmlLink&, const Url& url) {
          bytes += url.text().size();
          ++links;
          return 0u;
        },
        [&](const HtmlLink&, std::uint32_t) { ++links; });
    return links;
  });
  benchmark::DoNotOptimize(bytes);
}

void BM_Gumbo(benchmark::State& state) {
  run(
      state, [](const Sample& sample) { return gumbo_links(sample.html).links.size(); }, 8, 0.001);
}

BENCHMARK(BM_LinksAlone)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LinksAloneInPieces)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LinksAloneAnyEncoding)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LinksAnchorsText)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_LinksAnchorsTextRequisites)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_BytesToCanonicalLinks)->ArgName("text")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
// Every eighth of the pages.
BENCHMARK(BM_Gumbo)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bowerbird::bench

BENCHMARK_MAIN();
