#include "web/http/http1.h"

#include <array>
#include <cstring>

namespace bowerbird {

namespace {

enum CharClass : unsigned char { kToken = 1, kVisible = 2, kHost = 4, kValue = 8 };

constexpr std::array<unsigned char, 256> make_classes() {
  std::array<unsigned char, 256> classes{};
  constexpr std::string_view token = "!#$%&'*+-.^_`|~";
  constexpr std::string_view host = "-._~!$&'()*+,;=%:[]";
  for (int c = 0; c < 256; ++c) {
    const auto ch = static_cast<char>(c);
    const bool alnum = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    unsigned char bits = 0;
    if (alnum || (c < 128 && token.find(ch) != token.npos)) bits |= kToken;
    if (c > 0x20 && c < 0x7f) bits |= kVisible;
    if (alnum || (c < 128 && host.find(ch) != host.npos)) bits |= kHost;
    if ((c >= 0x20 && c != 0x7f) || c == '\t') bits |= kValue;
    classes[static_cast<std::size_t>(c)] = bits;
  }
  return classes;
}
constexpr auto kClasses = make_classes();

bool all(std::string_view text, CharClass wanted) {
  for (const char c : text) {
    if ((kClasses[static_cast<unsigned char>(c)] & wanted) == 0) return false;
  }
  return true;
}

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

Http1Parse bad(int status, const char* why) {
  return {Http1Parse::kBad, 0, status, why};
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// The line that begins at `at`, without its end; `at` moves past it. There must be an LF.
std::string_view take_line(std::string_view bytes, std::size_t& at) {
  const std::size_t end = bytes.find('\n', at);
  std::string_view line = bytes.substr(at, end - at);
  if (line.ends_with('\r')) line.remove_suffix(1);
  at = end + 1;
  return line;
}

// The end of the head that begins at `at`: after its empty line, or npos.
std::size_t find_end(std::string_view bytes, std::size_t at) {
  for (;;) {
    const std::size_t lf = bytes.find('\n', at);
    if (lf == bytes.npos) return lf;
    if (lf + 1 < bytes.size() && bytes[lf + 1] == '\n') return lf + 2;
    if (lf + 2 < bytes.size() && bytes[lf + 1] == '\r' && bytes[lf + 2] == '\n') return lf + 3;
    at = lf + 1;
  }
}

bool valid_authority(std::string_view text) {
  if (!all(text, kHost)) return false;
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == text.npos ? 0 : bracket);
  if (colon == text.npos) return true;
  for (const char c : text.substr(colon + 1)) {
    if (c < '0' || c > '9') return false;
  }
  return true;
}

const char* parse_absolute(std::string_view text, Http1Request& request) {
  const std::size_t colon = text.find("://");
  if (colon == text.npos) return "the request target is neither a path nor a URL";
  if (field_is(text.substr(0, colon), "https")) {
    request.https = true;
  } else if (!field_is(text.substr(0, colon), "http")) {
    return "the scheme of the request target is not supported";
  }
  text.remove_prefix(colon + 3);
  const std::size_t slash = text.find_first_of("/?");
  request.authority = text.substr(0, slash);
  if (request.authority.empty() || !valid_authority(request.authority))
    return "the target's host is not valid";
  if (slash == text.npos) {
    request.target = "/";
  } else if (text[slash] == '?') {
    return "the target has no path";
  } else {
    request.target = text.substr(slash);
  }
  return nullptr;
}

// 3.2: origin-form, absolute-form, authority-form with CONNECT, asterisk-form with OPTIONS.
const char* parse_target(std::string_view text, Http1Request& request) {
  if (text.empty() || !all(text, kVisible))
    return "the request target contains a byte that is not allowed in a URL";
  if (text.find('#') != text.npos) return "the request target has a fragment";
  request.target = text;
  if (request.method == "CONNECT") return valid_authority(text) ? nullptr : "CONNECT needs host:port";
  if (text[0] == '/') return nullptr;
  if (text == "*") return request.method == "OPTIONS" ? nullptr : "only OPTIONS may request *";
  return parse_absolute(text, request);
}

// 3: method SP request-target SP HTTP-version
Http1Parse parse_request_line(std::string_view line, Http1Request& request) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == line.npos || first == last) return bad(400, "the request line does not have three parts");
  request.method = line.substr(0, first);
  if (request.method.empty() || !all(request.method, kToken)) return bad(400, "the method is not a token");
  const std::string_view version = line.substr(last + 1);
  if (version.size() != 8 || !version.starts_with("HTTP/") || version[6] != '.' || version[5] < '0' ||
      version[5] > '9' || version[7] < '0' || version[7] > '9') {
    return bad(400, "the request line does not end in an HTTP version");
  }
  if (version[5] != '1') return bad(505, "only HTTP/1.x is supported");
  request.minor = version[7] - '0';
  if (const char* why = parse_target(line.substr(first + 1, last - first - 1), request)) return bad(400, why);
  return {Http1Parse::kDone};
}

bool parse_length(std::string_view text, std::uint64_t& length) {
  if (text.empty() || text.size() > 18) return false;
  length = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    length = length * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return true;
}

// Collected from the fields and checked after the last one.
struct Framing {
  int hosts = 0;
  int lengths = 0;
  int codings = 0;
  bool close = false;
  bool keep_alive = false;
};

Http1Parse take_field(const HttpField& field, Http1Request& request, Framing& seen) {
  if (field_is(field.name, "host")) {
    if (!valid_authority(field.value)) return bad(400, "the Host field is not valid");
    if (++seen.hosts == 1 && request.authority.empty()) request.authority = field.value;
  } else if (field_is(field.name, "content-length")) {
    ++seen.lengths;
    if (!parse_length(field.value, request.content_length)) return bad(400, "Content-Length is not a number");
  } else if (field_is(field.name, "transfer-encoding")) {
    ++seen.codings;
    if (!field_is(field.value, "chunked")) return bad(501, "the only supported transfer coding is chunked");
    request.chunked = true;
  } else if (field_is(field.name, "connection")) {
    std::string_view rest = field.value;
    for (auto option = next_element(rest); !option.empty(); option = next_element(rest)) {
      seen.close |= field_is(option, "close");
      seen.keep_alive |= field_is(option, "keep-alive");
    }
  }
  return {Http1Parse::kDone};
}

Http1Parse judge(Http1Request& request, const Framing& seen) {
  // 3.2: exactly one Host, except in HTTP/1.0, which does not require it.
  if (seen.hosts > 1) return bad(400, "more than one Host field");
  if (seen.hosts == 0 && request.minor > 0) return bad(400, "no Host field");
  // 6.1 and 6.3: ambiguous framing permits request smuggling.
  if (seen.lengths > 1) return bad(400, "more than one Content-Length");
  if (seen.codings > 1) return bad(400, "more than one Transfer-Encoding");
  if (request.chunked && seen.lengths > 0) return bad(400, "both Content-Length and Transfer-Encoding");
  if (request.chunked && request.minor == 0) return bad(400, "Transfer-Encoding in HTTP/1.0");
  request.keep_alive = !seen.close && (request.minor > 0 || seen.keep_alive);  // 9.3
  return {Http1Parse::kDone};
}

Http1Parse parse_field_line(std::string_view line, HttpField& field) {
  if (line[0] == ' ' || line[0] == '\t') return bad(400, "a folded field line");  // 2.2, 5.2
  const std::size_t colon = line.find(':');
  if (colon == line.npos || colon == 0) return bad(400, "a field line without a name and a colon");
  field.name = line.substr(0, colon);
  if (!all(field.name, kToken)) return bad(400, "a field name that is not a token");  // 5.1
  field.value = trimmed(line.substr(colon + 1));
  if (!all(field.value, kValue)) return bad(400, "a field value with a control character");
  return {Http1Parse::kDone};
}

Http1Parse parse_fields(std::string_view bytes, std::size_t at, const Http1Limits& limits,
                        Http1Request& request) {
  Framing seen;
  for (;;) {
    const std::string_view line = take_line(bytes, at);
    if (line.empty()) return judge(request, seen);
    if (request.fields.size() == limits.fields) return bad(431, "too many fields");
    HttpField field;
    if (auto result = parse_field_line(line, field); result.state == Http1Parse::kBad) return result;
    if (auto result = take_field(field, request, seen); result.state == Http1Parse::kBad) return result;
    request.fields.push_back(field);
  }
}

// 2.2: empty lines before the request line are skipped. False: what follows is not a line.
bool skip_empty_lines(std::string_view bytes, std::size_t& at) {
  for (int lines = 0; at < bytes.size(); ++lines) {
    const bool lf = bytes[at] == '\n';
    const bool crlf = bytes.substr(at, 2) == "\r\n";
    if (!lf && !crlf) return bytes[at] != '\r' || at + 1 == bytes.size();
    if (lines == 4) return false;
    at += crlf ? 2 : 1;
  }
  return true;
}

}  // namespace

bool field_is(std::string_view name, std::string_view lower_case) {
  if (name.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (lower(name[i]) != lower_case[i]) return false;
  }
  return true;
}

std::string_view next_element(std::string_view& rest) {
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view element = trimmed(rest.substr(0, comma));
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
    if (!element.empty()) return element;
  }
  return {};
}

Http1Parse parse_http1_request(std::string_view bytes, const Http1Limits& limits, Http1Request& request) {
  std::size_t at = 0;
  if (!skip_empty_lines(bytes, at)) return bad(400, "no request line");
  const std::size_t line_end = bytes.find('\n', at);
  const std::size_t line = (line_end == bytes.npos ? bytes.size() : line_end) - at;
  const bool carriage = line > 0 && bytes[at + line - 1] == '\r';
  if (line - (carriage ? 1 : 0) > limits.line) return bad(414, "the request line is too long");
  const std::size_t end = line_end == bytes.npos ? bytes.npos : find_end(bytes, at);
  if ((end == bytes.npos ? bytes.size() : end) > limits.head) return bad(431, "the fields are too long");
  if (end == bytes.npos) return {};
  auto fields = std::move(request.fields);
  fields.clear();
  request = {};
  request.fields = std::move(fields);
  const std::string_view head = bytes.substr(0, end);
  Http1Parse result = parse_request_line(take_line(head, at), request);
  if (result.state == Http1Parse::kBad) return result;
  result = parse_fields(head, at, limits, request);
  result.used = end;
  return result;
}

}  // namespace bowerbird
