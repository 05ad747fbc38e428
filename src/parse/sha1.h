// SHA-1 (FIPS 180-4), by which archives identify payloads. Pure; threads: none needed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bowerbird {

using Sha1 = std::array<std::uint8_t, 20>;

Sha1 sha1(std::string_view bytes);
// 32 letters and digits, RFC 4648 section 6: with the prefix "sha1:" it is a WARC-Payload-Digest.
std::string base32(const Sha1& digest);

}  // namespace bowerbird
