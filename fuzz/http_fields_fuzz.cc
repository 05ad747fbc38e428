// Fields and heads of HTTP, and bodies whose type is sniffed. Properties: what was parsed, written in the
// usual form and parsed again is the same; links of heads are absolute URLs; with nosniff no type can contain
// scripts.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "parse/header_links.h"
#include "parse/http_head.h"
#include "parse/mime_sniff.h"
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
    if (link.anchor) text += "; anchor=" + quoted(*link.anchor);
    const auto again = parse_link(text);
    CHECK(again.size() == 1);
    CHECK(again[0].target == link.target);
    CHECK(again[0].rel == link.rel);
    CHECK(again[0].hreflang == link.hreflang);
    CHECK(again[0].type == link.type);
    CHECK(again[0].anchor == link.anchor);
  }
}

// The input as a complete head.
void check_head(std::string_view head) {
  const ContentType type = content_type_of(head);
  if (!type.type.empty()) {
    const std::string again = "x\nContent-Type: " + type.type + "; charset=" + quoted(type.charset) + "\n";
    CHECK(content_type_of(again).type == type.type);
    CHECK(content_type_of(again).charset == type.charset);
  }
  std::size_t fields = 0;
  each_field(head, "link", [&](std::string_view) { ++fields; });
  CHECK((fields == 0) == (head_field(head, "link").data() == nullptr));
  Url own;
  CHECK(parse_url("http://a.example/b", nullptr, own) == UrlFault::kNone);
  HtmlPage page;
  add_header_links(head, own, page);
  for (const HtmlLink& link : page.links) {
    Url url;
    CHECK(parse_url(page.href(link), nullptr, url) == UrlFault::kNone);
    CHECK(url.text() == page.href(link));
  }
}

void check_sniffing(std::string_view bytes) {
  const std::string_view safe = sniff_type(bytes, true);
  CHECK(safe != "text/html" && safe != "application/pdf" && !safe.ends_with("xml"));
  const std::string_view type = sniff_type(bytes, false);
  const bool scriptable = type == "text/html" || type == "application/pdf" || type.ends_with("xml");
  CHECK(scriptable || type == safe);
}

void check_dates(std::string_view value) {
  for (const auto time : {parse_http_date(value, kNow), parse_mail_date(value), parse_w3c_date(value)}) {
    // A zone may move the first and last times out of the years with four digits.
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
  bowerbird::check_head(value);
  bowerbird::check_sniffing(value);
  bowerbird::check_dates(value);
  bowerbird::check_directives(value);
  bowerbird::check_caching(value);
  return 0;
}
