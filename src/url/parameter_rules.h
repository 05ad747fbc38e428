// Which parameters of a URL say who follows the link and how they came, and not which page it is: tracking
// marks and session identifiers. The list stands in parameter_rules.cc, and nowhere else; docs/urls.md
// explains it. Pure; threads: any.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bowerbird {

enum class ParameterKind : std::uint8_t { kContent, kTracking, kSession };

struct ParameterRule {
  std::string_view name;  // lower case; with '*' at its end: every name that begins so
  ParameterKind kind;
  enum Value : std::uint8_t {
    kAny,
    kToken,  // 16 or more letters and digits, digits among them: for names that also have innocent uses
    kHex32,  // 32 hexadecimal digits
  } value = kAny;
};

std::span<const ParameterRule> parameter_rules();

// What the parameter "name=value" (or "name") is. Names are compared without regard to case.
ParameterKind parameter_kind(std::string_view parameter);

}  // namespace bowerbird
