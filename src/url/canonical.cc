#include "url/canonical.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "url/parameter_rules.h"
#include "url/percent.h"

namespace bowerbird {

namespace {

// Byte classes that need work in a path or query, collected in one pass.
enum TargetByte : std::uint8_t {
  kMayNeedEscapes = 1,  // '%', or not allowed unescaped
  kMayHoldSession = 2,  // ';' before "jsessionid", '(' of "/(S(...))/"
};

constexpr std::array<std::uint8_t, 256> kTargetBytes = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) table[c] = kByteSets[c] & kNotUri ? kMayNeedEscapes : 0;
  table['%'] = kMayNeedEscapes;
  table[';'] = table['('] = kMayHoldSession;
  return table;
}();

unsigned target_bytes(std::string_view text) {
  unsigned seen = 0;
  for (const char c : text) seen |= kTargetBytes[static_cast<unsigned char>(c)];
  return seen;
}

bool fits_dns(std::string_view name) {
  if (name.size() > 253) return false;
  std::size_t label = 0;
  for (const char c : name) {
    if (c != '.') {
      ++label;
    } else {
      if (label == 0 || label > 63) return false;
      label = 0;
    }
  }
  return label > 0 && label <= 63;
}

// ASP.NET stores sessions in a separate segment: "(S(3wj2n1e45t2hfi45r0kxlm55))".
bool is_session_segment(std::string_view segment) {
  return segment.size() == 29 && segment.starts_with("(S(") && segment.ends_with("))") &&
         std::all_of(segment.begin() + 3, segment.end() - 2, is_ascii_alnum);
}

// The segment without its ";name=value" session parameters.
void append_segment(std::string& out, std::string_view segment) {
  std::size_t end = segment.find(';');
  out += segment.substr(0, end);
  while (end != std::string_view::npos) {
    segment.remove_prefix(end + 1);
    end = segment.find(';');
    const std::string_view parameter = segment.substr(0, end);
    if (parameter_kind(parameter) == ParameterKind::kSession) continue;
    out += ';';
    out += parameter;
  }
}

std::string without_sessions(std::string_view path) {
  std::string out;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view segment = path.substr(begin, end - begin);
    if (!is_session_segment(segment)) {
      out += '/';
      append_segment(out, segment);
    } else if (end == path.size()) {
      out += '/';
    }
    begin = end + 1;
  }
  return out;
}

}  // namespace

class UrlCanonicaliser {
 public:
  UrlCanonicaliser(Url& url, const CanonicalOptions& options) : url_(url), options_(options) {}

  UrlFault run() {
    drop_fragment();
    drop_credentials();
    if (!host()) return failed(UrlFault::kDnsName);
    const unsigned seen = target_bytes(url_.target());
    if (seen & kMayNeedEscapes) normalise_escapes();
    if ((seen & kMayHoldSession) && options_.drop_sessions) drop_path_sessions();
    if (url_.has_query()) parameters();
    if (url_.text_.size() > options_.max_length) return failed(UrlFault::kTooLong);
    return UrlFault::kNone;
  }

 private:
  void drop_fragment() {
    if (!url_.has_fragment()) return;
    url_.text_.resize(url_.fragment_begin_);
    url_.notes_ |= kNoteFragment;
  }

  void drop_credentials() {
    if (!url_.has_credentials()) return;
    const std::uint32_t begin = url_.authority_begin();
    erase_before_path(begin, url_.host_begin_ - begin);
    url_.host_end_ -= url_.host_begin_ - begin;
    url_.host_begin_ = begin;
    url_.notes_ |= kNoteCredentials;
  }

  bool host() {
    const std::string_view name = url_.hostname();
    if (name.ends_with('.')) {
      erase_before_path(--url_.host_end_, 1);
      url_.notes_ |= kNoteTrailingDot;
    }
    return name.starts_with('[') || fits_dns(url_.hostname());
  }

  void erase_before_path(std::uint32_t begin, std::uint32_t count) {
    url_.text_.erase(begin, count);
    url_.path_begin_ -= count;
    url_.query_begin_ -= count;
    url_.fragment_begin_ -= count;
  }

  void normalise_escapes() {
    std::string target;
    unsigned changes = append_normal_escapes(target, url_.path());
    const auto query_begin = static_cast<std::uint32_t>(target.size());
    if (url_.has_query()) {
      target += '?';
      changes |= append_normal_escapes(target, url_.query());
    }
    if (changes == 0) return;
    if (changes & kResolved) url_.notes_ |= kNoteResolvedEscapes;
    if (changes & kUpperHex) url_.notes_ |= kNoteUpperEscapes;
    if (changes & kEscaped) url_.notes_ |= kNoteNotUri;
    url_.text_.replace(url_.path_begin_, std::string::npos, target);
    url_.query_begin_ = url_.path_begin_ + query_begin;
    url_.fragment_begin_ = static_cast<std::uint32_t>(url_.text_.size());
  }

  void drop_path_sessions() {
    const std::string path = without_sessions(url_.path());
    if (path.size() == url_.path().size()) return;
    url_.text_.replace(url_.path_begin_, url_.query_begin_ - url_.path_begin_, path);
    // What was before a session may now be a dot segment ("/..;jsessionid=1"): parse again.
    const std::uint32_t notes = url_.notes_ | kNoteSession;
    Url again;
    parse_url(url_.text_, nullptr, again);
    url_ = std::move(again);
    url_.notes_ |= notes;
  }

  void parameters() {
    std::string_view rest = url_.query();
    char* const begin = url_.text_.data() + url_.query_begin_ + 1;
    char* out = begin;
    while (true) {
      const std::size_t end = std::min(rest.find('&'), rest.size());
      const std::string_view parameter = rest.substr(0, end);
      if (keeps(parameter)) {
        if (out != begin) *out++ = '&';
        // Copies towards the front or in place: nothing unread is overwritten.
        if (out != parameter.data()) std::copy(parameter.begin(), parameter.end(), out);
        out += parameter.size();
      }
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
    if (out == begin) {
      --out;
      url_.notes_ |= kNoteEmptyQuery;
    }
    url_.text_.resize(static_cast<std::size_t>(out - url_.text_.data()));
    url_.fragment_begin_ = static_cast<std::uint32_t>(url_.text_.size());
  }

  bool keeps(std::string_view parameter) {
    if (parameter.empty()) {
      if (url_.query().size() > 0) url_.notes_ |= kNoteEmptyParameters;
      return false;
    }
    const ParameterKind kind = parameter_kind(parameter);
    if (kind == ParameterKind::kTracking && options_.drop_tracking) {
      url_.notes_ |= kNoteTracking;
      return false;
    }
    if (kind == ParameterKind::kSession && options_.drop_sessions) {
      url_.notes_ |= kNoteSession;
      return false;
    }
    return true;
  }

  UrlFault failed(UrlFault fault) {
    url_.clear();
    return fault;
  }

  Url& url_;
  const CanonicalOptions& options_;
};

UrlFault make_canonical(Url& url, const CanonicalOptions& options) {
  return UrlCanonicaliser(url, options).run();
}

UrlFault canonical_url(std::string_view link, const Url* base, Url& url, const CanonicalOptions& options,
                       Encoding encoding) {
  const UrlFault fault = parse_url(link, base, url, encoding);
  return fault == UrlFault::kNone ? make_canonical(url, options) : fault;
}

}  // namespace bowerbird
