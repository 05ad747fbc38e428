#include "base/json_text.h"

#include <fmt/format.h>

#include <iterator>

#include "base/byte_block.h"
#include "base/utf8.h"

namespace bowerbird {

namespace {

// How many bytes from the front stay as they are.
std::size_t plain_bytes(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::size_t size = 0;
  for (unsigned run = ByteBlock::kSize; run == ByteBlock::kSize && size < text.size(); size += run) {
    const ByteBlock block(text.data() + size, end);
    run = run_of(block.between(' ', '~') & ~(block.equal('"') | block.equal('\\')));
  }
  return size;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out.append("\\\"");
      break;
    case '\\':
      out.append("\\\\");
      break;
    case '\n':
      out.append("\\n");
      break;
    case '\r':
      out.append("\\r");
      break;
    case '\t':
      out.append("\\t");
      break;
    default:
      fmt::format_to(std::back_inserter(out), "\\u{:04x}",
                     static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  while (!text.empty()) {
    const std::size_t plain = plain_bytes(text);
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    if (static_cast<unsigned char>(text[0]) < 0x80) {
      append_escaped(out, text[0]);
      text.remove_prefix(1);
    } else {
      const Utf8Step step = decode_utf8(text);
      // Control characters U+0080 to U+009F too: terminals obey them.
      if (step.code_point < 0xA0) {
        append_escaped(out, static_cast<char>(step.code_point));
      } else {
        append_utf8(out, step.code_point);
      }
      text.remove_prefix(step.size);
    }
  }
  out.push_back('"');
}

bool is_shallow_json(std::string_view text, int depth) {
  int open = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++open > depth) return false;
    } else if (c == '}' || c == ']') {
      --open;
    }
  }
  return true;
}

}  // namespace bowerbird
