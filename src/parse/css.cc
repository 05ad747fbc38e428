#include "parse/css.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "encoding/decoder.h"
#include "parse/charset.h"

namespace bowerbird {

namespace {

bool is_css_newline(char c) {
  return c == '\n' || c == '\r' || c == '\f';
}
bool is_css_space(char c) {
  return c == ' ' || c == '\t' || is_css_newline(c);
}
// "Ident code point"; bytes outside ASCII and NUL (read as U+FFFD) are some.
bool is_css_name(char c) {
  return is_ascii_alpha(c) || is_ascii_digit(c) || c == '_' || c == '-' || c == '\0' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_css_name_start(char c) {
  return is_css_name(c) && !is_ascii_digit(c) && c != '-';
}
bool is_css_unprintable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 1 && byte <= 8) || byte == 0x0B || (byte >= 0x0E && byte <= 0x1F) || byte == 0x7F;
}
int css_hex(char c) {
  if (is_ascii_digit(c)) return c - '0';
  const char lower = ascii_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// What an open bracket is of.
enum class CssOpen : char { kBlock, kFontBlock, kParenthesis, kSquare, kUrl, kImageSet };

class CssScan {
 public:
  CssScan(std::string_view css, CssPart part, const std::function<void(const CssReference&)>& take)
      : css_(css), part_(part), take_(take) {}

  void run() {
    while (at_ < css_.size()) token();
  }

 private:
  // What the URLs in front of the block or ';' of an at-rule are for.
  enum class Prelude : std::uint8_t { kNone, kImport, kFontFace, kOther };

  char peek(std::size_t ahead = 0) const { return at_ + ahead < css_.size() ? css_[at_ + ahead] : '\n'; }
  bool has(std::size_t ahead = 0) const { return at_ + ahead < css_.size(); }
  // 4.3.8: a backslash that is not followed by a line end. At the very end of the text it is one.
  bool is_escape(std::size_t ahead = 0) const {
    return has(ahead) && css_[at_ + ahead] == '\\' &&
           !(has(ahead + 1) && is_css_newline(css_[at_ + ahead + 1]));
  }
  // 4.3.9.
  bool starts_name() const {
    if (peek() == '-') return (has(1) && (is_css_name_start(peek(1)) || peek(1) == '-')) || is_escape(1);
    return is_css_name_start(peek()) || is_escape();
  }

  void token();
  void skip_comment();
  void skip_spaces() {
    while (has() && is_css_space(peek())) ++at_;
  }
  void escape(std::string& out);
  void name(std::string& out);
  void string();
  void bad_string();
  void named();
  void url();
  void bad_url();
  void at_keyword();
  void open(CssOpen what) { open_.push_back(what); }
  void open_block();
  void close(char bracket);
  void end_of_prelude() { prelude_ = Prelude::kNone; }
  bool in_prelude_itself() const { return open_.size() == prelude_depth_; }
  void found(std::size_t at, std::size_t size);
  void give(CssUse use, std::size_t at, std::size_t size);

  std::string_view css_;
  CssPart part_;
  const std::function<void(const CssReference&)>& take_;
  std::size_t at_ = 0;
  std::vector<CssOpen> open_;
  std::size_t font_blocks_ = 0;
  Prelude prelude_ = Prelude::kNone;
  std::size_t prelude_depth_ = 0;  // brackets that were open before it
  std::string value_;              // of the token being read
};

void CssScan::token() {
  const char c = peek();
  if (c == '/' && has(1) && peek(1) == '*') return skip_comment();
  if (c == '"' || c == '\'') return string();
  if (c == '@') return at_keyword();
  if (c == '-' && css_.substr(at_).starts_with("-->")) {
    at_ += 3;
    return;
  }
  if (starts_name()) return named();
  ++at_;
  switch (c) {
    case '#':
      if (is_css_name(peek()) || is_escape()) name(value_);
      return;
    case '(':
      return open(CssOpen::kParenthesis);
    case '[':
      return open(CssOpen::kSquare);
    case '{':
      return open_block();
    case ')':
    case ']':
    case '}':
      return close(c);
    case ';':
      if (in_prelude_itself()) end_of_prelude();
      return;
    default:
      // A number and its unit: "1url(" is no URL.
      if (is_ascii_digit(c)) name(value_);
      return;
  }
}

void CssScan::skip_comment() {
  const std::size_t end = css_.find("*/", at_ + 2);
  at_ = end == css_.npos ? css_.size() : end + 2;
}

// 4.3.7; at the backslash.
void CssScan::escape(std::string& out) {
  ++at_;
  if (!has()) {
    append_utf8(out, kReplacement);
    return;
  }
  if (css_hex(peek()) < 0) {
    out += peek();  // the rest of a longer character follows as it is
    ++at_;
    return;
  }
  char32_t value = 0;
  for (int digits = 0; digits < 6 && has() && css_hex(peek()) >= 0; ++digits, ++at_)
    value = value * 16 + static_cast<char32_t>(css_hex(peek()));
  if (css_.substr(at_).starts_with("\r\n")) {
    at_ += 2;
  } else if (has() && is_css_space(peek())) {
    ++at_;
  }
  const bool is_character = value != 0 && value <= 0x10FFFF && !(value >= 0xD800 && value <= 0xDFFF);
  append_utf8(out, is_character ? value : kReplacement);
}

// 4.3.11.
void CssScan::name(std::string& out) {
  out.clear();
  while (has()) {
    if (is_escape()) {
      escape(out);
    } else if (is_css_name(peek())) {
      out += peek();
      ++at_;
    } else {
      return;
    }
  }
}

// 4.3.5: up to its quote. A line end makes it a bad string, which ends in front of it.
void CssScan::string() {
  const char quote = peek();
  const std::size_t begin = ++at_;
  value_.clear();
  while (has()) {
    const char c = peek();
    if (c == quote) {
      found(begin, at_ - begin);
      ++at_;
      return;
    }
    if (is_css_newline(c)) return bad_string();
    if (c != '\\') {
      value_ += c;
      ++at_;
    } else if (!has(1)) {
      ++at_;
    } else if (is_css_newline(peek(1))) {
      at_ += css_.substr(at_ + 1).starts_with("\r\n") ? 3 : 2;
    } else {
      escape(value_);
    }
  }
  found(begin, at_ - begin);  // the end of the text ends it too
}

// What it is in cannot be read either: a string further on is none of its URLs.
void CssScan::bad_string() {
  if (!open_.empty() && open_.back() == CssOpen::kUrl) open_.back() = CssOpen::kParenthesis;
  if (prelude_ == Prelude::kImport) prelude_ = Prelude::kOther;
}

// 4.3.4: a name, a function, or a URL without quotes.
void CssScan::named() {
  name(value_);
  if (!has() || peek() != '(') return;
  ++at_;
  if (equals_ignoring_case(value_, "url")) {
    std::size_t quote = at_;
    while (quote < css_.size() && is_css_space(css_[quote])) ++quote;
    if (quote == css_.size() || (css_[quote] != '"' && css_[quote] != '\'')) return url();
    return open(CssOpen::kUrl);
  }
  if (equals_ignoring_case(value_, "src")) return open(CssOpen::kUrl);
  const bool set =
      equals_ignoring_case(value_, "image-set") || equals_ignoring_case(value_, "-webkit-image-set");
  open(set ? CssOpen::kImageSet : CssOpen::kParenthesis);
}

// 4.3.6; behind "url(".
void CssScan::url() {
  skip_spaces();
  const std::size_t begin = at_;
  std::size_t end = css_.size();
  value_.clear();
  while (has() && peek() != ')') {
    const char c = peek();
    if (is_css_space(c)) {
      end = at_;
      skip_spaces();
      if (has() && peek() != ')') return bad_url();
      break;
    }
    if (c == '"' || c == '\'' || c == '(' || is_css_unprintable(c)) return bad_url();
    if (c != '\\') {
      value_ += c;
      ++at_;
    } else if (is_escape()) {
      escape(value_);
    } else {
      return bad_url();
    }
  }
  end = std::min(end, at_);
  if (has()) ++at_;
  if (prelude_ == Prelude::kNone) {
    give(font_blocks_ > 0 ? CssUse::kFont : CssUse::kImage, begin, end - begin);
  } else if (prelude_ == Prelude::kImport && in_prelude_itself()) {
    prelude_ = Prelude::kOther;
    give(CssUse::kImport, begin, end - begin);
  }
}

// 4.3.14.
void CssScan::bad_url() {
  for (; has(); ++at_) {
    if (peek() == ')') {
      ++at_;
      return;
    }
    if (is_escape()) ++at_;
  }
  at_ = std::min(at_, css_.size());
}

void CssScan::at_keyword() {
  ++at_;
  if (!starts_name()) return;
  name(value_);
  const bool of_rule =
      open_.empty() || open_.back() == CssOpen::kBlock || open_.back() == CssOpen::kFontBlock;
  if (!of_rule || part_ == CssPart::kDeclarations) return;
  prelude_depth_ = open_.size();
  prelude_ = equals_ignoring_case(value_, "import") && open_.empty() ? Prelude::kImport
             : equals_ignoring_case(value_, "font-face")             ? Prelude::kFontFace
                                                                     : Prelude::kOther;
}

void CssScan::open_block() {
  const bool of_rule = prelude_ != Prelude::kNone && in_prelude_itself();
  const bool font = of_rule && prelude_ == Prelude::kFontFace;
  if (of_rule) end_of_prelude();
  if (font) ++font_blocks_;
  open(font ? CssOpen::kFontBlock : CssOpen::kBlock);
}

void CssScan::close(char bracket) {
  if (open_.empty()) return;
  const CssOpen last = open_.back();
  const char fits = last == CssOpen::kBlock || last == CssOpen::kFontBlock ? '}'
                    : last == CssOpen::kSquare                             ? ']'
                                                                           : ')';
  if (bracket != fits) return;
  open_.pop_back();
  if (last == CssOpen::kFontBlock) --font_blocks_;
  if (open_.size() < prelude_depth_) {
    end_of_prelude();  // the block that the at-rule stood in has ended
    prelude_depth_ = 0;
  }
}

// A string: whether it is a URL depends on where it stands.
void CssScan::found(std::size_t at, std::size_t size) {
  const bool import = prelude_ == Prelude::kImport;
  const bool in_url = !open_.empty() && open_.back() == CssOpen::kUrl;
  if (in_url) open_.back() = CssOpen::kParenthesis;  // what follows are modifiers
  if (import && (in_prelude_itself() || (in_url && open_.size() == prelude_depth_ + 1))) {
    prelude_ = Prelude::kOther;
    give(CssUse::kImport, at, size);
  } else if (prelude_ == Prelude::kNone &&
             (in_url || (!open_.empty() && open_.back() == CssOpen::kImageSet))) {
    give(font_blocks_ > 0 ? CssUse::kFont : CssUse::kImage, at, size);
  }
}

void CssScan::give(CssUse use, std::size_t at, std::size_t size) {
  const std::string_view url = value_;
  if (url.empty() || url.front() == '#' || starts_ignoring_case(url, "data:")) return;
  take_({use, url, at, size});
}

// The label in an @charset rule, which is read byte by byte.
std::string_view charset_rule(std::string_view bytes) {
  constexpr std::string_view kRule = "@charset \"";
  if (!bytes.starts_with(kRule)) return {};
  bytes = bytes.substr(kRule.size(), 64);
  const std::size_t end = bytes.find("\";");
  return end == bytes.npos ? std::string_view() : bytes.substr(0, end);
}

}  // namespace

std::string_view css_text(std::string_view bytes, std::string_view header_charset, std::string& storage) {
  const std::string_view label = header_charset.empty() ? charset_rule(bytes) : header_charset;
  CharsetChoice choice = choose_xml_charset(bytes, label);
  // A rule that could be read as ASCII is not in UTF-16.
  if (choice.source == CharsetSource::kHeader && header_charset.empty() && is_utf16(choice.encoding))
    choice.encoding = Encoding::kUtf8;
  bytes.remove_prefix(choice.mark);
  if (choice.encoding == Encoding::kUtf8) return bytes;
  storage.clear();
  append_decoded(storage, choice.encoding, bytes);
  return storage;
}

void read_css(std::string_view css, CssPart part, const std::function<void(const CssReference&)>& take) {
  CssScan(css, part, take).run();
}

}  // namespace bowerbird
