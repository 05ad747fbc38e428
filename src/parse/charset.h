// Determines the encoding of a page.
//
// By the HTML standard (13.2.3.2): byte order mark, the user's choice, HTTP header, <meta> or XML declaration
// in the first 1024 bytes. Without any of these, our choice: UTF-8 if the bytes are valid UTF-8, else
// windows-1252 (13.2.3.2 step 9, "all other locales").
//
// Pure functions; any bytes are input. Threads: any.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "encoding/encoding.h"

namespace bowerbird {

// The label in a meta element's content, "text/html; charset=utf-8"; empty if there is none (HTML
// standard 2.5.3, "extracting a character encoding from a meta element"). A view of the argument.
std::string_view charset_in_content(std::string_view content);

// The encoding declared at the beginning of a page ("prescan a byte stream", 13.2.3.2). `from_xml`: whether
// it was an XML declaration.
std::optional<Encoding> prescan_charset(std::string_view bytes, bool& from_xml);

enum class CharsetSource : unsigned char {
  kByteOrderMark,
  kUser,        // the user's choice
  kHeader,      // the charset parameter of Content-Type
  kMeta,        // <meta> in the first 1024 bytes
  kXml,         // <?xml encoding="..."?> in the first 1024 bytes
  kXmlDefault,  // XML without a declaration: UTF-8
  kLateMeta,    // <meta> further on, if nothing else was declared (13.2.3.4)
  kValidUtf8,   // not declared, and the bytes are valid UTF-8
  kDefault,     // not declared, and they are not
};

std::string_view charset_source_text(CharsetSource source);

struct CharsetChoice {
  Encoding encoding = Encoding::kUtf8;
  CharsetSource source = CharsetSource::kDefault;
  std::size_t mark = 0;  // bytes of the byte order mark, to be skipped
};

// Unknown labels are ignored.
CharsetChoice choose_charset(std::string_view bytes, std::string_view header_label = {},
                             std::string_view user_label = {});
// The same for XML, where <meta> has no effect (XML 1.0, 4.3.3; RFC 7303, 3).
CharsetChoice choose_xml_charset(std::string_view bytes, std::string_view header_label = {},
                                 std::string_view user_label = {});

}  // namespace bowerbird
