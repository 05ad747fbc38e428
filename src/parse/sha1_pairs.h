// SHA-1 of several messages at once.
//
// Problem: it is a twelfth of what a stored page costs. The instructions that processors have for it wait for
// each other within a message, so that two messages side by side take little more time than one. Pure;
// threads: none needed. FIPS 180-4.
#pragma once

#include <span>
#include <string_view>

#include "parse/sha1.h"

namespace bowerbird {

// Of each message; the spans have the same size.
void sha1_of_all(std::span<const std::string_view> messages, std::span<Sha1> digests);

}  // namespace bowerbird
