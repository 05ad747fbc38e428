// Cuts Markdown into pieces for retrieval: of at most a number of words or characters, cut between blocks
// where possible.
//
// Blocks (paragraphs, lists, tables, code) stay whole unless one alone is too long; it is then cut at line
// ends, sentence ends or blanks. A piece never goes across a heading, and knows the headings above it. Each
// piece but the first under a heading begins with the last words of the one before. Time is linear in the
// text. Pure; threads: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

struct ChunkOptions {
  std::uint32_t size = 300;    // at most, overlap included
  std::uint32_t overlap = 30;  // less than half of `size`
  bool characters = false;     // both count characters (code points), not words; size is at least kLeastSize
  static constexpr std::uint32_t kLeastSize = 16;
};

struct Chunk {
  std::vector<std::string> headings;  // from the outermost, as Markdown without the marks
  std::string text;
};

std::vector<Chunk> cut_markdown(std::string_view markdown, const ChunkOptions& options);

}  // namespace bowerbird
