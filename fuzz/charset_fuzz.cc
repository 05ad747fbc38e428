// Encodings: for any bytes one is chosen, and in every one they become valid UTF-8 of limited size; encoded
// text is decoded unchanged.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "encoding/decoder.h"
#include "encoding/encoder.h"
#include "parse/charset.h"
#include "parse/page_reader.h"

using namespace bowerbird;

namespace {

// Split at a position chosen by the input, the text is the same.
void check_pieces(Encoding encoding, std::string_view bytes, const std::string& whole) {
  const std::size_t cut = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.back()) % (bytes.size() + 1);
  TextDecoder decoder(encoding);
  std::string utf8;
  decoder.decode(bytes.substr(0, cut), utf8, false);
  decoder.decode(bytes.substr(cut), utf8, true);
  CHECK(utf8 == whole);
}

// Text that is encoded, decoded and encoded again gives the same bytes.
void check_written(Encoding encoding, std::string_view text) {
  const auto write = [&](std::string_view utf8) {
    TextEncoder encoder(encoding);
    std::string bytes;
    while (!utf8.empty()) {
      const Utf8Step step = decode_utf8(utf8);
      utf8.remove_prefix(step.size);
      if (encoder.encode(step.code_point, bytes) != 0) encoder.encode('?', bytes);
    }
    encoder.finish(bytes);
    return bytes;
  };
  const std::string once = write(text);
  std::string again;
  append_decoded(again, encoding, once);
  CHECK(write(again) == once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const CharsetChoice choice = choose_charset(bytes);
  CHECK(choice.mark <= size);

  const auto drawn = static_cast<Encoding>(size > 0 ? data[0] % kEncodingCount : 0);
  for (const Encoding encoding : {choice.encoding, drawn}) {
    std::string utf8;
    append_decoded(utf8, encoding, bytes);
    CHECK(is_valid_utf8(utf8));
    CHECK(utf8.size() <= 3 * size);
    if (encoding == Encoding::kUtf8 && is_valid_utf8(bytes)) CHECK(utf8 == bytes);
    if (extends_ascii(encoding) && is_ascii(bytes)) CHECK(utf8 == bytes);
    check_pieces(encoding, bytes, utf8);
    check_written(output_encoding(encoding), utf8);
  }

  // A detected label is part of the content.
  const std::string_view label = charset_in_content(bytes);
  CHECK(label.empty() ||
        (label.data() >= bytes.data() && label.data() + label.size() <= bytes.data() + size));

  static PageReader reader;
  HtmlPage page;
  reader.read(bytes, {}, page);
  CHECK(is_valid_utf8(page.text) && is_valid_utf8(page.strings) && is_valid_utf8(page.title));
  return 0;
}
