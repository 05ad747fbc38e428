// In which encoding a page is written.
//
// Found as the HTML standard says (13.2.3.2): byte order mark, what the user says, HTTP header, <meta> or XML
// declaration in the first 1024 bytes. Where nothing is said, our choice: UTF-8 if the bytes are valid UTF-8,
// else windows-1252 (13.2.3.2 step 9, "all other locales").
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

// The encoding that the beginning of a page names itself ("prescan a byte stream", 13.2.3.2).
// `from_xml` tells whether it was an XML declaration.
std::optional<Encoding> prescan_charset(std::string_view bytes, bool& from_xml);

enum class CharsetSource : unsigned char {
  kByteOrderMark,
  kUser,        // what the caller insists on
  kHeader,      // the charset parameter of Content-Type
  kMeta,        // <meta> in the first 1024 bytes
  kXml,         // <?xml encoding="..."?> in the first 1024 bytes
  kXmlDefault,  // a page of XML that says nothing: UTF-8
  kLateMeta,    // <meta> further on, where nothing else was said (13.2.3.4)
  kValidUtf8,   // nothing is said, and the bytes are valid UTF-8
  kDefault,     // nothing is said, and they are not
};

std::string_view charset_source_text(CharsetSource source);

struct CharsetChoice {
  Encoding encoding = Encoding::kUtf8;
  CharsetSource source = CharsetSource::kDefault;
  std::size_t mark = 0;  // bytes of the byte order mark, to be skipped
};

// Labels that mean nothing are taken as not given.
CharsetChoice choose_charset(std::string_view bytes, std::string_view header_label = {},
                             std::string_view user_label = {});
// The same for XML, where a <meta> says nothing (XML 1.0, 4.3.3; RFC 7303, 3).
CharsetChoice choose_xml_charset(std::string_view bytes, std::string_view header_label = {},
                                 std::string_view user_label = {});

}  // namespace bowerbird
