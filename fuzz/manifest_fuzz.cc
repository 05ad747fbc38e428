// The icons of a web app manifest. Property: written out as a manifest of their own, they are read as they
// were.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "parse/web_manifest.h"

using namespace bowerbird;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view manifest(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> urls;
  nlohmann::json again = {{"icons", nlohmann::json::array()}};
  read_manifest_icons(manifest, [&](std::string_view url) {
    urls.emplace_back(url);
    again["icons"].push_back({{"src", url}});
  });
  CHECK(urls.size() <= size);
  const std::string text = again.dump();
  if (text.size() > size + 16 * urls.size() + 16) return 0;  // escapes may make it too large
  std::size_t next = 0;
  read_manifest_icons(text, [&](std::string_view url) {
    CHECK(next < urls.size() && url == urls[next]);
    ++next;
  });
  CHECK(next == urls.size());
  return 0;
}
