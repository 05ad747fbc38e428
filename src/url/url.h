// A URL of the Web: converts text to one well-formed http or https URL, or gives the reason why it is
// invalid.
//
// Problem: links on pages are written by people. Browsers agree on their meaning: the WHATWG URL Standard
// (https://url.spec.whatwg.org/), which this follows for http and https; other schemes are rejected.
// Invariant: text() is the standard's serialisation: parsing it again gives the same URL. Its parts are views
// into it. Input is bytes, decoded as UTF-8; malformed sequences become U+FFFD. Ownership: a Url owns its
// text; parsing repeatedly into the same Url reuses the memory. Views are valid until the Url is changed.
// Threads: as a std::string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "encoding/encoding.h"
#include "url/url_notes.h"

namespace bowerbird {

// Longer inputs are rejected unread.
constexpr std::size_t kLongestUrlInput = std::size_t{1} << 20;

class Url {
 public:
  // The standard's href: "http://user:pass@host:81/path?query#fragment".
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

  bool https() const { return https_; }
  std::string_view scheme() const { return https_ ? "https" : "http"; }
  std::string_view username() const;
  std::string_view password() const;
  bool has_credentials() const { return host_begin_ > authority_begin(); }
  // Lower case, ASCII; an IPv6 address in its brackets.
  std::string_view hostname() const { return part(host_begin_, host_end_); }
  // With the port if it is not the scheme's default: the unit of politeness.
  std::string_view host() const { return part(host_begin_, path_begin_); }
  std::uint16_t port() const;
  // "http://host:81", without user and password.
  std::string origin() const;
  // Begins with '/'.
  std::string_view path() const { return part(path_begin_, query_begin_); }
  // From path to query: the request target.
  std::string_view target() const { return part(path_begin_, fragment_begin_); }
  bool has_query() const { return fragment_begin_ > query_begin_; }
  std::string_view query() const { return part(query_begin_ + has_query(), fragment_begin_); }
  bool has_fragment() const { return text_.size() > fragment_begin_; }
  std::string_view fragment() const {
    return part(fragment_begin_ + has_fragment(), static_cast<std::uint32_t>(text_.size()));
  }
  // Names in the path: 0 for "/", 1 for "/a" and "/a/", 2 for "/a/b.html".
  std::uint32_t depth() const;

  // Bits of UrlNote: what was done to the input.
  std::uint32_t notes() const { return notes_; }

  void clear();
  friend bool operator==(const Url& a, const Url& b) { return a.text_ == b.text_; }

 private:
  friend class UrlParser;
  friend class UrlCanonicaliser;

  std::uint32_t authority_begin() const { return https_ ? 8 : 7; }
  std::string_view part(std::uint32_t begin, std::uint32_t end) const {
    return std::string_view(text_).substr(begin, end - begin);
  }

  std::string text_;
  std::uint32_t host_begin_ = 0;
  std::uint32_t host_end_ = 0;
  std::uint32_t path_begin_ = 0;
  std::uint32_t query_begin_ = 0;     // of '?'; the beginning of the fragment if there is no query
  std::uint32_t fragment_begin_ = 0;  // of '#'; the end if there is no fragment
  std::uint32_t notes_ = 0;
  bool https_ = false;
};

// The standard's basic URL parser (section 4.4): `input` as found in a link, `base` the URL of its page, or
// null. Queries are written in `encoding`, that of the page; the other parts always in UTF-8. After a fault
// `url` is empty. `base` and `url` must not be the same object.
UrlFault parse_url(std::string_view input, const Url* base, Url& url, Encoding encoding = Encoding::kUtf8);

}  // namespace bowerbird
