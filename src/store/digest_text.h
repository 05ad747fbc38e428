// Digests as WARC fields and indexes write them: "sha1:" and base32, base16 or base64.
//
// The standard leaves the form open, and all of these are in use. The form is recognised by the length of the
// text, which differs for every digest we know. Pure; threads: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "parse/sha1.h"

namespace bowerbird {

// The bytes that `text` stands for, where it is `size` bytes in one of the forms; none: it is not.
std::optional<std::string> digest_bytes(std::string_view text, std::size_t size);

// Of "sha1:..." or, as indexes have it, without the name.
std::optional<Sha1> sha1_of_text(std::string_view text);

}  // namespace bowerbird
