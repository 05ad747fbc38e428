// Set-Cookie fields and cookies.txt. Properties: a jar that was written and read again is the same; no cookie
// reaches another domain, or http after https; sizes stay bounded; what is sent holds no line end.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "fetch/cookie_jar.h"
#include "url/site.h"

namespace bowerbird {
namespace {

constexpr UnixTime kNow = 1'700'000'000;

Url fuzz_url(const char* text) {
  Url url;
  CHECK(parse_url(text, nullptr, url) == UrlFault::kNone);
  return url;
}

void check_field(const std::string& field) {
  CHECK(field.size() <= CookieJar::kLongestField);
  CHECK(field.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
}

void check_file(const CookieJar& jar) {
  CookieJar again;
  CHECK(again.read(jar.text(), "cookies.txt", kNow).ok());
  CHECK(again.list() == jar.list());
  CHECK(jar.size() <= CookieJar::kMostCookies);
}

void check_response(std::string_view head) {
  static const Url https = fuzz_url("https://www.example.co.uk/dir/page?x");
  static const Url http = fuzz_url("http://www.example.co.uk/dir/page");
  static const Url other = fuzz_url("https://www.other.co.uk/dir/page");
  CookieJar jar;
  jar.take(https, head, kNow);
  check_field(jar.field_for(https, kNow));
  CHECK(jar.field_for(other, kNow).empty());
  CHECK(jar.field_for(http, kNow).empty());
  for (const Cookie& cookie : jar.list()) {
    CHECK(cookie.secure);
    CHECK(cookie.host_only || !is_public_suffix(cookie.domain));
  }
  const std::size_t before = jar.size();
  jar.take(http, head, kNow);
  CHECK(jar.size() >= before);
  check_file(jar);
}

void check_text(std::string_view text) {
  CookieJar jar;
  if (!jar.read(text, "cookies.txt", kNow).ok()) {
    CHECK(jar.size() == 0);
    return;
  }
  check_field(jar.field_for(fuzz_url("https://www.example.org/"), kNow));
  check_file(jar);
}

}  // namespace
}  // namespace bowerbird

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  bowerbird::check_response("HTTP/1.1 200 OK\r\nSet-Cookie: " + text + "\r\n\r\n");
  bowerbird::check_response(text);
  bowerbird::check_text(text);
  return 0;
}
