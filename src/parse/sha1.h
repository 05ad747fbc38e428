// SHA-1 (FIPS 180-4), by which archives name payloads.
//
// Problem: it is a tenth of what a stored page costs. The instructions that processors have for it wait for
// each other within a message, so that two messages side by side take little more time than one. Pure;
// threads: none needed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bowerbird {

using Sha1 = std::array<std::uint8_t, 20>;

Sha1 sha1(std::string_view bytes);
// Of each message; the spans have the same size.
void sha1_of_all(std::span<const std::string_view> messages, std::span<Sha1> digests);
// 32 letters and digits, RFC 4648 section 6: "sha1:" before it makes a WARC-Payload-Digest.
std::string base32(const Sha1& digest);

}  // namespace bowerbird
