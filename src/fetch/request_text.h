// The text of a request in the form of HTTP/1.1, as it is sent and as the archive stores it.
//
// Fields of the request replace common ones of the same name. Immutable; threads: any.
#pragma once

#include <string>
#include <string_view>

#include "fetch/fetcher.h"
#include "fetch/fetcher_options.h"
#include "url/url.h"

namespace bowerbird {

// The lines that reveal nothing about the user: the only ones sent to a host with an invalid certificate.
std::string harmless_fields(std::string_view lines);

class RequestText {
 public:
  explicit RequestText(const FetcherOptions& options);

  std::string of(const Url& url, std::string_view fields) const;
  // Empty if the URL cannot be parsed.
  std::string of(const FetchRequest& request) const;

 private:
  std::string common_;  // header lines of all requests
};

}  // namespace bowerbird
