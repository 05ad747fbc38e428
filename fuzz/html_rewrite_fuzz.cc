// Pages, documents of XML and style sheets whose URLs are replaced. Properties: the crawler's own reader
// finds no http link in what comes out but those that the mapper gave; nothing grows beyond a multiple of the
// input.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "parse/css.h"
#include "parse/html_rewrite.h"
#include "parse/html_scanner.h"

namespace bowerbird {
namespace {

constexpr std::string_view kMapped = "/web/20240101000000/m";

// Whether a browser that shows the page at http://replay.test/web/x would leave /web/.
bool leaves(std::string_view reference) {
  Url page, url;
  CHECK(parse_url("http://replay.test/web/x", nullptr, page) == UrlFault::kNone);
  if (parse_url(reference, &page, url) != UrlFault::kNone) return false;
  return url.host() != "replay.test" || !url.path().starts_with("/web/");
}

void check_rewriting(std::string_view input) {
  Url page;
  CHECK(parse_url("http://a.test/dir/page", nullptr, page) == UrlFault::kNone);
  const UrlMapper map = [](const Url& /*url*/, UrlUse /*use*/) { return std::string(kMapped); };
  const RewriteContext context{&page, &map};
  const std::string html = rewrite_html(input, context);
  // Every byte may become a reference, in frames of frames.
  CHECK(html.size() <= 200 * input.size() + 1000);
  HtmlScanner scanner;
  HtmlPage read;
  scanner.scan(html, read);
  CHECK(!read.has_base || !leaves(read.string(read.base)));
  for (const HtmlLink& link : read.links) CHECK(!leaves(read.href(link)));
  const std::string css = rewrite_css(input, context);
  read_css(css, CssPart::kSheet, [](const CssReference& reference) { CHECK(!leaves(reference.url)); });
  (void)rewrite_xml(input, context);
  CHECK(!leaves(rewrite_reference(input, UrlUse::kPage, context)));
}

}  // namespace
}  // namespace bowerbird

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bowerbird::check_rewriting({reinterpret_cast<const char*>(data), size});
  return 0;
}
