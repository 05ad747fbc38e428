#include "url/url.h"

#include <array>
#include <charconv>

#include "base/ascii.h"
#include "base/check.h"
#include "base/utf8.h"
#include "url/host.h"
#include "url/host_parser.h"
#include "url/percent.h"

namespace bowerbird {

namespace {

constexpr bool is_slash(char c) {
  return c == '/' || c == '\\';
}

// Whether there is a byte below 0x20. Checks eight at a time, as there hardly ever is one.
bool has_control(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  std::uint64_t found = 0;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word;
    __builtin_memcpy(&word, text.data() + i, 8);
    found |= (word - kOnes * 0x20) & ~word & (kOnes * 0x80);
  }
  for (; i < text.size(); ++i) found |= static_cast<unsigned char>(text[i]) < 0x20;
  return found != 0;
}

// Decodes first, as the standard does: bytes on both sides of a tab do not become one character.
std::string without_tabs_and_newlines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Utf8Step step = decode_utf8(text);
    if (step.code_point != '\t' && step.code_point != '\n' && step.code_point != '\r')
      append_utf8(result, step.code_point);
    text.remove_prefix(step.size);
  }
  return result;
}

std::string_view without_blank_ends(std::string_view text) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// The length of the scheme in front of a ':', or 0.
std::size_t scheme_length(std::string_view text) {
  if (text.empty() || !is_ascii_alpha(text[0])) return 0;
  std::size_t i = 1;
  while (i < text.size() && in_set(text[i], kSchemeByte)) ++i;
  return i < text.size() && text[i] == ':' ? i : 0;
}

// A dot at the front of a segment: 1 or 3 bytes ("%2e"), or 0.
std::size_t dot_length(std::string_view text) {
  if (text.starts_with('.')) return 1;
  return text.size() >= 3 && text[0] == '%' && text[1] == '2' && (text[2] | 0x20) == 'e' ? 3 : 0;
}

// 1 for ".", 2 for "..", else 0.
int dots(std::string_view segment) {
  const std::size_t first = dot_length(segment);
  if (first == 0) return 0;
  if (first == segment.size()) return 1;
  const std::size_t second = dot_length(segment.substr(first));
  return second > 0 && first + second == segment.size() ? 2 : 0;
}

// Byte classes that need work in a path, collected in one pass.
enum PathByte : std::uint8_t {
  kPathSlash = 1,
  kPathDot = 2,      // must be kPathSlash << 1
  kPathUnusual = 4,  // to be escaped, a backslash, or a '%' that may begin "%2e"
  kPathEnd = 8,      // '?' or '#'
};

constexpr std::array<std::uint8_t, 256> kPathBytes = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) {
    table[c] = kByteSets[c] & kPathSet ? kPathUnusual : 0;
  }
  table['%'] = table['\\'] = kPathUnusual;
  table['/'] = kPathSlash;
  table['.'] = kPathDot;
  table['?'] = table['#'] = kPathEnd;
  return table;
}();

}  // namespace

class UrlParser {
 public:
  UrlParser(const Url* base, Url& url, Encoding encoding)
      : base_(base), url_(url), text_(url.text_), encoding_(encoding) {}

  UrlFault parse(std::string_view input) {
    url_.clear();
    if (input.size() > kLongestUrlInput) return UrlFault::kTooLong;
    const std::string_view trimmed_input = without_blank_ends(input);
    if (trimmed_input.size() != input.size()) url_.notes_ |= kNoteTrimmed;
    if (!has_control(trimmed_input)) return scheme(trimmed_input);
    const std::string clean = without_tabs_and_newlines(trimmed_input);
    if (trimmed_input.find_first_of("\t\n\r") != std::string_view::npos) url_.notes_ |= kNoteTabs;
    return scheme(clean);
  }

 private:
  // Scheme start, scheme, no scheme and the slashes in front of an authority.
  UrlFault scheme(std::string_view input) {
    if (input.starts_with("https://")) return absolute(true, input.substr(6));
    if (input.starts_with("http://")) return absolute(false, input.substr(5));
    const std::size_t length = scheme_length(input);
    if (length == 0) return base_ == nullptr ? UrlFault::kRelative : relative(input);
    const std::string_view name = input.substr(0, length);
    const bool https = equals_ignoring_case(name, "https");
    if (!https && !equals_ignoring_case(name, "http")) return UrlFault::kScheme;
    if (is_ascii_upper(name[0]) || name.find_first_not_of("htps") != std::string_view::npos) {
      url_.notes_ |= kNoteScheme;
    }
    const std::string_view rest = input.substr(length + 1);
    if (base_ != nullptr && base_->https_ == https && !rest.starts_with("//")) return relative(rest);
    return absolute(https, rest);
  }

  UrlFault absolute(bool https, std::string_view rest) {
    url_.https_ = https;
    text_.assign(https ? "https://" : "http://");
    return after_slashes(rest);
  }

  UrlFault after_slashes(std::string_view rest) {
    std::size_t slashes = 0;
    while (slashes < rest.size() && is_slash(rest[slashes])) ++slashes;
    if (slashes != 2 || !rest.starts_with("//")) url_.notes_ |= kNoteSlashes;
    return authority(rest.substr(slashes));
  }

  // Relative and relative slash states.
  UrlFault relative(std::string_view rest) {
    url_.notes_ |= kNoteRelative;
    url_.https_ = base_->https_;
    if (!rest.empty() && is_slash(rest[0])) {
      if (rest.size() > 1 && is_slash(rest[1])) {
        text_.assign(base_->https_ ? "https://" : "http://");
        return after_slashes(rest);
      }
      if (rest[0] == '\\') url_.notes_ |= kNoteSlashes;
      copy_of_base(base_->path_begin_);
      return path_query_fragment(rest.substr(1));
    }
    if (rest.empty() || rest[0] == '#') {
      copy_of_base(base_->fragment_begin_);
      url_.query_begin_ = base_->query_begin_;
      return fragment(rest);
    }
    if (rest[0] == '?') {
      copy_of_base(base_->query_begin_);
      return query_fragment(rest);
    }
    const std::size_t last_slash = base_->text_.rfind('/', base_->query_begin_ - 1);
    copy_of_base(last_slash);
    return path_query_fragment(rest);
  }

  void copy_of_base(std::size_t end) {
    text_.assign(base_->text_, 0, end);
    url_.host_begin_ = base_->host_begin_;
    url_.host_end_ = base_->host_end_;
    url_.path_begin_ = base_->path_begin_;
  }

  UrlFault authority(std::string_view rest) {
    std::size_t end = 0;
    std::size_t at_sign = std::string_view::npos;
    for (; end < rest.size(); ++end) {
      const char c = rest[end];
      if (c == '@') at_sign = end;
      if (is_slash(c) || c == '?' || c == '#') break;
    }
    std::string_view host = rest.substr(0, end);
    if (at_sign != std::string_view::npos) {
      credentials(host.substr(0, at_sign));
      host.remove_prefix(at_sign + 1);
    }
    url_.host_begin_ = static_cast<std::uint32_t>(text_.size());
    if (const UrlFault fault = host_and_port(host); fault != UrlFault::kNone) return failed(fault);
    url_.path_begin_ = static_cast<std::uint32_t>(text_.size());
    rest.remove_prefix(end);
    if (!rest.empty() && is_slash(rest[0])) {
      if (rest[0] == '\\') url_.notes_ |= kNoteSlashes;
      rest.remove_prefix(1);
    }
    return path_query_fragment(rest);
  }

  void credentials(std::string_view userinfo) {
    const std::size_t colon = userinfo.find(':');
    const std::string_view name = userinfo.substr(0, colon);
    const std::string_view password =
        colon == std::string_view::npos ? std::string_view() : userinfo.substr(colon + 1);
    if (name.empty() && password.empty()) return;
    bool changed = append_encoded(text_, name, kUserinfoSet);
    if (!password.empty()) {
      text_ += ':';
      changed |= append_encoded(text_, password, kUserinfoSet);
    }
    if (changed) url_.notes_ |= kNoteEncoded;
    text_ += '@';
  }

  UrlFault host_and_port(std::string_view text) {
    const std::size_t after_address = text.starts_with('[') ? text.find(']') : 0;
    const std::size_t colon =
        after_address == std::string_view::npos ? std::string_view::npos : text.find(':', after_address);
    const UrlFault fault = append_host(text.substr(0, colon), text_, url_.notes_);
    if (fault != UrlFault::kNone) return fault;
    url_.host_end_ = static_cast<std::uint32_t>(text_.size());
    return colon == std::string_view::npos ? UrlFault::kNone : port(text.substr(colon + 1));
  }

  UrlFault port(std::string_view digits) {
    unsigned value = 0;
    for (const char c : digits) {
      if (!is_ascii_digit(c)) return UrlFault::kPort;
      value = value * 10 + static_cast<unsigned>(c - '0');
      if (value > 65535) return UrlFault::kPort;
    }
    if (digits.empty() || value == (url_.https_ ? 443u : 80u)) {
      url_.notes_ |= digits.empty() ? kNoteEmptyPort : kNoteDefaultPort;
      return UrlFault::kNone;
    }
    if (digits[0] == '0' && digits.size() > 1) url_.notes_ |= kNotePortZeros;
    char buffer[8];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    text_ += ':';
    text_.append(buffer, static_cast<std::size_t>(end - buffer));
    return UrlFault::kNone;
  }

  // `rest` follows a '/' that is not yet in the text.
  UrlFault path_query_fragment(std::string_view rest) {
    unsigned seen = 0;
    unsigned before = kPathSlash;
    unsigned after_slash = 0;
    std::size_t end = 0;
    for (; end < rest.size(); ++end) {
      const unsigned kind = kPathBytes[static_cast<unsigned char>(rest[end])];
      if (kind == kPathEnd) break;
      seen |= kind;
      after_slash |= kind & (before << 1);
      before = kind;
    }
    const std::string_view path = rest.substr(0, end);
    if ((seen & kPathUnusual) || (after_slash & kPathDot)) {
      segments(path);
    } else {
      text_ += '/';
      text_.append(path);
    }
    return query_fragment(rest.substr(end));
  }

  // The path state, segment by segment.
  void segments(std::string_view path) {
    for (bool more = true; more;) {
      std::size_t end = 0;
      while (end < path.size() && !is_slash(path[end])) ++end;
      more = end < path.size();
      if (more && path[end] == '\\') url_.notes_ |= kNoteSlashes;
      segment(path.substr(0, end), more);
      path.remove_prefix(more ? end + 1 : end);
    }
  }

  void segment(std::string_view name, bool more) {
    const int count = dots(name);
    if (count == 0) {
      text_ += '/';
      if (append_encoded(text_, name, kPathSet)) url_.notes_ |= kNoteEncoded;
      return;
    }
    url_.notes_ |= kNoteDots;
    if (count == 2 && text_.size() > url_.path_begin_) text_.resize(text_.rfind('/'));
    if (!more) text_ += '/';
  }

  UrlFault query_fragment(std::string_view rest) {
    url_.query_begin_ = static_cast<std::uint32_t>(text_.size());
    if (rest.empty() || rest[0] == '#') return fragment(rest);
    const std::size_t end = rest.find('#');
    text_ += '?';
    if (append_query(text_, rest.substr(1, end == std::string_view::npos ? end : end - 1), encoding_)) {
      url_.notes_ |= kNoteEncoded;
    }
    return fragment(end == std::string_view::npos ? std::string_view() : rest.substr(end));
  }

  UrlFault fragment(std::string_view rest) {
    url_.fragment_begin_ = static_cast<std::uint32_t>(text_.size());
    if (rest.empty()) return UrlFault::kNone;
    text_ += '#';
    if (append_encoded(text_, rest.substr(1), kFragmentSet)) url_.notes_ |= kNoteEncoded;
    return UrlFault::kNone;
  }

  UrlFault failed(UrlFault fault) {
    url_.clear();
    return fault;
  }

  const Url* base_;
  Url& url_;
  std::string& text_;
  Encoding encoding_;
};

void Url::clear() {
  text_.clear();
  host_begin_ = host_end_ = path_begin_ = query_begin_ = fragment_begin_ = notes_ = 0;
  https_ = false;
}

std::string_view Url::username() const {
  if (!has_credentials()) return {};
  const std::string_view userinfo = part(authority_begin(), host_begin_ - 1);
  return userinfo.substr(0, userinfo.find(':'));
}

std::string_view Url::password() const {
  if (!has_credentials()) return {};
  const std::string_view userinfo = part(authority_begin(), host_begin_ - 1);
  const std::size_t colon = userinfo.find(':');
  return colon == std::string_view::npos ? std::string_view() : userinfo.substr(colon + 1);
}

std::uint16_t Url::port() const {
  std::uint16_t number = https_ ? 443 : 80;
  if (path_begin_ > host_end_) {
    std::from_chars(text_.data() + host_end_ + 1, text_.data() + path_begin_, number);
  }
  return number;
}

std::string Url::origin() const {
  return std::string(part(0, authority_begin())).append(host());
}

std::uint32_t Url::depth() const {
  return names_in_path(path());
}

UrlFault parse_url(std::string_view input, const Url* base, Url& url, Encoding encoding) {
  CHECK(base != &url);
  return UrlParser(base, url, encoding).parse(input);
}

}  // namespace bowerbird
