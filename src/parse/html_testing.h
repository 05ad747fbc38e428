// For tests of the HTML scanner: a page as text, scanned whole, byte by byte and cut in two, which must all
// agree.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "parse/html_scanner.h"

namespace bowerbird {

// Everything on a page, in a form that can be compared.
inline std::string describe(const HtmlPage& page) {
  std::string out = fmt::format("title {}\nbase {} {}\ncharset {}\nlanguage {}\ntruncated {}\n", page.title,
                                page.has_base, page.string(page.base), page.string(page.charset),
                                page.string(page.language), page.truncated);
  for (const HtmlLink& link : page.links) {
    out += fmt::format("{} {} rel {} delay {} hreflang {} anchor {} {}\n", link_kind_name(link.kind),
                       page.href(link), link.rel, link.delay, page.string(link.hreflang), link.anchor.at,
                       page.anchor(link));
  }
  for (const RobotsMeta& robots : page.robots) {
    out += fmt::format("robots {} {}\n", page.string(robots.name), page.string(robots.content));
  }
  for (const TextSpan& span : page.weak) out += fmt::format("weak {} {}\n", span.at, span.size);
  return out + page.text;
}

// A copy in a buffer of exactly its size, so that a sanitizer detects an over-read.
class ExactBytes {
 public:
  explicit ExactBytes(std::string_view bytes) : data_(new char[bytes.size()]), size_(bytes.size()) {
    if (size_ > 0) std::memcpy(data_.get(), bytes.data(), size_);
  }
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_;
};

// Scans in pieces of `piece` bytes after a first one of `first`, each in a buffer of its own.
inline std::string scan_in_pieces(HtmlScanner& scanner, std::string_view html, std::size_t first,
                                  std::size_t piece) {
  HtmlPage page;
  scanner.begin(page);
  scanner.feed(ExactBytes(html.substr(0, first)).view());
  for (std::size_t at = first; at < html.size(); at += piece) {
    scanner.feed(ExactBytes(html.substr(at, piece)).view());
  }
  scanner.finish();
  return describe(page);
}

// Scans whole, and checks that cutting the page changes nothing.
inline HtmlPage scan_every_way(std::string_view html, const HtmlOptions& options = {}) {
  HtmlScanner scanner(options);
  HtmlPage page;
  const ExactBytes exact(html);
  scanner.scan(exact.view(), page);
  const std::string whole = describe(page);
  CHECK(scan_in_pieces(scanner, html, 0, 1) == whole);
  for (std::size_t cut = 0; cut <= html.size(); ++cut) {
    CHECK(scan_in_pieces(scanner, html, cut, html.size() + 1) == whole);
  }
  return page;
}

inline std::vector<std::string> hrefs(const HtmlPage& page) {
  std::vector<std::string> out;
  for (const HtmlLink& link : page.links) out.emplace_back(page.href(link));
  return out;
}

inline std::vector<std::string> hrefs(std::string_view html) {
  return hrefs(scan_every_way(html));
}

}  // namespace bowerbird
