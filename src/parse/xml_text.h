// Names, attributes and texts of XML elements, as Expat gives them. Pure; threads: any.
#pragma once

#include <string_view>

namespace bowerbird {

// Without white space and invisible characters at both ends: those of Unicode too, since people paste URLs
// together with them.
std::string_view without_blank_ends(std::string_view utf8);

// The part after the prefix.
std::string_view xml_local_name(std::string_view name);

// The value of an attribute; empty if there is none.
std::string_view xml_attribute(const char** attributes, std::string_view name);

}  // namespace bowerbird
