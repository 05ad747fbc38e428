#include "replay/memento.h"

#include <fmt/format.h>

#include <set>

#include "parse/dates.h"
#include "replay/address.h"

namespace bowerbird {

namespace {

// URLs of captures are hostile: characters that would end <...> are escaped.
std::string link_target(std::string_view url) {
  std::string out = "<";
  for (const char c : url) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte >= 0x7f || c == '<' || c == '>' || c == '"') {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned>(byte));
    } else {
      out.push_back(c);
    }
  }
  return out + '>';
}

std::string memento_link(const FoundCapture& capture, std::string_view origin, std::string_view rel) {
  return fmt::format(
      "{}; rel=\"{}\"; datetime=\"{}\"",
      link_target(std::string(origin) + memento_address(capture.entry.time, capture.entry.url)), rel,
      format_http_date(capture.entry.time));
}

}  // namespace

std::string memento_links(const std::vector<FoundCapture>& captures, std::size_t at, std::string_view url,
                          std::string_view origin) {
  const std::string base(origin);
  const std::string original(url);
  std::string links = link_target(original) + "; rel=\"original\"";
  if (at != captures.size()) links += ", " + link_target(base + "/web/" + original) + "; rel=\"timegate\"";
  links += ", " + link_target(base + "/timemap/link/" + original) +
           "; rel=\"timemap\"; type=\"application/link-format\"";
  if (captures.empty()) return links;
  const std::size_t last = captures.size() - 1;
  const auto add = [&](std::size_t i, std::string_view rel) {
    links += ", " + memento_link(captures[i], origin, rel);
  };
  if (at == captures.size()) {
    add(0, last == 0 ? "first last memento" : "first memento");
    if (last > 0) add(last, "last memento");
    return links;
  }
  // One link per capture, with all its relations.
  std::set<std::size_t> shown = {0, at, last};
  if (at > 0) shown.insert(at - 1);
  if (at < last) shown.insert(at + 1);
  for (const std::size_t i : shown) {
    std::string rel;
    if (i == 0) rel += "first ";
    if (i + 1 == at) rel += "prev ";
    if (i == at + 1) rel += "next ";
    if (i == last) rel += "last ";
    add(i, rel + "memento");
  }
  return links;
}

std::string time_map(const std::vector<FoundCapture>& captures, std::string_view url,
                     std::string_view origin) {
  const std::string base(origin);
  const std::string original(url);
  std::string out = link_target(original) + "; rel=\"original\",\n" + link_target(base + "/web/" + original) +
                    "; rel=\"timegate\",\n" + link_target(base + "/timemap/link/" + original) +
                    "; rel=\"self\"; type=\"application/link-format\"";
  for (std::size_t i = 0; i < captures.size(); ++i) {
    std::string rel;
    if (i == 0) rel += "first ";
    if (i + 1 == captures.size()) rel += "last ";
    out += ",\n" + memento_link(captures[i], origin, rel + "memento");
  }
  return out + "\n";
}

}  // namespace bowerbird
