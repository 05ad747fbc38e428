// Sitemaps. The first byte of the input determines the pieces in which the rest arrives. Properties: the
// pieces make no difference; limits hold; a plain sitemap written from the result gives the same URLs.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "base/check.h"
#include "parse/sitemap.h"

namespace bowerbird {
namespace {

struct Found {
  std::vector<std::string> urls;
  SitemapOutcome outcome;
};

SitemapOptions small_options() {
  SitemapOptions options;
  options.max_entries = 50;
  options.max_bytes = 1 << 18;
  options.max_text = 300;
  return options;
}

Found read(std::string_view bytes, std::size_t piece) {
  const SitemapOptions options = small_options();
  Found found;
  SitemapParser parser(
      [&](const SitemapEntry& entry) {
        CHECK(!entry.url.empty());
        CHECK(entry.url.size() <= options.max_text);
        found.urls.push_back(entry.url);
      },
      options);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), piece))) {
    if (!parser.push(bytes.substr(0, piece))) break;
  }
  found.outcome = parser.finish();
  CHECK(found.outcome.entries == found.urls.size());
  CHECK(found.urls.size() <= options.max_entries);
  CHECK(found.outcome.bytes <= options.max_bytes);
  return found;
}

std::string written(const std::vector<std::string>& urls) {
  std::string text = "<urlset>";
  for (const std::string& url : urls) {
    text += "<url><loc>";
    for (const char c : url) {
      if (c == '&') {
        text += "&amp;";
      } else if (c == '<') {
        text += "&lt;";
      } else if (c == '>') {
        text += "&gt;";
      } else if (c == '\r' || c == '\n' || c == '\t') {
        text += "&#" + std::to_string(static_cast<int>(c)) + ";";
      } else {
        text += c;
      }
    }
    text += "</loc></url>";
  }
  return text + "</urlset>";
}

}  // namespace
}  // namespace bowerbird

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bowerbird;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const Found whole = read(bytes, bytes.size() + 1);
  const Found pieces = read(bytes, 1 + data[0] % 64);
  CHECK(whole.urls == pieces.urls);
  CHECK(whole.outcome.kind == pieces.outcome.kind);
  CHECK(whole.outcome.problem == pieces.outcome.problem);
  // Text sitemaps may contain bytes that XML cannot.
  if (whole.outcome.kind == SitemapKind::kText || whole.outcome.kind == SitemapKind::kUnknown) return 0;
  const Found again = read(written(whole.urls), 4096);
  CHECK(again.urls == whole.urls);
  return 0;
}
