// The dates of the Web as seconds since 1970-01-01T00:00:00Z, independent of the machine's clock and time
// zone; leap seconds (":60") count as the second after. Pure; threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bowerbird {

using UnixTime = std::int64_t;

// Days from 1970-01-01 in the proleptic Gregorian calendar; `month` from 1, `day` within it.
std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day);

// RFC 9110, section 5.6.7, all three forms: "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37
// GMT", "Sun Nov  6 08:49:37 1994". A year of two digits that seems to be more than 50 years after `now` is
// in the century before. The name of the day is ignored.
std::optional<UnixTime> parse_http_date(std::string_view text, UnixTime now);

// The form that RFC 9110 requires of senders, for years 0 to 9999: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string format_http_date(UnixTime time);
// "1994-11-06"
std::string format_iso_date(UnixTime time);

// RFC 5322, section 3.3, as in feeds: the name of the day and the seconds may be missing, the year may have
// two digits (50 and above: 19xx), the zone is a number ("+0200"), a letter or one of the old names ("PST");
// an unknown zone counts as GMT.
std::optional<UnixTime> parse_mail_date(std::string_view text);

// The W3C's profile of ISO 8601: "1997", "1997-07", "1997-07-16", "1997-07-16T19:20+01:00", with seconds and
// fractions. We also accept a blank instead of the 'T', a missing zone (UTC), and "+0100".
std::optional<UnixTime> parse_w3c_date(std::string_view text);

// The first of the three that matches.
std::optional<UnixTime> parse_any_date(std::string_view text, UnixTime now);

}  // namespace bowerbird
