#include "parse/robots_pattern.h"

#include "url/percent.h"

namespace bowerbird {

namespace {

class Speller {
 public:
  explicit Speller(std::string& out) : out_(out) {}

  // Appends the byte or escape at the front of `text`; returns its length.
  std::size_t step(std::string_view text) {
    const int value = escape_value(text);
    if (value < 0) {
      bare(text[0]);
      return 1;
    }
    const auto c = static_cast<char>(value);
    if (in_set(c, kUnreserved) || (in_query_ && (c == ':' || c == '/' || c == '?' || c == '@'))) {
      out_ += c;
    } else {
      append_escape(out_, static_cast<unsigned char>(value));
    }
    return 3;
  }

 private:
  void bare(char c) {
    if (c == '%' || c == '*' || c == '$' || in_set(c, kNotUri)) {
      append_escape(out_, static_cast<unsigned char>(c));
      return;
    }
    in_query_ |= c == '?';
    out_ += c;
  }

  std::string& out_;
  bool in_query_ = false;
};

constexpr std::array<ByteKinds, 256> kKinds = [] {
  std::array<ByteKinds, 256> kinds{};
  unsigned next = 36;
  for (unsigned c = 0; c < 256; ++c) {
    if (kByteSets[c] & kNotUri || c == '%' || c == '*' || c == '$') {
      kinds[c] = kToBeRespelt;
    } else if (c >= '0' && c <= '9') {
      kinds[c] = ByteKinds{1} << (c - '0' + 26);
    } else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
      kinds[c] = ByteKinds{1} << ((c | 0x20) - 'a');
    } else {
      kinds[c] = ByteKinds{1} << next++;
    }
  }
  return kinds;
}();
static_assert(kKinds['~'] != 0 && kKinds['~'] < kToBeRespelt, "the other bytes of RFC 3986 fit between");

}  // namespace

const std::array<ByteKinds, 256> kByteKinds = kKinds;

RobotsPattern comparable_pattern(std::string_view written) {
  RobotsPattern pattern;
  if (written.ends_with('$')) {
    pattern.anchored = true;
    written.remove_suffix(1);
  }
  Speller speller(pattern.text);
  while (!written.empty()) {
    if (written[0] == '*') {
      if (!pattern.text.ends_with('*')) pattern.text += '*';
      written.remove_prefix(1);
    } else {
      written.remove_prefix(speller.step(written));
    }
  }
  return pattern;
}

std::string_view comparable_target(std::string_view target, std::string& scratch, ByteKinds& held) {
  held = byte_kinds(target);
  if (!(held & kToBeRespelt)) return target;
  scratch.clear();
  Speller speller(scratch);
  while (!target.empty()) target.remove_prefix(speller.step(target));
  held = byte_kinds(scratch);
  return scratch;
}

}  // namespace bowerbird
