// Internationalised host names: UTS #46 ToASCII with the parameters of the WHATWG URL Standard, section 3.3
// (CheckHyphens no, CheckBidi yes, CheckJoiners yes, UseSTD3ASCIIRules no, nontransitional, VerifyDnsLength
// no), by ICU, which is what browsers use. Threads: any.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// Appends the ASCII form of `name` (UTF-8, well-formed) to `out`; false where it has none.
bool append_domain_to_ascii(std::string_view name, std::string& out);

}  // namespace bowerbird
