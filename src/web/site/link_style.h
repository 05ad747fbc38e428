// How URLs are written in pages of the test Web, so that the client can follow them.
//
//   plain   http://www.a.org/x              a client that knows where to connect to, whatever the name
//   suffix  http://www.a.org:8080/x         one that connects to the port it sees in URLs
//           http://www.a.org.localhost:8080/x   a browser, for which every name under localhost is this
//           machine
//   portal  /~/www.a.org/x                  a browser that sees the whole Web as one site (/~s/ for https)
//
// The style is that of the request: a client gets links of the kind it used. Pure.
#pragma once

#include <string>
#include <string_view>

#include "web/site/addresses.h"

namespace bowerbird {

class LinkStyle {
 public:
  static LinkStyle plain() { return LinkStyle(); }
  static LinkStyle portal() {
    LinkStyle style;
    style.portal_ = true;
    return style;
  }
  // ":8080" or ".localhost:8080", after every host name.
  static LinkStyle with_suffix(std::string_view suffix) {
    LinkStyle style;
    style.suffix_ = suffix;
    return style;
  }

  bool is_portal() const { return portal_; }
  // The client is a browser: it came through the portal or a name under localhost.
  bool for_people() const { return portal_ || suffix_.starts_with(".localhost"); }
  // Different for each style.
  std::uint64_t key() const { return portal_ ? 1 : suffix_.size(); }

  // The complete URL.
  void append(bool https, std::string_view authority, std::string_view target, std::string& out) const;
  // A link from a page of `from` to that URL: only a path if that is enough.
  void append_link(const PageUrl& from, bool https, std::string_view authority, std::string_view target,
                   std::string& out) const;

 private:
  std::string_view suffix_;  // a view of the request
  bool portal_ = false;
};

}  // namespace bowerbird
