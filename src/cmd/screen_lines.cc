#include "cmd/screen_lines.h"

#include <algorithm>
#include <cstdint>

namespace bowerbird {

namespace {

constexpr std::string_view kGap = "...";

// A piece that is not divided: a character, or a colour.
struct Piece {
  std::string_view bytes;
  std::size_t columns = 0;
};

std::size_t columns_of_character(std::uint32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
                 (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) ||
                 (c >= 0xff00 && c <= 0xff60) || (c >= 0xffe0 && c <= 0xffe6) ||
                 (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd)
             ? 2
             : 1;
}

Piece first_piece(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  if (text[0] == '\x1b') return {text.substr(0, std::min(text.find('m'), text.size() - 1) + 1), 0};
  if (byte(0) < 0x80) return {text.substr(0, 1), 1};
  std::size_t size = 1;
  while (size < text.size() && (byte(size) & 0xc0) == 0x80 && size < 4) ++size;
  std::uint32_t c = byte(0);
  if (size == 3) c = (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
  if (size == 4)
    c = (byte(0) & 0x07) << 18 | (byte(1) & 0x3f) << 12 | (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f);
  return {text.substr(0, size), columns_of_character(c)};
}

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  while (!text.empty()) {
    pieces.push_back(first_piece(text));
    text.remove_prefix(pieces.back().bytes.size());
  }
  return pieces;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const Piece& piece : pieces_of(text)) columns += piece.columns;
  return columns;
}

// Colours are kept wherever they are, so that the last one still ends them.
std::string cut_to(std::string_view text, std::size_t width) {
  const std::vector<Piece> pieces = pieces_of(text);
  std::size_t all = 0;
  for (const Piece& piece : pieces) all += piece.columns;
  if (all <= width) return std::string(text);
  const bool gap = width > 2 * kGap.size();
  const std::size_t room = gap ? width - kGap.size() : width;
  const std::size_t head = gap ? room - room / 3 : room;
  const std::size_t tail = room - head;
  std::string cut;
  std::size_t at = 0;
  bool has_gap = !gap;
  for (const Piece& piece : pieces) {
    const std::size_t end = at + piece.columns;
    if (piece.columns == 0 || end <= head || at >= all - tail) {
      cut += piece.bytes;
    } else if (!has_gap) {
      cut += kGap;
      has_gap = true;
    }
    at = end;
  }
  return cut;
}

std::vector<std::string> pack_parts(const std::vector<std::string>& parts, std::size_t width,
                                    std::size_t indent) {
  std::vector<std::string> lines;
  std::size_t used = 0;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    const std::size_t columns = columns_of(part);
    const std::size_t between = !lines.empty() && lines.back().ends_with(',') ? 1 : 2;
    if (!lines.empty() && used + between + columns <= width) {
      lines.back().append(between, ' ').append(part);
      used += between + columns;
      continue;
    }
    const std::size_t before = lines.empty() ? 0 : std::min(indent, width / 2);
    const std::string fitted = cut_to(part, width - before);
    lines.push_back(std::string(before, ' ') + fitted);
    used = before + columns_of(fitted);
  }
  return lines;
}

std::size_t rows_of(const std::vector<std::string>& lines, std::size_t width) {
  std::size_t rows = 0;
  for (const std::string& line : lines)
    rows += std::max<std::size_t>(1, (columns_of(line) + width - 1) / std::max<std::size_t>(1, width));
  return rows;
}

std::string bar_of(double share, std::size_t width) {
  if (width < 3) return {};
  const std::size_t inner = width - 2;
  const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(inner));
  return "[" + std::string(full, '#') + std::string(inner - full, '-') + "]";
}

}  // namespace bowerbird
