// The text of a request, as HTTP/1.1: what is sent, and what the archive stores.
//
// Fields of the request replace common ones of the same name. Immutable once made; threads: any.
#pragma once

#include <string>
#include <string_view>

#include "fetch/fetcher.h"
#include "fetch/fetcher_options.h"
#include "url/url.h"

namespace bowerbird {

// Those of the lines that say nothing about the user: what a host gets that nobody vouches for.
std::string harmless_fields(std::string_view lines);

class RequestText {
 public:
  explicit RequestText(const FetcherOptions& options);

  std::string of(const Url& url, std::string_view fields) const;
  // Empty if the URL cannot be parsed.
  std::string of(const FetchRequest& request) const;

 private:
  std::string common_;  // lines that all requests have
};

}  // namespace bowerbird
