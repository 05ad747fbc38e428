#include "parse/xml_text.h"

#include "base/utf8.h"

namespace bowerbird {

namespace {

bool is_blank(char32_t c) {
  return c <= 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200B) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x2060 || c == 0x3000 || c == 0xFEFF;
}

}  // namespace

std::string_view without_blank_ends(std::string_view utf8) {
  while (!utf8.empty()) {
    const Utf8Step step = decode_utf8(utf8);
    if (!is_blank(step.code_point)) break;
    utf8.remove_prefix(step.size);
  }
  while (!utf8.empty()) {
    std::size_t at = utf8.size() - 1;
    while (at > 0 && (static_cast<unsigned char>(utf8[at]) & 0xC0) == 0x80) --at;
    if (!is_blank(decode_utf8(utf8.substr(at)).code_point)) break;
    utf8.remove_suffix(utf8.size() - at);
  }
  return utf8;
}

std::string_view xml_local_name(std::string_view name) {
  return name.substr(name.rfind(':') + 1);  // npos + 1 is 0
}

std::string_view xml_attribute(const char** attributes, std::string_view name) {
  for (; *attributes != nullptr; attributes += 2) {
    if (attributes[0] == name) return attributes[1];
  }
  return {};
}

}  // namespace bowerbird
