// The CSS reader. Properties: URLs come in the order of the text and stand in it; one without escapes is
// found as it is written; written out again as quoted url() tokens, the URLs are read as they were.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "parse/css.h"

namespace {

using namespace bowerbird;

std::string quoted(std::string_view url) {
  std::string out = "url(\"";
  for (const char c : url) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\r' || c == '\f') {
      out += c == '\n' ? "\\a " : c == '\r' ? "\\d " : "\\c ";
    } else {
      out += c;
    }
  }
  return out + "\")";
}

void check_part(std::string_view css, CssPart part) {
  std::vector<std::string> urls;
  std::string again = "a{";
  std::size_t end = 0;
  read_css(css, part, [&](const CssReference& found) {
    CHECK(found.at >= end && found.at + found.size <= css.size());
    end = found.at + found.size;
    const std::string_view written = css.substr(found.at, found.size);
    if (written.find('\\') == written.npos) CHECK(written == found.url);
    CHECK(!found.url.empty() && found.url.size() <= 3 * found.size);
    urls.emplace_back(found.url);
    again += "b:" + quoted(found.url) + ";";
  });
  std::size_t next = 0;
  read_css(again + "}", CssPart::kSheet, [&](const CssReference& found) {
    CHECK(next < urls.size() && found.use == CssUse::kImage && found.url == urls[next]);
    ++next;
  });
  CHECK(next == urls.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view css(reinterpret_cast<const char*>(data), size);
  check_part(css, CssPart::kSheet);
  check_part(css, CssPart::kDeclarations);
  return 0;
}
