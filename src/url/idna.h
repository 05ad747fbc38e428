// Internationalised host names: UTS #46 ToASCII with the parameters of the WHATWG URL Standard, section 3.3
// (CheckHyphens no, CheckBidi yes, CheckJoiners yes, UseSTD3ASCIIRules no, nontransitional, VerifyDnsLength
// no), by ICU, which is what browsers use. What Unicode 15.1 to 17 changed in the mapping of characters that
// ICU 72 (Unicode 15) knows is added. Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// Appends the ASCII form of `name` (UTF-8, well-formed, not all ASCII) to `out`; false if it has none.
bool append_domain_to_ascii(std::string_view name, std::string& out);

}  // namespace bowerbird
