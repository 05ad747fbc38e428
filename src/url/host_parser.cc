#include "url/host_parser.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "url/idna.h"
#include "url/ip_address.h"
#include "url/percent.h"

namespace bowerbird {

namespace {

// The last label begins with a digit: cheap, and true of every host that ends in a number.
bool may_end_in_number(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const std::size_t begin = host.rfind('.') + 1;  // npos + 1 is 0
  return begin < host.size() && is_ascii_digit(host[begin]);
}

UrlFault append_ipv6_host(std::string_view raw, std::string& out, std::uint32_t& notes) {
  if (!raw.ends_with(']')) return UrlFault::kIpv6;
  const auto pieces = parse_ipv6(raw.substr(1, raw.size() - 2));
  if (!pieces) return UrlFault::kIpv6;
  const std::size_t at = out.size();
  append_ipv6(out, *pieces);
  if (out.compare(at, std::string::npos, raw) != 0) notes |= kNoteAddress;
  return UrlFault::kNone;
}

// Everything except plain lower case names.
UrlFault append_unusual_host(std::string_view raw, std::string& out, std::uint32_t& notes) {
  const std::size_t at = out.size();
  std::string name;
  append_as_valid_utf8(name, percent_decoded(raw));
  if (raw.find('%') != std::string_view::npos) notes |= kNoteHostEscapes;
  if (is_ascii(name)) {  // accepted unchanged, even if a label that begins with "xn--" is not valid Punycode
    out += lowered(name);
    if (std::any_of(name.begin(), name.end(), is_ascii_upper)) notes |= kNoteHostCase;
  } else {
    if (!append_domain_to_ascii(name, out)) return UrlFault::kHostName;
    if (out.compare(at, std::string::npos, name) != 0) notes |= kNoteIdna;
  }
  const std::string_view host = std::string_view(out).substr(at);
  if (host.empty()) return UrlFault::kHostMissing;
  if (any_in_set(host, kForbiddenHost)) return UrlFault::kHostCharacter;
  if (!may_end_in_number(host) || !ends_in_number(host)) return UrlFault::kNone;
  const auto address = parse_ipv4(host);
  if (!address) return UrlFault::kIpv4;
  const std::string before(host);
  out.resize(at);
  append_ipv4(out, *address);
  if (out.compare(at, std::string::npos, before) != 0) notes |= kNoteAddress;
  return UrlFault::kNone;
}

}  // namespace

UrlFault append_host(std::string_view raw, std::string& out, std::uint32_t& notes) {
  if (raw.empty()) return UrlFault::kHostMissing;
  if (raw.front() == '[') return append_ipv6_host(raw, out, notes);
  unsigned common = kPlainHost;
  for (const char c : raw) common &= kByteSets[static_cast<unsigned char>(c)];
  if (common == 0 || may_end_in_number(raw)) return append_unusual_host(raw, out, notes);
  out.append(raw);
  return UrlFault::kNone;
}

}  // namespace bowerbird
