#include "control/access.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/check.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

constexpr std::size_t kShortestToken = 16;

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = ascii_lower(c);
  return out;
}

std::string_view without_port(std::string_view authority) {
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.rfind(':');
  if (colon == authority.npos || (bracket != authority.npos && colon < bracket)) return authority;
  return authority.substr(0, colon);
}

bool is_ours(const AccessRules& rules, std::string_view authority) {
  const std::string whole = lower_case(authority);
  const std::string host(without_port(whole));
  return std::ranges::any_of(rules.hosts, [&](const std::string& ours) {
    return without_port(ours).size() == ours.size() ? host == ours : whole == ours;
  });
}

bool same_token(std::string_view given, const std::string& ours) {
  return !ours.empty() && given.size() == ours.size() &&
         CRYPTO_memcmp(given.data(), ours.data(), ours.size()) == 0;
}

std::string_view bearer(std::string_view field) {
  constexpr std::string_view kScheme = "bearer ";
  if (field.size() <= kScheme.size() || lower_case(field.substr(0, kScheme.size())) != kScheme) return {};
  return field.substr(kScheme.size());
}

// RFC 6454: "https://host:port", or "null".
bool is_own_origin(const AccessRules& rules, std::string_view origin) {
  const std::size_t scheme = origin.find("://");
  return scheme != origin.npos && is_ours(rules, origin.substr(scheme + 3));
}

}  // namespace

Refusal check_access(const AccessRules& rules, const HttpRequest& request, AccessNeed need) {
  if (request.local) return {};
  if (!is_ours(rules, request.authority))
    return {421, "this server answers only for its own address; use --listen-name to add a name"};
  const std::string_view origin = request.field("origin");
  if (!origin.empty() && !is_own_origin(rules, origin)) return {403, "requests from other sites are refused"};
  if (request.field("sec-fetch-site") == "cross-site" && need != AccessNeed::kNothing)
    return {403, "requests from other sites are refused"};
  if (need == AccessNeed::kNothing || (need == AccessNeed::kRead && rules.open_reading)) return {};
  const std::string_view given = bearer(request.field("authorization"));
  if (given.empty()) return {401, "a token is needed: Authorization: Bearer TOKEN"};
  if (same_token(given, rules.token)) return {};
  if (!same_token(given, rules.read_token)) return {401, "this token is not valid"};
  if (need == AccessNeed::kRead) return {};
  return {403, "this token only allows reading"};
}

std::string make_token() {
  unsigned char bytes[32];
  CHECK(RAND_bytes(bytes, sizeof bytes) == 1);
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string text;
  for (const unsigned char byte : bytes) text += kDigits[byte % 64];
  // Each byte gives six bits: 192 bits in all.
  return text;
}

Result<std::string> read_token_file(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return error("{}: cannot read the token file", path);
  if ((info.st_mode & 077) != 0)
    return error("{}: others can read this token; run chmod 600 on the file", path);
  BB_TRY(const auto file, MappedFile::open(path));
  std::string_view text = file->text();
  text = text.substr(0, text.find_first_of("\r\n"));
  if (text.size() < kShortestToken || text.size() > 1000)
    return error("{}: the token must have at least {} characters", path, kShortestToken);
  for (const char c : text) {
    if (c <= ' ' || c > '~') return error("{}: the token may contain only visible ASCII characters", path);
  }
  return std::string(text);
}

}  // namespace bowerbird
