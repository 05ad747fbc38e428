// In which encoding a page is written, and its text as UTF-8.
//
// Found as the HTML standard says (13.2.3.2): byte order mark, what the user says, HTTP header, <meta> or XML
// declaration in the first 1024 bytes. Where nothing is said, choice of the house: UTF-8 if the bytes are
// valid UTF-8, else windows-1252 (13.2.3.2 step 9, "all other locales"). Names and labels are those of the
// Encoding Standard (4.2).
//
// Any bytes are input, and what comes out is valid UTF-8: what cannot be read becomes U+FFFD. Views that are
// returned as names live for ever. Threads: functions are free to use; a CharsetDecoder has one user at a
// time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

// The encoding a label means ("latin1" is "windows-1252"), in lower case; empty for none of the standard's.
std::string_view charset_of_label(std::string_view label);

// All names, for tests and lists.
std::vector<std::string_view> charset_names();

// The label in a meta element's content, "text/html; charset=utf-8"; empty if there is none (HTML
// standard 2.5.3, "extracting a character encoding from a meta element"). A view of the argument.
std::string_view charset_in_content(std::string_view content);

// The encoding that the beginning of a page names itself ("prescan a byte stream", 13.2.3.2), or empty.
// `from_xml` tells whether it was an XML declaration.
std::string_view prescan_charset(std::string_view bytes, bool& from_xml);

enum class CharsetSource : unsigned char {
  kByteOrderMark,
  kUser,       // what the caller insists on
  kHeader,     // the charset parameter of Content-Type
  kMeta,       // <meta> in the first 1024 bytes
  kXml,        // <?xml encoding="..."?> in the first 1024 bytes
  kLateMeta,   // <meta> further on, where nothing else was said (13.2.3.4)
  kValidUtf8,  // nothing is said, and the bytes are valid UTF-8
  kDefault,    // nothing is said, and they are not
};

std::string_view charset_source_text(CharsetSource source);

struct CharsetChoice {
  std::string_view name;
  CharsetSource source = CharsetSource::kDefault;
  std::size_t mark = 0;  // bytes of the byte order mark, to be skipped
};

// Labels that mean nothing are taken as not given.
CharsetChoice choose_charset(std::string_view bytes, std::string_view header_label = {},
                             std::string_view user_label = {});

// Whether the bytes are already the UTF-8 they stand for: UTF-8, or plain ASCII in an encoding that holds it.
// (Invalid UTF-8 is left to the reader to replace.)
bool needs_no_conversion(std::string_view charset, std::string_view bytes);

// Converts by tables of our own (UTF-8, UTF-16, windows-1252) and by the C library's iconv (the others).
// Output is at most three bytes for each byte of input, plus a few.
class CharsetDecoder {
 public:
  CharsetDecoder() = default;
  ~CharsetDecoder();
  CharsetDecoder(const CharsetDecoder&) = delete;
  CharsetDecoder& operator=(const CharsetDecoder&) = delete;

  // Puts `bytes`, written in the encoding of this name, into `utf8`. Where the C library lacks the encoding,
  // all bytes outside ASCII become U+FFFD and the answer is false.
  bool decode(std::string_view charset, std::string_view bytes, std::string& utf8);

 private:
  bool decode_by_iconv(std::string_view charset, std::string_view bytes, std::string& utf8);

  std::string_view open_;   // the encoding that handle_ converts
  void* handle_ = nullptr;  // iconv_t
};

}  // namespace bowerbird
