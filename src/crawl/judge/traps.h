// Recognises URLs that are probably generated without end: calendars, repeating paths, session ids,
// endless depth.
//
// This is a guess from the text alone, so the rules are generous and can be switched off. Pure; threads:
// any.
#pragma once

#include <cstdint>
#include <string_view>

#include "url/url.h"

namespace bowerbird {

enum class TrapSign : std::uint8_t {
  kNone,
  kRepeatedSegments,  // /a/b/a/b/a/b, or /a/a/a, or one name five times anywhere
  kCalendar,          // a day or month in a distant year
  kSession,           // a session id in the path
  kTooDeep,
  kTooLong,
  kTooManyParameters,
};
std::string_view trap_sign_text(TrapSign sign);

struct TrapOptions {
  bool on = true;
  std::uint32_t max_depth = 24;     // path segments
  std::uint32_t max_length = 1024;  // bytes of path and query
  std::uint32_t max_parameters = 16;
  std::uint32_t repeats = 3;      // this many equal groups of segments in a row
  std::uint32_t appearances = 5;  // this many equal segments anywhere in the path
  int year = 2000;  // the current year; dates two years ahead or before 1970 count as a calendar's
};

TrapSign trap_sign(const Url& url, const TrapOptions& options);

}  // namespace bowerbird
