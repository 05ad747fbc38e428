// Encodings: whatever the bytes, one is chosen, and in every one they become valid UTF-8 of bounded size.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "parse/charset.h"
#include "parse/page_reader.h"

using namespace bowerbird;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const CharsetChoice choice = choose_charset(bytes);
  CHECK(charset_of_label(choice.name) == choice.name);
  CHECK(choice.mark <= size);

  static const std::vector<std::string_view> names = charset_names();
  static CharsetDecoder decoder;
  std::string utf8;
  for (const std::string_view name : {choice.name, names[size > 0 ? data[0] % names.size() : 0]}) {
    CHECK(decoder.decode(name, bytes, utf8));
    CHECK(is_valid_utf8(utf8));
    CHECK(utf8.size() <= 3 * size + 8);
    if (needs_no_conversion(name, bytes) && is_valid_utf8(bytes)) CHECK(utf8 == bytes);
  }

  // A label that is found is a part of the content.
  const std::string_view label = charset_in_content(bytes);
  CHECK(label.empty() ||
        (label.data() >= bytes.data() && label.data() + label.size() <= bytes.data() + size));

  static PageReader reader;
  HtmlPage page;
  reader.read(bytes, {}, page);
  CHECK(is_valid_utf8(page.text) && is_valid_utf8(page.strings) && is_valid_utf8(page.title));
  return 0;
}
