// Digests as WARC fields and indexes write them: "sha1:" and base32, base16 or base64.
//
// The standard does not define the encoding, and all three are in use. The length of the text tells which
// one it is, since it differs for every known digest. Pure; threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parse/sha1.h"

namespace bowerbird {

// The bytes encoded by `text`, if they are `size` bytes in one of the encodings; otherwise none.
std::optional<std::string> digest_bytes(std::string_view text, std::size_t size);

// From "sha1:..." or, as in indexes, without the prefix.
std::optional<Sha1> sha1_of_text(std::string_view text);

}  // namespace bowerbird
