// How fast are pages read? Links alone, links and text, in pieces, with the encoding to be found, and by
// Gumbo, over the same real pages (html_corpus.h says which; pages of our own making where there are none).
//
//   html_bench [FOLDER]
//
// Verified: every way of reading finds as many links as the first, and Gumbo as many as we on the pages it
// reads (differences are counted: html_agreement_bench explains them).
#include <fmt/format.h>

#include <ctime>

#include "base/check.h"
#include "html_corpus.h"
#include "html_gumbo.h"
#include "parse/page_reader.h"

namespace bowerbird::bench {
namespace {

struct Pages {
  std::vector<std::string> html;
  std::size_t bytes = 0;
};

// Every n-th page of the folder, so that all its sites are there, up to about `limit` bytes.
Pages load(const std::string& folder, std::size_t limit) {
  Pages pages;
  const std::vector<std::string> files = html_files(folder);
  std::size_t total = 0;
  for (const std::string& file : files) total += std::filesystem::file_size(file);
  const std::size_t step = std::max<std::size_t>(1, total / limit);
  for (std::size_t i = 0; i < files.size(); i += step) {
    pages.html.push_back(read_whole(files[i]));
    pages.bytes += pages.html.back().size();
  }
  if (!files.empty()) {
    fmt::print("{} of {} pages under {}, {:.1f} MB\n", pages.html.size(), files.size(), folder,
               static_cast<double>(pages.bytes) / 1e6);
  }
  return pages;
}

Pages made_up(std::size_t count) {
  Pages pages;
  for (std::size_t i = 0; i < count; ++i) {
    std::string html = fmt::format("<!DOCTYPE html><html><head><title>Page {}</title></head><body><ul>", i);
    for (std::size_t k = 0; k < 60; ++k) {
      html += fmt::format(
          "<li class=\"entry\"><a class='ref' href=\"/page/{}?a=1&amp;b={}\">the {} words</a> and some "
          "<em>text</em> "
          "that stands between the links of a page, as it does.</li>\n",
          (i * 31 + k * 7) % count, k, k);
    }
    pages.html.push_back(html + "</ul></body></html>");
    pages.bytes += pages.html.back().size();
  }
  fmt::print("no folder with pages: {} pages of our own making, {:.1f} MB\n", count,
             static_cast<double>(pages.bytes) / 1e6);
  return pages;
}

// Seconds of processor time that this thread has used: a busy machine does not change them much.
double seconds_used() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Best of five passes over all pages, in MB/s.
template <typename Read>
void report(std::string_view what, const Pages& pages, Read read, int passes = 5) {
  double best = 1e100;
  std::size_t links = 0;
  for (int pass = 0; pass < passes; ++pass) {
    const double start = seconds_used();
    links = 0;
    for (const std::string& html : pages.html) links += read(html);
    best = std::min(best, seconds_used() - start);
  }
  fmt::print("{:<44} {:>8.0f} MB/s {:>9.0f} pages/s {:>9} links\n", what,
             static_cast<double>(pages.bytes) / 1e6 / best, static_cast<double>(pages.html.size()) / best,
             links);
}

}  // namespace

int run(int argc, char** argv) {
  Pages pages = load(pages_folder(argc, argv), 200u << 20);
  if (pages.html.empty()) pages = made_up(5000);
  HtmlOptions only_links;
  only_links.text = false;
  HtmlOptions all = {};
  all.requisites = true;
  HtmlPage page;
  {
    HtmlScanner scanner(only_links);
    report("links alone", pages, [&](const std::string& html) {
      scanner.scan(html, page);
      return page.links.size();
    });
    report("links alone, in pieces of 16 KiB", pages, [&](const std::string& html) {
      scanner.begin(page);
      for (std::size_t at = 0; at < html.size(); at += 16384)
        scanner.feed(std::string_view(html).substr(at, 16384));
      scanner.finish();
      return page.links.size();
    });
    PageReader reader(only_links);
    report("links alone, encoding found and converted", pages, [&](const std::string& html) {
      reader.read(html, {}, page);
      return page.links.size();
    });
  }
  HtmlScanner scanner;
  report("links, anchors and text", pages, [&](const std::string& html) {
    scanner.scan(html, page);
    return page.links.size();
  });
  HtmlScanner everything(all);
  report("the same with requisites", pages, [&](const std::string& html) {
    everything.scan(html, page);
    return static_cast<std::size_t>(
        std::count_if(page.links.begin(), page.links.end(),
                      [](const HtmlLink& link) { return link.kind < LinkKind::kImage; }));
  });

  Pages few;
  for (std::size_t i = 0; i < pages.html.size(); i += 8) {
    few.html.push_back(pages.html[i]);
    few.bytes += few.html.back().size();
  }
  fmt::print("every eighth of these pages, {:.1f} MB:\n", static_cast<double>(few.bytes) / 1e6);
  HtmlScanner again(only_links);
  report("links alone", few, [&](const std::string& html) {
    again.scan(html, page);
    return page.links.size();
  });
  report(
      "Gumbo", few, [](const std::string& html) { return gumbo_links(html).links.size(); }, 1);
  return 0;
}

}  // namespace bowerbird::bench

int main(int argc, char** argv) {
  return bowerbird::bench::run(argc, argv);
}
