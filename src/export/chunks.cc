#include "export/chunks.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"

namespace bowerbird {

namespace {

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

bool ends_sentence(char c) {
  return c == '.' || c == '!' || c == '?';
}

// Words, as blanks separate them.
struct WordMeasure {
  static constexpr std::uint32_t kJoint = 0;  // of the empty line between two blocks

  static std::uint32_t count(std::string_view text) {
    std::uint32_t count = 0;
    bool inside = false;
    for (const char c : text) {
      const bool blank = is_ascii_space(c);
      if (inside && blank) ++count;
      inside = !blank;
    }
    return count + (inside ? 1 : 0);
  }

  // A part of `text` of at most `words` words, at least one: up to a line end, else a sentence end in its
  // second half, else a blank.
  static std::string_view front(std::string_view text, std::uint32_t words) {
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
      if (ends_sentence(text[i - 1])) sentence = i + 1;
    }
    return text;
  }

  // The last words of a text.
  static std::string_view back(std::string_view text, std::uint32_t words) {
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
};

// Characters: code points of UTF-8.
struct CharacterMeasure {
  static constexpr std::uint32_t kJoint = 2;

  static bool begins(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

  static std::uint32_t count(std::string_view text) {
    return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), begins));
  }

  // The same, at most so many characters; where there is no blank in the second half, it is cut in a word.
  static std::string_view front(std::string_view text, std::uint32_t characters) {
    std::uint32_t count = 0;
    std::size_t line = 0, sentence = 0, blank = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (begins(text[i]) && ++count > characters) {
        const std::size_t cut = line > 0 ? line : sentence > 0 ? sentence : blank;
        return text.substr(0, cut > 0 ? cut : i);
      }
      if (!is_ascii_space(text[i]) || 2 * count < characters || i == 0) continue;
      blank = i + 1;
      if (text[i] == '\n') line = i + 1;
      if (ends_sentence(text[i - 1])) sentence = i + 1;
    }
    return text;
  }

  // The last characters, from the beginning of a word if there is one among them.
  static std::string_view back(std::string_view text, std::uint32_t characters) {
    std::size_t at = text.size();
    for (std::uint32_t count = 0; at > 0 && count < characters; --at) count += begins(text[at - 1]) ? 1 : 0;
    while (at < text.size() && !begins(text[at])) ++at;
    const std::string_view tail = text.substr(at);
    const std::size_t blank = tail.find_first_of(" \n\t");
    return at == 0 || blank == tail.npos ? tail : tail.substr(blank + 1);
  }
};

template <typename Measure>
class Cutter {
 public:
  explicit Cutter(const ChunkOptions& options)
      : size_(std::max(options.size, options.characters ? ChunkOptions::kLeastSize : 1u)),
        overlap_(std::min(options.overlap, (size_ - 1) / 2)) {}

  void add(std::string_view block) {
    if (block.empty()) return;
    if (const auto heading = heading_of(block)) {
      begin_section(heading->first, heading->second);
      return;
    }
    for (std::uint32_t left = Measure::count(block); left > 0;) {
      if (count_ > 0 && count_ + Measure::kJoint + left > size_) end_chunk();
      const std::uint32_t used = count_ == 0 ? Measure::count(carried_) : count_;
      const std::uint32_t room = size_ - used - (used == 0 ? 0 : Measure::kJoint);
      const std::string_view part = left <= room ? block : Measure::front(block, room);
      put(trimmed_line(part));
      block.remove_prefix(part.size());
      left -= Measure::count(part);
    }
  }

  std::vector<Chunk> finish() {
    end_chunk();
    return std::move(chunks_);
  }

 private:
  void put(std::string_view part) {
    if (part.empty()) return;
    if (count_ == 0) {
      text_ = carried_;
      count_ = Measure::count(carried_);
    }
    if (!text_.empty()) {
      text_ += "\n\n";
      count_ += Measure::kJoint;
    }
    text_ += part;
    count_ += Measure::count(part);
  }

  void end_chunk() {
    if (count_ == 0) return;
    carried_ = std::string(Measure::back(text_, overlap_));
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

  std::uint32_t size_;
  std::uint32_t overlap_;
  std::vector<Chunk> chunks_;
  std::vector<std::pair<std::size_t, std::string>> headings_;
  std::string carried_;  // the end of the chunk before, in the same section
  std::string text_;     // of the chunk that is being made
  std::uint32_t count_ = 0;
};

template <typename Measure>
std::vector<Chunk> cut_by(std::string_view markdown, const ChunkOptions& options) {
  Cutter<Measure> cutter(options);
  each_block(markdown, [&](std::string_view block) { cutter.add(block); });
  return cutter.finish();
}

}  // namespace

std::vector<Chunk> cut_markdown(std::string_view markdown, const ChunkOptions& options) {
  return options.characters ? cut_by<CharacterMeasure>(markdown, options)
                            : cut_by<WordMeasure>(markdown, options);
}

}  // namespace bowerbird
