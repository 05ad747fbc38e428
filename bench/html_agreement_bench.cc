// Do our scanner and Gumbo find the same links, and where not, why?
//
//   html_agreement_bench [FOLDER]     real pages (html_corpus.h says which)
//   html_agreement_bench --soup N     N pages of random pieces of markup, whole and broken
//
// Links are compared in order: kind, href, rel; and the base. Each page that differs is shown with its first
// difference; for soup the page is first made as small as it can be and still differ, and equal ones are
// counted. docs/html.md explains the classes.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <set>

#include "base/rng.h"
#include "html_corpus.h"
#include "html_gumbo.h"
#include "parse/page_reader.h"

namespace bowerbird::bench {
namespace {

// The first difference as text, or empty.
std::string difference(const HtmlPage& page, const OraclePage& oracle) {
  const auto text = [](LinkKind kind, std::string_view href, std::uint32_t rel) {
    return fmt::format("{} {} {}", link_kind_name(kind), href, rel_text(rel));
  };
  for (std::size_t i = 0; i < std::max(page.links.size(), oracle.links.size()); ++i) {
    std::string ours = "nothing", theirs = "nothing";
    if (i < page.links.size()) {
      const HtmlLink& link = page.links[i];
      ours = text(link.kind, page.href(link), link.rel);
    }
    if (i < oracle.links.size()) {
      const OracleLink& link = oracle.links[i];
      theirs = text(link.kind, link.href, link.rel);
    }
    if (ours != theirs) return fmt::format("we: {}; Gumbo: {}", ours, theirs);
  }
  if (page.has_base != oracle.has_base || page.string(page.base) != oracle.base) {
    return fmt::format("we: base {}; Gumbo: base {}", page.string(page.base), oracle.base);
  }
  return {};
}

HtmlOptions links_alone() {
  HtmlOptions options;
  options.text = false;
  return options;
}

int compare_pages(const std::string& folder) {
  const std::vector<std::string> files = html_files(folder);
  if (files.empty()) {
    fmt::print(stderr, "{}: no pages there; give a folder, or --soup N\n", folder);
    return 1;
  }
  PageReader reader(links_alone());
  HtmlPage page;
  std::size_t differing = 0, links = 0;
  for (const std::string& file : files) {
    const std::string bytes = read_whole(file);
    reader.read(bytes, {}, page);
    links += page.links.size();
    const std::string found = difference(page, gumbo_links(reader.utf8()));
    if (found.empty()) continue;
    ++differing;
    fmt::print("{}: {}\n", file.substr(folder.size()), found);
  }
  fmt::print("{} pages, {} links: the same on {} pages, {:.4f} %\n", files.size(), links,
             files.size() - differing,
             100.0 * static_cast<double>(files.size() - differing) / static_cast<double>(files.size()));
  return 0;
}

// Markup with a meaning to the tokenizer or to us, whole and in parts.
const std::vector<std::string>& pieces() {
  static const std::vector<std::string> list = {"<a href=1>",
                                                "<a href='2'>",
                                                "<A HREF=\"3\" rel=nofollow>",
                                                "</a>",
                                                "<a name=x>",
                                                "<area href=4>",
                                                "<link rel=next href=5>",
                                                "<iframe src=6>",
                                                "</iframe>",
                                                "<base href=/b/>",
                                                "<base target=x>",
                                                "<meta http-equiv=refresh content='1;url=7'>",
                                                "<frameset>",
                                                "</frameset>",
                                                "<frame src=8>",
                                                "<body>",
                                                "</body>",
                                                "<html>",
                                                "</html>",
                                                "<head>",
                                                "</head>",
                                                "<noframes>",
                                                "</noframes>",
                                                "<noscript>",
                                                "</noscript>",
                                                "<noembed>",
                                                "</noembed>",
                                                "<script>",
                                                "</script>",
                                                "<style>",
                                                "</style>",
                                                "<title>",
                                                "</title>",
                                                "<textarea>",
                                                "</textarea>",
                                                "<xmp>",
                                                "</xmp>",
                                                "<svg>",
                                                "</svg>",
                                                "<math>",
                                                "</math>",
                                                "<mi>",
                                                "</mi>",
                                                "<foreignObject>",
                                                "</foreignObject>",
                                                "<desc>",
                                                "</desc>",
                                                "<template>",
                                                "</template>",
                                                "<table>",
                                                "</table>",
                                                "<tr>",
                                                "<td>",
                                                "</td>",
                                                "<p>",
                                                "</p>",
                                                "<div>",
                                                "</div>",
                                                "<b>",
                                                "</b>",
                                                "<li>",
                                                "<button>",
                                                "<form>",
                                                "<!--",
                                                "-->",
                                                "--!>",
                                                "<!-->",
                                                "<!--->",
                                                "<![CDATA[",
                                                "]]>",
                                                "<!doctype html>",
                                                "<!x",
                                                "<?",
                                                "</",
                                                "<",
                                                ">",
                                                "/>",
                                                "\"",
                                                "'",
                                                "=",
                                                " ",
                                                "href=9",
                                                "&amp;",
                                                "&copy",
                                                "&#x41;",
                                                "&",
                                                "x",
                                                "text ",
                                                "<br/>",
                                                "<svg/>",
                                                "<a href=10/>",
                                                "<a href=\"&lt;&copy=\">",
                                                "<script",
                                                "<!-- <script>",
                                                "\xC3\xA9",
                                                "\r\n",
                                                "<font color=red>",
                                                "<input type=hidden>",
                                                "<image src=x>"};
  return list;
}

using Soup = std::vector<std::size_t>;

std::string soup_text(const Soup& soup) {
  std::string text;
  for (const std::size_t i : soup) text += pieces()[i];
  return text;
}

struct Class {
  std::size_t pages = 0;
  std::set<std::string> examples;
};

// By the contents of the smallest differing page.
std::string class_of(std::string_view soup) {
  const auto has = [&](std::string_view what) { return soup.find(what) != std::string_view::npos; };
  if (has("<frame")) return "frames: we take <frame> anywhere, and other links inside framesets";
  const bool foreign = has("<svg>") || has("<math>");
  if (foreign && has("<![CDATA[")) return "foreign: CDATA right inside an integration point";
  if (foreign && has("</"))
    return "foreign: end tags, wrongly nested, that we take or do not take for its end";
  if (foreign) return "foreign: other";
  return "other";
}

int compare_soup(std::size_t count) {
  HtmlScanner scanner(links_alone());
  HtmlPage page;
  const auto differs = [&](const Soup& soup) {
    const std::string html = soup_text(soup);
    scanner.scan(html, page);
    return difference(page, gumbo_links(html));
  };
  std::map<std::string, Class> classes;
  std::size_t differing = 0;
  Rng rng(1);
  for (std::size_t i = 0; i < count; ++i) {
    Soup soup(1 + rng.below(12));
    for (std::size_t& piece : soup) piece = rng.below(pieces().size());
    if (differs(soup).empty()) continue;
    ++differing;
    for (std::size_t k = soup.size(); k > 0; --k) {
      Soup smaller = soup;
      smaller.erase(smaller.begin() + static_cast<std::ptrdiff_t>(k - 1));
      if (!differs(smaller).empty()) soup = smaller;
    }
    Class& counted = classes[class_of(soup_text(soup))];
    ++counted.pages;
    const std::string example = soup_text(soup) + "   " + differs(soup);
    if (counted.examples.size() < 4) counted.examples.insert(example);
  }
  for (const auto& [name, counted] : classes) {
    fmt::print("{:>8} {}\n", counted.pages, name);
    for (const std::string& example : counted.examples) fmt::print("           {}\n", example);
  }
  fmt::print("{} pages of soup: the same on {}, {:.2f} %\n", count, count - differing,
             100.0 * static_cast<double>(count - differing) / static_cast<double>(count));
  return 0;
}

}  // namespace
}  // namespace bowerbird::bench

int main(int argc, char** argv) {
  using namespace bowerbird::bench;
  if (argc >= 3 && std::string_view(argv[1]) == "--soup") return compare_soup(std::stoul(argv[2]));
  return compare_pages(pages_folder(argc, argv));
}
