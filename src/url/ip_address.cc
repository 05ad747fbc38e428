#include "url/ip_address.h"

#include <fmt/format.h>

#include <iterator>

#include "base/ascii.h"

namespace bowerbird {

namespace {

// The standard's IPv4 number parser: decimal, "0x" hexadecimal, leading zero octal; "0x" alone is 0. Values
// past 32 bits stay past them.
std::optional<std::uint64_t> ipv4_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  unsigned radix = 10;
  if (text.size() >= 2 && text[0] == '0') {
    const bool hexadecimal = ascii_lower(text[1]) == 'x';
    radix = hexadecimal ? 16 : 8;
    text.remove_prefix(hexadecimal ? 2 : 1);
  }
  std::uint64_t value = 0;
  for (const char c : text) {
    const int digit = hex_value(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= radix) return std::nullopt;
    value = value * radix + static_cast<unsigned>(digit);
    if (value > 0xffffffffu) value = std::uint64_t{1} << 32;
  }
  return value;
}

// One dot at the end does not start another part.
std::string_view without_last_dot(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

class Ipv6Parser {
 public:
  explicit Ipv6Parser(std::string_view text) : text_(text) {}

  std::optional<Ipv6Pieces> parse() {
    if (peek() == ':') {
      if (peek(1) != ':') return std::nullopt;
      at_ += 2;
      compress_ = ++count_;
    }
    while (at_ < text_.size()) {
      if (count_ == 8) return std::nullopt;
      if (peek() == ':') {
        if (compress_) return std::nullopt;
        ++at_;
        compress_ = ++count_;
        continue;
      }
      if (!piece()) return std::nullopt;
      if (embedded_) break;
    }
    return spread();
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool piece() {
    const std::size_t begin = at_;
    unsigned value = 0;
    while (at_ - begin < 4 && hex_value(peek()) >= 0) {
      value = value * 16 + static_cast<unsigned>(hex_value(text_[at_++]));
    }
    if (peek() == '.') {
      if (at_ == begin || count_ > 6) return false;
      at_ = begin;
      return embedded_ipv4();
    }
    if (peek() == ':') {
      ++at_;
      if (at_ == text_.size()) return false;
    } else if (at_ < text_.size()) {
      return false;
    }
    pieces_[count_++] = static_cast<std::uint16_t>(value);
    return true;
  }

  // Exactly four decimal numbers without leading zeros, to the end of the text.
  bool embedded_ipv4() {
    embedded_ = true;
    for (int part = 0; part < 4; ++part) {
      if (part > 0 && (peek() != '.' || ++at_ > text_.size())) return false;
      if (!is_ascii_digit(peek())) return false;
      unsigned value = 0;
      const std::size_t begin = at_;
      while (is_ascii_digit(peek())) {
        if (at_ > begin && value == 0) return false;
        value = value * 10 + static_cast<unsigned>(text_[at_++] - '0');
        if (value > 255) return false;
      }
      pieces_[count_] = static_cast<std::uint16_t>(pieces_[count_] * 256 + value);
      if (part % 2 == 1) ++count_;
    }
    return at_ == text_.size();
  }

  // Moves the pieces after "::" to the end.
  std::optional<Ipv6Pieces> spread() {
    if (!compress_) return count_ == 8 ? std::optional(pieces_) : std::nullopt;
    std::size_t swaps = count_ - *compress_;
    for (std::size_t to = 7; to != 0 && swaps > 0; --to, --swaps) {
      std::swap(pieces_[to], pieces_[*compress_ + swaps - 1]);
    }
    return pieces_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Ipv6Pieces pieces_{};
  std::size_t count_ = 0;
  std::optional<std::size_t> compress_;
  bool embedded_ = false;
};

}  // namespace

bool ends_in_number(std::string_view host) {
  const std::string_view rest = without_last_dot(host);
  const std::size_t dot = rest.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? rest : rest.substr(dot + 1);
  if (last.empty()) return false;
  return last.find_first_not_of("0123456789") == std::string_view::npos || ipv4_number(last).has_value();
}

std::optional<std::uint32_t> parse_ipv4(std::string_view host) {
  std::string_view rest = without_last_dot(host);
  std::array<std::uint64_t, 4> numbers{};
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    if (count == 4) return std::nullopt;
    const std::size_t dot = rest.find('.');
    more = dot != std::string_view::npos;
    const auto number = ipv4_number(rest.substr(0, dot));
    if (!number) return std::nullopt;
    numbers[count] = *number;
    if (more) rest.remove_prefix(dot + 1);
  }
  std::uint64_t address = numbers[count - 1];
  if (address >= std::uint64_t{1} << (8 * (5 - count))) return std::nullopt;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (numbers[i] > 255) return std::nullopt;
    address += numbers[i] << (8 * (3 - i));
  }
  return static_cast<std::uint32_t>(address);
}

void append_ipv4(std::string& out, std::uint32_t address) {
  fmt::format_to(std::back_inserter(out), "{}.{}.{}.{}", address >> 24, address >> 16 & 255,
                 address >> 8 & 255, address & 255);
}

std::optional<Ipv6Pieces> parse_ipv6(std::string_view text) {
  return Ipv6Parser(text).parse();
}

void append_ipv6(std::string& out, const Ipv6Pieces& pieces) {
  // The first of the longest runs of at least two zeros becomes "::".
  std::size_t run_begin = 8;
  std::size_t run_size = 1;
  for (std::size_t i = 0; i < 8;) {
    std::size_t end = i;
    while (end < 8 && pieces[end] == 0) ++end;
    if (end - i > run_size) {
      run_begin = i;
      run_size = end - i;
    }
    i = end + 1;
  }
  out += '[';
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == run_begin) {
      out += i == 0 ? "::" : ":";
      i += run_size - 1;
      continue;
    }
    fmt::format_to(std::back_inserter(out), "{:x}", pieces[i]);
    if (i < 7) out += ':';
  }
  out += ']';
}

}  // namespace bowerbird
