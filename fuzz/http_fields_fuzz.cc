// Fields of HTTP. Property: what was understood, written out in the usual form, is understood in the same
// way.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "parse/http_fields.h"
#include "parse/robots_directives.h"

namespace bowerbird {
namespace {

constexpr UnixTime kNow = 1'700'000'000;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

void check_content_type(std::string_view value) {
  const ContentType type = parse_content_type(value);
  if (type.type.empty()) return;
  const ContentType again = parse_content_type(type.type + "; charset=" + quoted(type.charset));
  CHECK(again.type == type.type);
  CHECK(again.charset == type.charset);
}

void check_links(std::string_view value) {
  for (const LinkField& link : parse_link(value)) {
    std::string text =
        "<" + link.target + ">; rel=" + quoted(link.rel) + "; hreflang=" + quoted(link.hreflang);
    if (!link.type.empty()) text += "; type=" + quoted(link.type);
    if (link.anchored) text += "; anchor=\"#\"";
    const auto again = parse_link(text);
    CHECK(again.size() == 1);
    CHECK(again[0].target == link.target);
    CHECK(again[0].rel == link.rel);
    CHECK(again[0].hreflang == link.hreflang);
    CHECK(again[0].type == link.type);
    CHECK(again[0].anchored == link.anchored);
  }
}

void check_dates(std::string_view value) {
  for (const auto time : {parse_http_date(value, kNow), parse_mail_date(value), parse_w3c_date(value)}) {
    // A zone may carry the first and last moments out of the years that have four digits.
    if (!time || *time < -62'135'596'800 || *time > 253'402'300'799) continue;
    CHECK(parse_http_date(format_http_date(*time), kNow) == time);
  }
  const auto wait = parse_retry_after(value, kNow);
  if (wait) CHECK(parse_retry_after(std::to_string(*wait), kNow) == wait);
}

void check_directives(std::string_view value) {
  RobotsDirectives directives;
  add_x_robots_tag(value, "Bowerbird", kNow, directives);
  std::string text;
  if (directives.noindex) text += "noindex,";
  if (directives.nofollow) text += "nofollow,";
  if (directives.noarchive) text += "noarchive,";
  if (directives.nosnippet) text += "nosnippet,";
  const bool usual = !directives.unavailable_after || (*directives.unavailable_after > -62'135'596'800 &&
                                                       *directives.unavailable_after <= 253'402'300'799);
  if (!usual) return;
  if (directives.unavailable_after)
    text += "unavailable_after: " + format_http_date(*directives.unavailable_after);
  RobotsDirectives again;
  add_robots_meta(text, kNow, again);
  CHECK(again == directives);
}

void check_caching(std::string_view value) {
  CacheControl control;
  add_cache_control(value, control);
  std::string text;
  if (control.no_store) text += "no-store,";
  if (control.no_cache) text += "no-cache,";
  if (control.max_age) text += "max-age=" + std::to_string(*control.max_age);
  CacheControl again;
  add_cache_control(text, again);
  CHECK(again.no_store == control.no_store);
  CHECK(again.no_cache == control.no_cache);
  CHECK(again.max_age == control.max_age);
  const auto tag = parse_etag(value);
  if (tag) CHECK(parse_etag(tag->text())->text() == tag->text());
}

}  // namespace
}  // namespace bowerbird

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view value(reinterpret_cast<const char*>(data), size);
  bowerbird::check_content_type(value);
  bowerbird::check_links(value);
  bowerbird::check_dates(value);
  bowerbird::check_directives(value);
  bowerbird::check_caching(value);
  return 0;
}
