// URL parser and canonical form. Input: a base URL, a line end, a link (without a line end: only a link).
// Properties: a serialisation parses to itself; the canonical form is its own, contains only characters of
// RFC 3986, and does not depend on whether the link was parsed before.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "url/canonical.h"
#include "url/percent.h"

namespace bowerbird {
namespace {

void check_parts(const Url& url) {
  std::string whole(url.scheme());
  whole += "://";
  if (url.has_credentials()) {
    whole += url.username();
    if (!url.password().empty()) whole.append(":").append(url.password());
    whole += '@';
  }
  whole += url.host();
  CHECK(url.host().starts_with(url.hostname()));
  CHECK(url.path().starts_with('/'));
  whole += url.path();
  if (url.has_query()) whole.append("?").append(url.query());
  CHECK(url.target() == whole.substr(whole.size() - url.target().size()));
  if (url.has_fragment()) whole.append("#").append(url.fragment());
  CHECK(whole == url.text());
}

void check_parsed(const Url& url) {
  check_parts(url);
  Url again;
  CHECK(parse_url(url.text(), nullptr, again) == UrlFault::kNone);
  CHECK(again == url);
  CHECK(again.notes() == 0);
}

void check_canonical(const Url& parsed, std::string_view link, const Url* base,
                     const CanonicalOptions& options) {
  Url url;
  const UrlFault fault = canonical_url(link, base, url, options);
  Url other = parsed;
  CHECK(make_canonical(other, options) == fault);
  CHECK(other == url);
  if (fault != UrlFault::kNone) return;
  check_parsed(url);
  CHECK(url.text().size() <= options.max_length);
  CHECK(!any_in_set(url.target(), kNotUri));
  Url again;
  CHECK(canonical_url(url.text(), nullptr, again, options) == UrlFault::kNone);
  CHECK(again == url);
  CHECK(again.notes() == 0);
}

}  // namespace
}  // namespace bowerbird

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bowerbird;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = input.find('\n');
  const std::string_view link = line_end == std::string_view::npos ? input : input.substr(line_end + 1);
  Url base_url;
  const bool has_base = line_end != std::string_view::npos &&
                        parse_url(input.substr(0, line_end), nullptr, base_url) == UrlFault::kNone;
  const Url* base = has_base ? &base_url : nullptr;
  Url url;
  if (parse_url(link, base, url) != UrlFault::kNone) return 0;
  check_parsed(url);
  CanonicalOptions options;
  check_canonical(url, link, base, options);
  options.drop_sessions = options.drop_tracking = false;
  check_canonical(url, link, base, options);
  return 0;
}
