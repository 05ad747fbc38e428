// The fields that the user adds to requests (--header, --cookie, --auth), and to which requests.
//
// Problem: credentials must reach nobody but the host they are for, whatever redirects lead where. So they
// are kept by origin (scheme, host, port), and each request is given those of its own URL. An entry is
// "HOST=VALUE" or "SCHEME://HOST=VALUE"; without a scheme it is for https. A header without HOST goes to all
// hosts; it must not be a credential. Fields that other options set, or that belong to the connection, are
// refused. Those of [[site]] tables follow, and replace fields of the same name. Immutable once made;
// threads: any.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "crawl/judge/site_rules.h"

namespace bowerbird {

// Whether the fields of the table can be sent.
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
  // The same for an archive: values are secret, except those of Accept and Accept-Language.
  std::string for_archive(std::string_view url) const;
  // Whether there is any value that must not be shown.
  bool any_secret() const;

 private:
  void add_site_fields(std::size_t table, const Url& url, std::string& lines) const;

  std::string for_all_;
  std::unordered_map<std::string, std::string> by_origin_;
  SiteRules sites_;
};

}  // namespace bowerbird
