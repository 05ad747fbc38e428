#include "crawl/inspect/url_report.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "url/site.h"

namespace bowerbird {

std::string rejection_text(std::string_view text, UrlFault fault) {
  std::string reason(fault_text(fault));
  if (fault == UrlFault::kScheme) reason += fmt::format(": '{}'", trimmed(text.substr(0, text.find(':'))));
  return reason;
}

nlohmann::ordered_json url_report(std::string_view text, const Url* base, const CanonicalOptions& options) {
  nlohmann::ordered_json json = {{"input", text}};
  Url url;
  UrlFault fault = parse_url(text, base, url);
  if (fault == UrlFault::kNone) {
    json["parsed"] = url.text();
    fault = make_canonical(url, options);
  }
  if (fault != UrlFault::kNone) {
    json["rejected"] = rejection_text(text, fault);
    return json;
  }
  json["canonical"] = url.text();
  json["scheme"] = url.scheme();
  json["host"] = url.host();
  json["site"] = site_of_host(url.host());
  json["path"] = url.path();
  if (url.has_query()) json["query"] = url.query();
  json["depth"] = url.depth();
  json["changes"] = note_texts(url.notes());
  return json;
}

}  // namespace bowerbird
