// URLs that look like the work of a program that never ends: calendars, paths that repeat, session numbers,
// endless depth.
//
// A guess from the text alone, so the rules are generous and can be switched off. Pure; threads: any.
#pragma once

#include <cstdint>
#include <string_view>

#include "url/url.h"

namespace bowerbird {

enum class TrapSign : std::uint8_t {
  kNone,
  kRepeatedSegments,  // /a/b/a/b/a/b, or /a/a/a, or one name five times anywhere
  kCalendar,          // a day or month far from now
  kSession,           // a session number in the path
  kTooDeep,
  kTooLong,
  kTooManyParameters,
};
std::string_view trap_sign_text(TrapSign sign);

struct TrapOptions {
  bool on = true;
  std::uint32_t max_depth = 24;     // names in the path
  std::uint32_t max_length = 1024;  // bytes of the target
  std::uint32_t max_parameters = 16;
  std::uint32_t repeats = 3;      // so many equal pieces of path in a row are too many
  std::uint32_t appearances = 5;  // so many equal names anywhere in the path are, too
  int year = 2000;                // the current one; dates two years ahead, or before 1970, are a calendar's
};

TrapSign trap_sign(const Url& url, const TrapOptions& options);

}  // namespace bowerbird
