#include "export/chunks.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"

namespace bowerbird {

namespace {

std::uint32_t count_words(std::string_view text) {
  std::uint32_t count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = is_ascii_space(c);
    if (inside && blank) ++count;
    inside = !blank;
  }
  return count + (inside ? 1 : 0);
}

std::string_view trimmed_line(std::string_view text) {
  while (!text.empty() && is_ascii_space(text.back())) text.remove_suffix(1);
  while (!text.empty() && text.front() == '\n') text.remove_prefix(1);
  return text;
}

// The level of a heading line ("## Title"), and its text.
std::optional<std::pair<std::size_t, std::string_view>> heading_of(std::string_view block) {
  const std::size_t level = std::min(block.find_first_not_of('#'), block.size());
  if (level == 0 || level > 6 || level == block.size() || block[level] != ' ') return std::nullopt;
  return std::pair(level, block.substr(level + 1, block.find('\n') - level - 1));
}

// The marks of a line that opens or closes code, or empty.
std::string_view fence_of(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(begin);
  std::size_t marks = 0;
  while (marks < line.size() && line[marks] == '`') ++marks;
  return marks >= 3 ? line.substr(0, marks) : std::string_view();
}

// Calls visit(block) for the parts of Markdown between empty lines; code is one part.
template <typename Visit>
void each_block(std::string_view markdown, Visit visit) {
  std::size_t begin = 0, at = 0;
  std::string_view fence;
  while (at < markdown.size()) {
    const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
    const std::string_view line = markdown.substr(at, end - at);
    const std::string_view marks = fence_of(line);
    if (fence.empty()) {
      fence = marks;
    } else if (marks.size() >= fence.size()) {
      fence = {};
    }
    at = std::min(end + 1, markdown.size());
    if (!fence.empty() || line.find_first_not_of(" \t\r") != line.npos) continue;
    visit(trimmed_line(markdown.substr(begin, at - begin)));
    begin = at;
  }
  visit(trimmed_line(markdown.substr(begin)));
}

// A part of `text` of at most `words` words, at least one: up to a line end, else a sentence end in its
// second half, else a blank.
std::string_view front_of(std::string_view text, std::uint32_t words) {
  std::uint32_t count = 0;
  std::size_t line = 0, sentence = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool blank = is_ascii_space(text[i]);
    if (!blank && !inside && ++count > words) {
      const std::size_t cut = line > 0 ? line : sentence;
      return text.substr(0, cut > 0 ? cut : i);
    }
    inside = !blank;
    if (!blank || 2 * count < words || i == 0) continue;
    if (text[i] == '\n') line = i + 1;
    if (text[i - 1] == '.' || text[i - 1] == '!' || text[i - 1] == '?') sentence = i + 1;
  }
  return text;
}

// The last words of a text.
std::string_view back_of(std::string_view text, std::uint32_t words) {
  if (words == 0) return {};
  std::uint32_t count = 0;
  bool inside = false;
  for (std::size_t i = text.size(); i > 0; --i) {
    const bool blank = is_ascii_space(text[i - 1]);
    if (inside && blank && ++count >= words) return text.substr(i);
    inside = !blank;
  }
  return text;
}

class Cutter {
 public:
  explicit Cutter(const ChunkOptions& options)
      : words_(std::max(options.words, 1u)), overlap_(std::min(options.overlap, (words_ - 1) / 2)) {}

  void add(std::string_view block) {
    if (block.empty()) return;
    if (const auto heading = heading_of(block)) {
      begin_section(heading->first, heading->second);
      return;
    }
    for (std::uint32_t left = count_words(block); left > 0;) {
      if (count_ > 0 && count_ + left > words_) end_chunk();
      const std::uint32_t room = words_ - (count_ == 0 ? count_words(carried_) : count_);
      const std::string_view part = left <= room ? block : front_of(block, room);
      const std::uint32_t size = count_words(part);
      put(trimmed_line(part), size);
      block.remove_prefix(part.size());
      left -= size;
    }
  }

  std::vector<Chunk> finish() {
    end_chunk();
    return std::move(chunks_);
  }

 private:
  void put(std::string_view part, std::uint32_t size) {
    if (count_ == 0) {
      text_ = carried_;
      count_ = count_words(carried_);
    }
    if (!text_.empty()) text_ += "\n\n";
    text_ += part;
    count_ += size;
  }

  void end_chunk() {
    if (count_ == 0) return;
    carried_ = std::string(back_of(text_, overlap_));
    Chunk chunk;
    for (const auto& [level, text] : headings_) chunk.headings.push_back(text);
    chunk.text = std::move(text_);
    chunks_.push_back(std::move(chunk));
    text_.clear();
    count_ = 0;
  }

  void begin_section(std::size_t level, std::string_view text) {
    end_chunk();
    carried_.clear();
    while (!headings_.empty() && headings_.back().first >= level) headings_.pop_back();
    headings_.emplace_back(level, text);
  }

  std::uint32_t words_;
  std::uint32_t overlap_;
  std::vector<Chunk> chunks_;
  std::vector<std::pair<std::size_t, std::string>> headings_;
  std::string carried_;  // the end of the chunk before, in the same section
  std::string text_;     // of the chunk that is being made
  std::uint32_t count_ = 0;
};

}  // namespace

std::vector<Chunk> cut_markdown(std::string_view markdown, const ChunkOptions& options) {
  Cutter cutter(options);
  each_block(markdown, [&](std::string_view block) { cutter.add(block); });
  return cutter.finish();
}

}  // namespace bowerbird
