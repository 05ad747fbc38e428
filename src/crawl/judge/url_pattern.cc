#include "crawl/judge/url_pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace bowerbird {

namespace {

// The error of the pattern, with the part that causes it.
std::string fault_in(const RE2& pattern) {
  const std::string& part = pattern.error_arg();
  if (part.starts_with("(?P") && pattern.pattern().find("(?P=") != std::string::npos)
    return "'(?P=': back-references are not supported";
  if (pattern.error_code() == RE2::ErrorBadPerlOp && part.starts_with("(?"))
    return fmt::format("'{}': look-ahead, look-behind and (?<name>...) are not supported", part);
  if (pattern.error_code() == RE2::ErrorBadEscape && part.size() > 1 && is_ascii_digit(part[1]))
    return fmt::format("'{}': back-references are not supported", part);
  return pattern.error();
}

}  // namespace

Result<UrlPattern> UrlPattern::make(const std::string& text) {
  RE2::Options options;
  options.set_log_errors(false);
  auto compiled = std::make_shared<const RE2>(text, options);
  if (!compiled->ok())
    return error("'{}' is not a valid RE2 regular expression: {}", text, fault_in(*compiled));
  return UrlPattern(std::move(compiled));
}

Result<std::vector<UrlPattern>> UrlPattern::make_all(const std::vector<std::string>& texts) {
  std::vector<UrlPattern> made;
  for (const std::string& text : texts) {
    BB_TRY(UrlPattern pattern, make(text));
    made.push_back(std::move(pattern));
  }
  return made;
}

bool UrlPattern::found_in(std::string_view url) const {
  return RE2::PartialMatch(re2::StringPiece(url.data(), url.size()), *compiled_);
}

bool any_found_in(const std::vector<UrlPattern>& patterns, std::string_view url) {
  return std::ranges::any_of(patterns, [&](const UrlPattern& pattern) { return pattern.found_in(url); });
}

}  // namespace bowerbird
