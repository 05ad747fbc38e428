// The cookies that hosts have set, and which of them a request gets (RFC 6265, sections 5.3 and 5.4).
//
// Problem: a cookie is a credential, so only the hosts it was set for may receive it, wherever redirects
// lead. A cookie belongs to the host that set it, or to its domain unless that is a public suffix
// (url/site.h), and to a path. We are stricter than the RFC in one respect: a cookie set over https is
// never sent over http. As in RFC 6265bis, http can neither set nor replace a secure cookie, and the name
// prefixes __Secure- and __Host- are enforced. Limits: 50 cookies per domain, 3000 in all, 4 KiB each, 8
// KiB per request. The least recently used cookies are dropped first.
//
// The file format is Netscape's cookies.txt, as curl and browser extensions write it. Pure: no I/O, and time
// is an argument. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "parse/set_cookie.h"
#include "url/url.h"

namespace bowerbird {

struct Cookie {
  std::string name;
  std::string value;
  std::string domain;  // the host; the domain if not host_only
  std::string path;
  UnixTime expires = 0;  // 0: none; kept until the file is deleted
  bool host_only = true;
  bool secure = false;
  bool http_only = false;
  std::uint64_t created = 0;  // sequence number of the call
  std::uint64_t used = 0;

  friend bool operator==(const Cookie& a, const Cookie& b) {
    return a.name == b.name && a.value == b.value && a.domain == b.domain && a.path == b.path &&
           a.expires == b.expires && a.host_only == b.host_only && a.secure == b.secure &&
           a.http_only == b.http_only;
  }
};

class CookieJar {
 public:
  static constexpr std::size_t kMostPerDomain = 50;
  static constexpr std::size_t kMostCookies = 3000;
  static constexpr std::size_t kLongestField = 8192;
  static constexpr std::size_t kMostPerResponse = 50;

  // Stores the cookies in the Set-Cookie fields of a response for this URL. Returns whether any was
  // added, changed or removed.
  bool take(const Url& url, std::string_view head, UnixTime now);
  // The value of the Cookie field for a request of this URL: "a=1; b=2"; empty: none.
  std::string field_for(const Url& url, UnixTime now);

  // In the format of cookies.txt, in the order of creation.
  std::string text() const;
  // Adds the cookies of a cookies.txt, except expired ones. An error has the line number, and nothing
  // changes.
  Status read(std::string_view text, const std::string& name, UnixTime now);

  std::size_t size() const { return size_; }
  std::vector<Cookie> list() const;

 private:
  // trusted: from a file, so that it may coexist with secure ones.
  bool set(Cookie cookie, UnixTime now, bool trusted = false);
  bool remove(const Cookie& cookie);
  void make_room(const std::string& domain, UnixTime now);
  void drop_oldest(std::map<std::string, std::vector<Cookie>>::iterator domain);

  std::map<std::string, std::vector<Cookie>> by_domain_;
  std::size_t size_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace bowerbird
