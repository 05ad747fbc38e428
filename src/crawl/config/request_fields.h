// The fields that the user adds to requests (--header, --cookie, --auth), and which requests get them.
//
// Problem: credentials must only reach the host they are for, wherever redirects lead. So they are kept
// by origin (scheme, host, port), and each request gets those of its own URL. An entry is "HOST=VALUE" or
// "SCHEME://HOST=VALUE"; without a scheme it is for https. A header without HOST goes to all hosts and
// must not be a credential. Fields that other options set, or that belong to the connection, are refused.
// Fields of [[site]] tables come last and replace fields of the same name. Immutable; threads: any.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "crawl/judge/site_rules.h"

namespace bowerbird {

// An error: a field of the table cannot be sent.
Status check_site_fields(const SiteSettings& site);

struct RequestFieldOptions {
  std::vector<std::string> headers;  // "[HOST=]Name: value"
  std::vector<std::string> cookies;  // "HOST=a=1; b=2"
  std::vector<std::string> auth;     // "HOST=user:password"
  std::vector<SiteSettings> sites = {};
};

class RequestFields {
 public:
  static Result<RequestFields> make(const RequestFieldOptions& options);

  // Lines "Name: value\r\n" for a request of this canonical URL.
  std::string for_url(std::string_view url) const;
  // The same for an archive. All values except those of Accept and Accept-Language are replaced: they are
  // secret.
  std::string for_archive(std::string_view url) const;
  // Whether any value must not be shown.
  bool any_secret() const;

 private:
  void add_site_fields(std::size_t table, const Url& url, std::string& lines) const;

  std::string for_all_;
  std::unordered_map<std::string, std::string> by_origin_;
  SiteRules sites_;
};

}  // namespace bowerbird
