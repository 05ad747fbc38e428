// SHA-1 of several messages at once.
//
// Problem: SHA-1 is a twelfth of the cost of a stored page. The processor's SHA instructions wait for each
// other within a message, so that two interleaved messages take little more time than one. Pure; threads:
// none needed. FIPS 180-4.
#pragma once

#include <span>
#include <string_view>

#include "parse/sha1.h"

namespace bowerbird {

// One digest per message; the spans have the same size.
void sha1_of_all(std::span<const std::string_view> messages, std::span<Sha1> digests);

}  // namespace bowerbird
