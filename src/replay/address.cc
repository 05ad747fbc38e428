#include "replay/address.h"

#include <fmt/format.h>

#include "archive/capture_index.h"
#include "base/ascii.h"

namespace bowerbird {

namespace {

// "example.org/x" means http; some programs turn "http://x" into "http:/x".
bool parse_captured_url(std::string_view text, Url& url) {
  std::string whole(text);
  for (const std::string_view scheme : {"http:/", "https:/"}) {
    if (starts_ignoring_case(whole, scheme) && whole.size() > scheme.size() && whole[scheme.size()] != '/')
      whole.insert(scheme.size(), "/");
  }
  if (whole.find("://") == std::string::npos || !is_ascii_alpha(whole.front())) whole = "http://" + whole;
  Url parsed;
  if (parse_url(whole, nullptr, parsed) != UrlFault::kNone) return false;
  const std::string without_fragment = parsed.text().substr(0, parsed.text().find('#'));
  return parse_url(without_fragment, nullptr, url) == UrlFault::kNone;
}

}  // namespace

ReplayAddress parse_replay_address(std::string_view target) {
  constexpr std::string_view kWeb = "/web/";
  constexpr std::string_view kTimeMap = "/timemap/link/";
  ReplayAddress address;
  if (target.starts_with(kTimeMap)) {
    if (parse_captured_url(target.substr(kTimeMap.size()), address.url)) address.kind = ReplayAddress::kMap;
    return address;
  }
  if (!target.starts_with(kWeb) || target.size() == kWeb.size()) return address;
  target.remove_prefix(kWeb.size());
  const std::size_t slash = target.find('/');
  const std::string_view first = target.substr(0, slash);
  if (slash != std::string_view::npos && first == "*") {
    if (parse_captured_url(target.substr(slash + 1), address.url)) address.kind = ReplayAddress::kCalendar;
    return address;
  }
  const auto time = parse_timestamp(first);
  if (slash == std::string_view::npos || !time) {
    if (parse_captured_url(target, address.url)) address.kind = ReplayAddress::kGate;
    return address;
  }
  if (!parse_captured_url(target.substr(slash + 1), address.url)) return address;
  address.kind = ReplayAddress::kMemento;
  address.timestamp = first;
  address.time = *time;
  return address;
}

std::string memento_address(std::int64_t time, std::string_view url) {
  return fmt::format("/web/{}/{}", timestamp_of(time), url.substr(0, url.find('#')));
}

std::string form_value(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out.push_back(' ');
    } else if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
               hex_value(text[i + 2]) >= 0) {
      out.push_back(static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

std::string query_parameter(std::string_view target, std::string_view name) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {};
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (pair.substr(0, equals) == name)
      return equals == std::string_view::npos ? std::string() : form_value(pair.substr(equals + 1));
  }
  return {};
}

std::string query_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_ascii_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~' || c == '/' || c == ':') {
      out.push_back(c);
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}",
                     static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace bowerbird
