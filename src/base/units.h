// Numbers with units, "1M", "2GiB", "5%", and back.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// A count: digits, an optional fraction and k, M, G (powers of 1000): "160", "1.5M", "1_000_000".
Result<std::uint64_t> parse_count(std::string_view text);
// A number of bytes: B, kB or k, MB or M, GB or G (1000), KiB, MiB, GiB, TiB (1024); a bare number is bytes.
Result<std::uint64_t> parse_bytes(std::string_view text);
// A share: "5%" or "0.05", between 0 and 1.
Result<double> parse_share(std::string_view text);
// A number in plain decimal or exponent notation, all of `text`.
Result<double> parse_number(std::string_view text);

// Durations in options.
using Seconds = std::chrono::duration<double>;
// "90" (seconds), "300ms", "1.5s", "10m", "2h", "1d".
Result<Seconds> parse_seconds(std::string_view text);

// The exact value, in the largest unit that divides it: "10MiB", "90s". The parsers above accept it.
std::string exact_bytes(std::uint64_t n);
std::string exact_seconds(Seconds time);

std::string format_count(std::uint64_t n);  // "3,216,152"
std::string format_bytes(std::uint64_t n);  // "1.4 MiB"
// "1 page", "3,216 pages"; `many` if adding an s is wrong.
std::string plural(std::uint64_t n, std::string_view one, std::string_view many = "");

}  // namespace bowerbird
