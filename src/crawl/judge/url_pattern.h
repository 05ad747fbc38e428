// A regular expression that the user gives for URLs (--include, --exclude), searched anywhere in the URL.
//
// Problem: patterns meet hostile URLs, and a backtracking engine may need exponential time. RE2 is linear
// in the URL. For what RE2 does not support (back-references, look-around), the error names the
// construct. Immutable; copies share the compiled form. Threads: any.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace bowerbird {

class UrlPattern {
 public:
  static Result<UrlPattern> make(const std::string& text);
  static Result<std::vector<UrlPattern>> make_all(const std::vector<std::string>& texts);

  bool found_in(std::string_view url) const;

 private:
  explicit UrlPattern(std::shared_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const re2::RE2> compiled_;
};

// Whether one of the patterns is found in the URL.
bool any_found_in(const std::vector<UrlPattern>& patterns, std::string_view url);

}  // namespace bowerbird
