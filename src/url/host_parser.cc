#include "url/host_parser.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/utf8.h"
#include "url/idna.h"
#include "url/ip_address.h"
#include "url/percent.h"

namespace bowerbird {

namespace {

bool has_punycode_label(std::string_view host) {
  for (std::size_t at = host.find("--"); at != std::string_view::npos; at = host.find("--", at + 1)) {
    if (at < 2 || ascii_lower(host[at - 2]) != 'x' || ascii_lower(host[at - 1]) != 'n') continue;
    if (at == 2 || host[at - 3] == '.') return true;
  }
  return false;
}

// The last label begins with a digit: cheap, and true of every host that ends in a number.
bool may_end_in_number(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const std::size_t begin = host.rfind('.') + 1;  // npos + 1 is 0
  return begin < host.size() && is_ascii_digit(host[begin]);
}

// Appends the bytes as UTF-8, U+FFFD for what is malformed.
std::string well_formed(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const Utf8Step step = decode_utf8(bytes);
    append_utf8(text, step.code_point);
    bytes.remove_prefix(step.size);
  }
  return text;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
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

// Everything but plain lower case names.
UrlFault append_unusual_host(std::string_view raw, std::string& out, std::uint32_t& notes) {
  const std::size_t at = out.size();
  const std::string name = well_formed(percent_decoded(raw));
  if (raw.find('%') != std::string_view::npos) notes |= kNoteHostEscapes;
  if (is_ascii(name) && !has_punycode_label(name)) {
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
  if (common == 0 || may_end_in_number(raw) || has_punycode_label(raw)) {
    return append_unusual_host(raw, out, notes);
  }
  out.append(raw);
  return UrlFault::kNone;
}

}  // namespace bowerbird
