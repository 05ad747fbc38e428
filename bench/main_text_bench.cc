// How fast is the main text of pages extracted: the tree alone, with blocks chosen and written as plain text,
// as Markdown, and with the metadata of the page? Real pages, decoded to UTF-8 beforehand (see html_corpus.h;
// including compressed ones; BENCH_MB, default 100, spread over all of them) or, if there are none, generated
// pages. Verified: every word of the main text is in the text that HtmlScanner finds, and every round finds
// the same text.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "html_corpus.h"
#include "parse/page_reader.h"
#include "parse/text/block_text.h"
#include "parse/text/main_text.h"

namespace bowerbird::bench {
namespace {

struct Pages {
  std::vector<std::string> list;  // UTF-8
  std::size_t bytes = 0;

  void add(std::string html) {
    bytes += html.size();
    list.push_back(std::move(html));
  }
};

std::string decoded(const std::string& path) {
  const std::string bytes = read_decompressed(path);
  HtmlOptions options;
  options.text = false;
  PageReader reader(options);
  HtmlPage page;
  reader.read(bytes, {}, page);
  return std::string(reader.utf8());
}

Pages load(const std::string& folder, std::size_t limit) {
  Pages pages;
  std::vector<std::string> files = html_files(folder);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().string().ends_with(".html.gz")) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  std::size_t total = 0;
  for (const std::string& file : files) total += std::filesystem::file_size(file);
  const std::size_t step = std::max<std::size_t>(1, total / limit);
  for (std::size_t i = 0; i < files.size(); i += step) pages.add(decoded(files[i]));
  return pages;
}

Pages made_up() {
  Pages pages;
  for (int i = 0; i < 2000; ++i) {
    std::string html = fmt::format("<title>Page {}</title><nav><ul>", i);
    for (int k = 0; k < 40; ++k)
      html += fmt::format("<li class='menu-item'><a href='/page/{}'>Topic {}</a></li>", k, k);
    html += "</ul></nav><main><article class='post'>";
    for (int k = 0; k < 30; ++k)
      html +=
          "<p>A paragraph of <b>some</b> words, with <a href='/x'>a link</a> here &amp; there. It goes "
          "on.</p>";
    pages.add(html + "</article></main><footer class='footer'>About us</footer>");
  }
  return pages;
}

const Pages& pages() {
  static const Pages all = [] {
    const char* wanted = std::getenv("BENCH_MB");
    const std::string folder = pages_folder(0, nullptr);
    if (!std::filesystem::is_directory(folder)) return made_up();
    Pages found = load(folder, (wanted != nullptr ? std::stoul(wanted) : 100) << 20);
    return found.list.empty() ? made_up() : found;
  }();
  return all;
}

// Whether each word of the main text is in the page.
bool words_are_in_page(const TextExtractor& extractor, const std::string& html) {
  HtmlScanner scanner;
  HtmlPage page;
  scanner.scan(html, page);
  std::erase_if(page.text, is_ascii_space);
  const std::string text = extractor.main_text();
  WordReader words(text);
  for (TextWord word; words.next(word);) {
    if (page.text.find(text.substr(word.begin, word.end - word.begin)) == page.text.npos) return false;
  }
  return true;
}

// `made` returns a text made from a page.
template <typename Make>
void run(benchmark::State& state, Make made) {
  TextExtractor extractor;
  const Url none;
  std::uint64_t first = 0;
  std::size_t out = 0, found = 0;
  for (auto _ : state) {
    std::uint64_t digest = 0;
    out = found = 0;
    for (const std::string& html : pages().list) {
      extractor.read(html, none);
      const std::string text = made(extractor);
      digest = hash64(text, digest);
      out += text.size();
      found += extractor.main_found() ? 1 : 0;
    }
    if (first != 0 && digest != first) state.SkipWithError("another text in another round");
    first = digest;
  }
  const auto rounds = static_cast<double>(state.iterations());
  state.SetBytesProcessed(static_cast<std::int64_t>(static_cast<double>(pages().bytes) * rounds));
  state.counters["pages/s"] =
      benchmark::Counter(static_cast<double>(pages().list.size()) * rounds, benchmark::Counter::kIsRate);
  state.counters["pages"] = static_cast<double>(pages().list.size());
  state.counters["found"] = static_cast<double>(found);
  state.counters["out_bytes"] = static_cast<double>(out);
}

void BM_Tree(benchmark::State& state) {
  HtmlTokenizer<TreeBuilder> tokenizer;
  HtmlTree tree;
  std::size_t blocks = 0;
  for (auto _ : state) {
    blocks = 0;
    for (const std::string& html : pages().list) {
      tokenizer.sink().begin(tree);
      tokenizer.scan(html, html.size());
      tokenizer.sink().finish();
      blocks += tree.blocks.size();
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(pages().bytes) *
                          static_cast<std::int64_t>(state.iterations()));
  state.counters["blocks"] = static_cast<double>(blocks);
}

void BM_MainText(benchmark::State& state) {
  TextExtractor extractor;
  for (std::size_t i = 0; i < pages().list.size(); i += 20) {
    extractor.read(pages().list[i], {});
    if (!words_are_in_page(extractor, pages().list[i])) state.SkipWithError("a word that is not in the page");
  }
  run(state, [](const TextExtractor& page) { return page.main_text(); });
}

void BM_Markdown(benchmark::State& state) {
  run(state, [](const TextExtractor& page) { return page.markdown(); });
}

void BM_MainTextAndFacts(benchmark::State& state) {
  run(state, [](const TextExtractor& page) { return page.main_text() + page.facts().title; });
}

BENCHMARK(BM_Tree)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_MainText)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Markdown)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_MainTextAndFacts)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bowerbird::bench

BENCHMARK_MAIN();
