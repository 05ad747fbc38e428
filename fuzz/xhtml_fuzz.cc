// XHTML: any page is read, as XML or as HTML; every string is valid UTF-8; without text the links are the
// same; and a page that is not well-formed is read as if it had never been tried as XML.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "parse/html_testing.h"
#include "parse/page_reader.h"

using namespace bowerbird;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  has_xhtml_root(bytes);
  HtmlOptions options;
  options.requisites = true;
  static PageReader reader(options);
  HtmlPage page;
  reader.read(bytes, {{}, {}, true}, page);
  const std::string whole = describe(page);
  CHECK(is_valid_utf8(whole));

  options.text = false;
  static PageReader without_text(options);
  HtmlPage links;
  without_text.read(bytes, {{}, {}, true}, links);
  CHECK(links.xhtml == page.xhtml && hrefs(links) == hrefs(page) && links.title == page.title);

  if (page.xhtml) return 0;
  HtmlPage html;
  reader.read(bytes, {}, html);
  CHECK(describe(html) == whole);
  return 0;
}
