#include "parse/css_urls.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/utf8.h"

namespace bowerbird {

namespace {

bool is_name_byte(char c) {
  return is_ascii_alnum(c) || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80 || c == '\0';
}

bool is_css_newline(char c) {
  return c == '\n' || c == '\r' || c == '\f';
}

class CssScanner {
 public:
  CssScanner(std::string_view css, const std::function<void(const CssUrl&)>& visit)
      : css_(css), visit_(visit) {}

  void run() {
    while (at_ < css_.size()) token();
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < css_.size() ? css_[at_ + ahead] : '\0'; }
  bool more() const { return at_ < css_.size(); }
  // A backslash here begins an escape (4.3.8).
  bool escape_here(std::size_t ahead = 0) const {
    return at_ + ahead + 1 < css_.size() && css_[at_ + ahead] == '\\' &&
           !is_css_newline(css_[at_ + ahead + 1]);
  }
  // A name begins here (4.3.9).
  bool name_here(std::size_t ahead = 0) const {
    if (at_ + ahead >= css_.size()) return false;
    const char c = css_[at_ + ahead];
    if (escape_here(ahead)) return true;
    if (c == '-') {
      const char next = peek(ahead + 1);
      return (at_ + ahead + 1 < css_.size() && is_name_byte(next) && !is_ascii_digit(next)) ||
             escape_here(ahead + 1);
    }
    return is_name_byte(c) && !is_ascii_digit(c);
  }

  void token() {
    const char c = peek();
    if (is_ascii_space(c)) {
      ++at_;
    } else if (c == '/' && peek(1) == '*') {
      skip_comment();
    } else if (c == '"' || c == '\'') {
      string_token();
    } else if (c == '@') {
      ++at_;
      if (name_here()) at_keyword();
    } else if (c == '#' || is_ascii_digit(c)) {
      // A hash or a number with its unit: no function, whatever follows.
      ++at_;
      expects_import_ = false;
      take_name(nullptr);
    } else if (name_here()) {
      word();
    } else {
      ++at_;
      punctuation(c);
    }
  }

  void skip_comment() {
    const std::size_t close = css_.find("*/", at_ + 2);
    at_ = close == std::string_view::npos ? css_.size() : close + 2;
  }

  void at_keyword() {
    take_name(&name_);
    expects_import_ = equals_ignoring_case(name_, "import");
    in_namespace_ = equals_ignoring_case(name_, "namespace");
    before_font_ = equals_ignoring_case(name_, "font-face");
  }

  // A name, which with a '(' behind it is a function.
  void word() {
    const std::size_t begin = at_;
    take_name(&name_);
    if (peek() != '(' || !more()) {
      expects_import_ = false;
      return;
    }
    ++at_;
    if (equals_ignoring_case(name_, "url")) return url_token(begin);
    expects_import_ = false;
    const bool images =
        equals_ignoring_case(name_, "image-set") || equals_ignoring_case(name_, "-webkit-image-set");
    open_.push_back(images ? 'i' : '(');
  }

  void punctuation(char c) {
    expects_import_ = false;
    const char top = open_.empty() ? '\0' : open_.back();
    if (c == '{') {
      open_.push_back(before_font_ ? 'f' : '{');
      font_blocks_ += before_font_ ? 1 : 0;
      before_font_ = false;
    } else if (c == '(' || c == '[') {
      open_.push_back(c);
    } else if ((c == '}' && (top == '{' || top == 'f')) || (c == ')' && (top == '(' || top == 'i')) ||
               (c == ']' && top == '[')) {
      font_blocks_ -= top == 'f' ? 1 : 0;
      open_.pop_back();
    }
    if (c == ';' || c == '{' || c == '}') in_namespace_ = false;
    if (c == ';' || c == '}') before_font_ = false;
  }

  // 4.3.5: a string, or a bad one, which ends before a line end.
  void string_token() {
    const std::size_t begin = at_;
    const bool whole = take_string();
    const bool wanted = expects_import_ || in_namespace_ || (!open_.empty() && open_.back() == 'i');
    if (whole && wanted) report(begin, at_, /*is_string=*/true);
    expects_import_ = false;
  }

  // Into text_.
  bool take_string() {
    const char quote = css_[at_++];
    text_.clear();
    while (more()) {
      const char c = css_[at_];
      if (c == quote) {
        ++at_;
        return true;
      }
      if (is_css_newline(c)) return false;
      if (c != '\\') {
        add_byte(&text_, c);
        ++at_;
      } else if (escape_here()) {
        take_escape(&text_);
      } else {
        ++at_;  // an escaped line end stands for nothing
        take_newline();
      }
    }
    return true;  // the end of the sheet closes it
  }

  // Behind "url(": 4.3.6, or a function with a string.
  void url_token(std::size_t begin) {
    skip_space();
    if (peek() != '"' && peek() != '\'') {
      if (take_unquoted()) report(begin, at_, false);
      expects_import_ = false;
      return;
    }
    const std::size_t string = at_;
    const bool whole = take_string();
    const std::size_t string_end = at_;
    skip_space();
    if (!more() || (whole && peek() == ')')) {
      if (more()) ++at_;
      report(begin, at_, false);
      return;
    }
    if (whole) report(string, string_end, true);  // url("x" modifier): the string alone is the URL
    open_.push_back('(');
    expects_import_ = false;
  }

  // Up to and with the ')'. False: a bad URL.
  bool take_unquoted() {
    text_.clear();
    bool good = true;
    while (more() && peek() != ')') {
      const char c = peek();
      if (escape_here()) {
        take_escape(&text_);
      } else if (is_ascii_space(c)) {
        skip_space();
        good = good && (!more() || peek() == ')');
      } else {
        good = good && c != '"' && c != '\'' && c != '(' && c != '\\' &&
               (static_cast<unsigned char>(c) >= 0x20) && c != 0x7f;
        add_byte(&text_, c);
        ++at_;
      }
    }
    if (more()) ++at_;
    return good;
  }

  void report(std::size_t begin, std::size_t end, bool is_string) {
    CssUrl found;
    found.begin = begin;
    found.end = end;
    found.is_string = is_string;
    found.kind = expects_import_    ? CssUrlKind::kImport
                 : in_namespace_    ? CssUrlKind::kNamespace
                 : font_blocks_ > 0 ? CssUrlKind::kFont
                                    : CssUrlKind::kValue;
    expects_import_ = false;
    found.url = trimmed(text_, kAsciiSpaces);
    if (!found.url.empty()) visit_(found);
  }

  void skip_space() {
    while (more() && is_ascii_space(css_[at_])) ++at_;
  }
  void take_newline() {
    if (peek() == '\r' && peek(1) == '\n') ++at_;
    if (more()) ++at_;
  }

  // Null: it is skipped.
  void take_name(std::string* name) {
    if (name != nullptr) name->clear();
    while (more()) {
      if (escape_here()) {
        take_escape(name);
      } else if (is_name_byte(css_[at_])) {
        if (name != nullptr) add_byte(name, css_[at_]);
        ++at_;
      } else {
        return;
      }
    }
  }

  // 4.3.7, at its backslash.
  void take_escape(std::string* to) {
    ++at_;
    char32_t code = 0;
    int digits = 0;
    while (more() && digits < 6 && hex_value(css_[at_]) >= 0) {
      code = code * 16 + static_cast<char32_t>(hex_value(css_[at_++]));
      ++digits;
    }
    if (digits == 0) {
      const Utf8Step step = decode_utf8(css_.substr(at_));
      if (to != nullptr) append_utf8(*to, step.code_point == 0 ? kReplacement : step.code_point);
      at_ += step.size;
      return;
    }
    if (more() && is_ascii_space(css_[at_])) is_css_newline(css_[at_]) ? take_newline() : void(++at_);
    if (to != nullptr) append_utf8(*to, code == 0 ? kReplacement : code);
  }

  static void add_byte(std::string* to, char c) {
    if (c == '\0') {
      append_utf8(*to, kReplacement);
    } else {
      to->push_back(c);
    }
  }

  std::string_view css_;
  const std::function<void(const CssUrl&)>& visit_;
  std::size_t at_ = 0;
  std::string name_;
  std::string text_;
  std::string open_;  // brackets: ( [ {, 'i' image-set(, 'f' the block of @font-face
  std::size_t font_blocks_ = 0;
  bool expects_import_ = false;
  bool in_namespace_ = false;
  bool before_font_ = false;
};

}  // namespace

void for_each_css_url(std::string_view css, const std::function<void(const CssUrl&)>& visit) {
  CssScanner(css, visit).run();
}

std::string css_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const bool escaped = c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || c == '\'' ||
                         static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (escaped) {
      fmt::format_to(std::back_inserter(out), "\\{:x} ",
                     static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
  return out;
}

std::string css_url(std::string_view text) {
  return "url(" + css_string(text) + ")";
}

std::string replace_css_urls(std::string_view css,
                             const std::function<bool(const CssUrl& url, std::string& text)>& replace) {
  std::string out;
  std::size_t done = 0;
  std::string text;
  for_each_css_url(css, [&](const CssUrl& url) {
    text.clear();
    if (!replace(url, text)) return;
    out.append(css.substr(done, url.begin - done));
    out.append(url.is_string ? css_string(text) : css_url(text));
    done = url.end;
  });
  out.append(css.substr(done));
  return out;
}

}  // namespace bowerbird
