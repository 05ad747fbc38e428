// The elements of HTTP fields (RFC 9110, section 5.6): tokens, quoted strings, optional blanks. A cursor over
// a value that it does not own; a step that does not match leaves it unchanged.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace bowerbird {

// RFC 9110, section 5.6.2.
constexpr bool is_token_char(char c) {
  return is_ascii_alnum(c) ||
         (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

class FieldScanner {
 public:
  explicit FieldScanner(std::string_view value) : value_(value) {}

  bool done() const { return at_ >= value_.size(); }
  char peek() const { return done() ? '\0' : value_[at_]; }
  void skip() { at_ += !done(); }

  void blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  bool take(char c) {
    if (done() || value_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view token() {
    const std::size_t begin = at_;
    while (!done() && is_token_char(value_[at_])) ++at_;
    return value_.substr(begin, at_ - begin);
  }
  // Up to the first of `ends`, which is not consumed.
  std::string_view until(std::string_view ends) {
    const std::size_t begin = at_;
    at_ = value_.find_first_of(ends, at_);
    if (at_ == std::string_view::npos) at_ = value_.size();
    return value_.substr(begin, at_ - begin);
  }
  // A quoted string without quotes and backslashes; without a closing quote it extends to the end of the
  // value.
  std::string quoted() {
    std::string out;
    take('"');
    while (!done()) {
      char c = value_[at_++];
      if (c == '"') break;
      if (c == '\\' && !done()) c = value_[at_++];
      out += c;
    }
    return out;
  }
  // The value after '=': a quoted string, or everything up to one of `ends` without trailing blanks.
  std::string argument(std::string_view ends) {
    blanks();
    if (peek() != '"') return std::string(trimmed(until(ends)));
    std::string out = quoted();
    until(ends);
    return out;
  }

 private:
  std::string_view value_;
  std::size_t at_ = 0;
};

}  // namespace bowerbird
