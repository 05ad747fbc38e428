// Cuts Markdown into pieces for retrieval: at most so many words each, cut between blocks where possible.
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
  std::uint32_t words = 300;   // at most, overlap included
  std::uint32_t overlap = 30;  // words; less than half of `words`
};

struct Chunk {
  std::vector<std::string> headings;  // from the outermost, as Markdown without the marks
  std::string text;
};

std::vector<Chunk> cut_markdown(std::string_view markdown, const ChunkOptions& options);

}  // namespace bowerbird
