#include "dash/escape.h"

#include "base/html_escape.h"
#include "base/utf8.h"

namespace bowerbird {
namespace {

bool allowed_in_xml(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n';
  return !(c >= 0x7f && c < 0xa0) && c != 0xfffe && c != 0xffff;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string allowed;
  allowed.reserve(text.size());
  while (!text.empty()) {
    const Utf8Step step = decode_utf8(text);
    text.remove_prefix(step.size);
    append_utf8(allowed, allowed_in_xml(step.code_point) ? step.code_point : kReplacement);
  }
  std::string out;
  append_html_escaped(out, allowed);
  return out;
}

std::string script_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const Utf8Step step = decode_utf8(json);
    json.remove_prefix(step.size);
    switch (step.code_point) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      case 0x2028:
        out += "\\u2028";
        break;
      case 0x2029:
        out += "\\u2029";
        break;
      default:
        append_utf8(out, step.code_point);
    }
  }
  return out;
}

}  // namespace bowerbird
