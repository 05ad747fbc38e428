// Parameters of a URL that identify the visitor or the referrer, not the page: tracking parameters and
// session identifiers. parameter_rules.cc has the list; docs/urls.md explains it. Pure; threads: any.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bowerbird {

enum class ParameterKind : std::uint8_t { kContent, kTracking, kSession };

struct ParameterRule {
  std::string_view name;  // lower case; a '*' at its end matches any suffix
  ParameterKind kind;
  enum Value : std::uint8_t {
    kAny,
    kToken,  // 16 or more letters and digits, with at least one digit: for names that also have other uses
    kHex32,  // 32 hexadecimal digits
  } value = kAny;
};

std::span<const ParameterRule> parameter_rules();

// The kind of the parameter "name=value" (or "name"). Names are compared case-insensitively.
ParameterKind parameter_kind(std::string_view parameter);

}  // namespace bowerbird
