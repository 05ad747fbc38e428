#include "parse/html_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.h"
#include "base/byte_block.h"
#include "base/utf8.h"
#include "parse/html_entities.h"
#include "parse/html_find.h"

namespace bowerbird {

namespace {

std::string_view view(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

enum class TextByte : std::uint8_t { kPlain, kSpace, kNul, kAmpersand, kHigh };

constexpr std::array<TextByte, 256> kTextBytes = [] {
  std::array<TextByte, 256> table{};
  for (std::size_t c = 0; c < 256; ++c) {
    table[c] = c <= 0x20 || c == 0x7F ? TextByte::kSpace : c >= 0x80 ? TextByte::kHigh : TextByte::kPlain;
  }
  table[0] = TextByte::kNul;
  table['&'] = TextByte::kAmpersand;
  return table;
}();

TextByte kind_of(char c) {
  return kTextBytes[static_cast<unsigned char>(c)];
}

bool is_space(char32_t c) {
  return c <= 0x20 || (c >= 0x7F && c <= 0xA0);
}

// Appends the decoded special byte at p for append_attribute_value; returns the position after it.
const char* append_special(std::string& out, const char* p, const char* end) {
  if (*p == '\0') {
    append_utf8(out, kReplacement);
    return p + 1;
  }
  if (*p == '\r') {
    out.push_back('\n');
    return p + 1 < end && p[1] == '\n' ? p + 2 : p + 1;
  }
  if (*p == '&') {
    const CharacterReference reference = read_character_reference(view(p, end), /*in_attribute=*/true);
    if (reference.size == 0) {
      out.push_back('&');
      return p + 1;
    }
    append_utf8(out, reference.first);
    if (reference.second != 0) append_utf8(out, reference.second);
    return p + reference.size;
  }
  const Utf8Step step = decode_utf8(view(p, end));
  if (step.valid) {
    out.append(p, step.size);
  } else {
    append_utf8(out, kReplacement);
  }
  return p + step.size;
}

// How many bytes from the front stay as they are in preformatted text.
std::size_t plain_run(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::size_t size = 0;
  for (unsigned run = ByteBlock::kSize; run == ByteBlock::kSize && size < text.size(); size += run) {
    const ByteBlock block(text.data() + size, end);
    run = run_of((block.between(' ', '~') & ~block.equal('&')) | block.equal('\n') | block.equal('\t'));
  }
  return size;
}

}  // namespace

void append_attribute_value(std::string& out, std::string_view raw) {
  const char* p = raw.data();
  const char* end = p + raw.size();
  while (p < end) {
    const char* special = find_special(p, end);
    out.append(p, special);
    p = special < end ? append_special(out, special, end) : end;
  }
}

char* TextCollector::put_gap(char* at, bool at_start) {
  if (!at_start) *at++ = gap_ == Gap::kLine ? '\n' : ' ';
  gap_ = Gap::kNone;
  return at;
}

// Reads from p until `limit` is reached or passed (by the last character or reference, which may extend to
// `end`).
const char* TextCollector::append_block(const char* p, const char* limit, const char* end, bool references) {
  // A byte becomes at most three (U+FFFD), or a gap and itself; a reference gives at most eight bytes. Plain
  // bytes are copied sixteen at a time, whether all of them count or not.
  char block[1024];
  char* at = block;
  const bool empty = out_->empty();
  const auto character = [&](char32_t c) {
    if (c == 0) return;
    if (is_space(c)) {
      break_word();
      return;
    }
    if (gap_ != Gap::kNone) at = put_gap(at, empty && at == block);
    at += encode_utf8(c, at);
  };
  while (p < limit) {
    switch (kind_of(*p)) {
      case TextByte::kPlain: {
        if (gap_ != Gap::kNone) at = put_gap(at, empty && at == block);
        // Single blanks between plain bytes too.
        const ByteBlock bytes(p, limit);
        const unsigned plain = bytes.between('!', '~') & ~bytes.equal('&');
        const unsigned copied = run_of(plain | (bytes.equal(' ') & plain >> 1));
        bytes.store(at);
        at += copied;
        p += copied;
        break;
      }
      case TextByte::kSpace:
        break_word();
        ++p;
        break;
      case TextByte::kNul:
        ++p;
        break;
      case TextByte::kAmpersand: {
        const CharacterReference reference =
            references ? read_character_reference(view(p, end), /*in_attribute=*/false)
                       : CharacterReference{};
        character(reference.size == 0 ? U'&' : reference.first);
        if (reference.second != 0) character(reference.second);
        p += std::max(1u, reference.size);
        break;
      }
      case TextByte::kHigh: {
        const Utf8Step step = decode_utf8(view(p, end));
        character(step.code_point);
        p += step.size;
        break;
      }
    }
  }
  out_->append(block, at);
  return p;
}

void TextCollector::append(std::string_view raw, bool references) {
  constexpr std::ptrdiff_t kBlock = 240;
  const char* p = raw.data();
  const char* end = p + raw.size();
  while (p < end) p = append_block(p, p + std::min(kBlock, end - p), end, references);
}

void TextCollector::append_preformatted(std::string_view raw, bool references) {
  const auto character = [&](char32_t c) {
    if (c == 0 || c == '\r') return;
    append_utf8(*out_, c == '\n' || c == '\t' || !is_space(c) ? c : U' ');
  };
  if (gap_ != Gap::kNone && !raw.empty()) {
    if (!out_->empty() && out_->back() != '\n') out_->push_back(gap_ == Gap::kLine ? '\n' : ' ');
    gap_ = Gap::kNone;
  }
  for (;;) {
    const std::size_t plain = plain_run(raw);
    out_->append(raw.substr(0, plain));
    raw.remove_prefix(plain);
    if (raw.empty()) return;
    std::size_t size = 1;
    if (raw.front() == '\r') {
      if (raw.size() == 1 || raw[1] != '\n') character('\n');
    } else if (raw.front() == '&' && references) {
      const CharacterReference reference = read_character_reference(raw, /*in_attribute=*/false);
      character(reference.size == 0 ? U'&' : reference.first);
      character(reference.second);
      size = std::max(1u, reference.size);
    } else {
      const Utf8Step step = decode_utf8(raw);
      character(step.code_point);
      size = step.size;
    }
    raw.remove_prefix(size);
  }
}

std::size_t complete_text(std::string_view raw, bool references) {
  const std::size_t tail = incomplete_utf8_tail(raw);
  if (tail > 0 || !references) return raw.size() - tail;
  std::size_t at = raw.size();
  while (at > 0) {
    const char c = raw[at - 1];
    if (c == '&') return at - 1;
    if (!is_ascii_alnum(c) && c != '#') break;
    --at;
  }
  return raw.size();
}

}  // namespace bowerbird
