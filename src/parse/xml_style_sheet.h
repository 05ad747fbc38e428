// The style sheets of an XML document: <?xml-stylesheet href="a.css" type="text/css"?> before its root
// element
// ("Associating Style Sheets with XML documents 1.0"). Pure; threads: any.
#pragma once

#include <string_view>

namespace bowerbird {

inline constexpr std::string_view kXmlStyleSheet = "xml-stylesheet";

// The value of href as written, a view of `content`, which is what follows the name of the instruction.
// Empty: there is none, or the content is not a list of pseudo-attributes.
std::string_view style_sheet_href(std::string_view content);

}  // namespace bowerbird
