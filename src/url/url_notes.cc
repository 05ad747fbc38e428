#include "url/url_notes.h"

#include <array>
#include <utility>

namespace bowerbird {

std::string_view fault_text(UrlFault fault) {
  switch (fault) {
    case UrlFault::kNone:
      return "no fault";
    case UrlFault::kRelative:
      return "relative, and there is no base URL to resolve it against";
    case UrlFault::kScheme:
      return "not http or https";
    case UrlFault::kHostMissing:
      return "has no host";
    case UrlFault::kHostCharacter:
      return "the host contains a character that no host name can contain";
    case UrlFault::kHostName:
      return "the host is not a valid internationalised name (IDNA)";
    case UrlFault::kIpv4:
      return "the host ends in a number but is not an IPv4 address";
    case UrlFault::kIpv6:
      return "the host is in brackets but is not an IPv6 address";
    case UrlFault::kPort:
      return "the port is not a number from 0 to 65535";
    case UrlFault::kDnsName:
      return "the host cannot be in the DNS: an empty label, one over 63 bytes, or over 253 bytes in total";
    case UrlFault::kTooLong:
      return "too long";
  }
  return "unknown fault";
}

std::vector<std::string_view> note_texts(std::uint32_t notes) {
  static constexpr std::array<std::pair<UrlNote, std::string_view>, 24> kTexts = {{
      {kNoteTrimmed, "blanks or control characters at the ends removed"},
      {kNoteTabs, "tabs and line ends removed"},
      {kNoteRelative, "resolved against the base URL"},
      {kNoteScheme, "scheme made lower case"},
      {kNoteSlashes, "slashes after the scheme made two, backslashes made slashes"},
      {kNoteHostCase, "host made lower case"},
      {kNoteHostEscapes, "escapes in the host resolved"},
      {kNoteIdna, "internationalised host name made ASCII (IDNA)"},
      {kNoteAddress, "address written in its usual form"},
      {kNoteDefaultPort, "default port removed"},
      {kNoteEmptyPort, "empty port removed"},
      {kNotePortZeros, "leading zeros of the port removed"},
      {kNoteDots, "'.' and '..' segments resolved"},
      {kNoteEncoded, "characters escaped that a URL cannot contain"},
      {kNoteFragment, "fragment removed"},
      {kNoteCredentials, "user name and password removed"},
      {kNoteTrailingDot, "dot at the end of the host removed"},
      {kNoteResolvedEscapes, "needless escapes resolved"},
      {kNoteUpperEscapes, "escapes made upper case"},
      {kNoteNotUri, "characters escaped that RFC 3986 does not allow bare"},
      {kNoteSession, "session identifier removed"},
      {kNoteTracking, "tracking parameter removed"},
      {kNoteEmptyParameters, "empty parameters removed"},
      {kNoteEmptyQuery, "empty query removed"},
  }};
  std::vector<std::string_view> texts;
  for (const auto& [bit, text] : kTexts) {
    if (notes & bit) texts.push_back(text);
  }
  return texts;
}

}  // namespace bowerbird
