#include "fetch/request_text.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "fetch/coding.h"

namespace bowerbird {

std::string harmless_fields(std::string_view lines) {
  constexpr std::array<std::string_view, 6> kHarmless = {
      "accept", "accept-encoding", "accept-language", "if-none-match", "if-modified-since", "cache-control"};
  std::string kept;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find("\r\n"));
    lines.remove_prefix(std::min(line.size() + 2, lines.size()));
    const std::string_view name = line.substr(0, line.find(':'));
    const auto is = [name](std::string_view one) { return equals_ignoring_case(one, name); };
    if (std::ranges::any_of(kHarmless, is)) kept.append(line).append("\r\n");
  }
  return kept;
}

RequestText::RequestText(const FetcherOptions& options) {
  const auto add = [this](std::string_view name, std::string_view value) {
    if (!value.empty()) common_.append(name).append(": ").append(value).append("\r\n");
  };
  add("User-Agent", options.user_agent);
  add("Accept", options.accept);
  add("Accept-Encoding", kAcceptedCodings);
  add("Accept-Language", options.accept_language);
}

std::string RequestText::of(const Url& url, std::string_view fields) const {
  std::string text;
  text.reserve(url.text().size() + common_.size() + fields.size() + 32);
  text.append("GET ").append(url.target()).append(" HTTP/1.1\r\nHost: ").append(url.host()).append("\r\n");
  for (std::string_view rest = common_; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find("\r\n") + 2);
    rest.remove_prefix(line.size());
    if (fields.empty() || !names_same_field(fields, line)) text.append(line);
  }
  return text.append(fields).append("\r\n");
}

std::string RequestText::of(const FetchRequest& request) const {
  Url url;
  if (parse_url(request.url, nullptr, url) != UrlFault::kNone) return {};
  return of(url, request.fields);
}

}  // namespace bowerbird
