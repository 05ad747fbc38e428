#include "crawl/judge/answer_facts.h"

#include <algorithm>

#include "parse/http_fields.h"
#include "parse/http_head.h"

namespace bowerbird {

AnswerFacts answer_facts(std::string_view head) {
  AnswerFacts facts;
  if (const auto tag = parse_etag(head_field(head, "etag"))) facts.etag = tag->text();
  const std::string_view date = head_field(head, "date");
  facts.date = std::max<UnixTime>(0, parse_http_date(date, 0).value_or(0));
  const UnixTime modified = parse_http_date(head_field(head, "last-modified"), facts.date).value_or(0);
  if (modified > 0 && (facts.date == 0 || modified <= facts.date)) facts.modified = modified;
  CacheControl control;
  each_field(head, "cache-control", [&](std::string_view value) { add_cache_control(value, control); });
  if (control.no_store || control.no_cache) return facts;
  const std::string_view expires = head_field(head, "expires");
  if (facts.date > 0 || control.max_age) {
    const auto lifetime = freshness_lifetime(control, expires, date, facts.date);
    facts.fresh_for = std::max<std::int64_t>(0, lifetime.value_or(0));
  }
  return facts;
}

std::string conditional_fields(std::string_view etag, UnixTime modified) {
  std::string fields;
  if (!etag.empty()) fields.append("If-None-Match: ").append(etag).append("\r\n");
  if (modified > 0) fields.append("If-Modified-Since: ").append(format_http_date(modified)).append("\r\n");
  return fields;
}

}  // namespace bowerbird
