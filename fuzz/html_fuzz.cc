// The HTML scanner: splitting a page changes nothing, without text the links are the same, every string is
// valid UTF-8, and every link is in the page.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "parse/html_testing.h"

using namespace bowerbird;

namespace {

void check_spans(const HtmlPage& page) {
  for (const HtmlLink& link : page.links) {
    CHECK(link.href.at + link.href.size <= page.strings.size());
    CHECK(link.anchor.at + link.anchor.size <= page.text.size());
  }
  std::uint32_t end = 0;
  for (const TextSpan& span : page.weak) {
    CHECK(span.at >= end && span.size > 0);
    end = span.at + span.size;
  }
  CHECK(end <= page.text.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view html(reinterpret_cast<const char*>(data), size);
  HtmlOptions options;
  options.requisites = true;
  HtmlScanner scanner(options);
  HtmlPage page;
  scanner.scan(html, page);
  const std::string whole = describe(page);

  CHECK(is_valid_utf8(whole));
  check_spans(page);
  // The page with all its references resolved contains every value: no value is made of bytes that are not
  // adjacent.
  std::string resolved;
  append_attribute_value(resolved, html);
  for (const HtmlLink& link : page.links) {
    // In a frame they are resolved again.
    CHECK(link.in_frame || link.in_css || resolved.find(page.href(link)) != std::string::npos);
  }

  const std::size_t first = size > 0 ? data[0] : 0;
  const std::size_t piece = size > 1 ? 1 + data[1] % 64 : 1;
  CHECK(scan_in_pieces(scanner, html, std::min(first, size), piece) == whole);

  HtmlOptions no_text = options;
  no_text.text = false;
  HtmlPage links;
  HtmlScanner(no_text).scan(html, links);
  CHECK(hrefs(links) == hrefs(page));
  CHECK(links.title == page.title && links.text.empty());
  return 0;
}
