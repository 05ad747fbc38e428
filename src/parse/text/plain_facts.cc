#include "parse/text/plain_facts.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "parse/text/block_text.h"
#include "parse/text/written_date.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostLines = 40;
constexpr std::size_t kLongestTitle = 200;  // bytes
constexpr std::uint32_t kMostTitleWords = 16;

std::vector<std::string_view> first_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < kMostLines) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    lines.push_back(trimmed(text.substr(0, size), kAsciiSpaces));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
  return lines;
}

std::uint32_t words_in(std::string_view line) {
  std::uint32_t count = 0;
  WordReader words(line);
  for (TextWord word; words.next(word);) ++count;
  return count;
}

// The value of "name: value" if the line has one of the names.
std::string_view field_in(std::string_view line, std::initializer_list<std::string_view> names) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return {};
  const std::string_view name = trimmed(line.substr(0, colon), kAsciiSpaces);
  const bool known = std::any_of(names.begin(), names.end(),
                                 [&](std::string_view wanted) { return equals_ignoring_case(name, wanted); });
  if (!known) return {};
  std::string_view value = trimmed(line.substr(colon + 1), kAsciiSpaces);
  if (value.size() >= 2 && value.front() == value.back() && (value.front() == '"' || value.front() == '\''))
    value = value.substr(1, value.size() - 2);
  return value.size() <= kLongestTitle ? value : std::string_view();
}

bool is_rule(std::string_view line) {
  return line.size() >= 3 && (line.front() == '=' || line.front() == '-' || line.front() == '*') &&
         line.find_first_not_of(line.front()) == line.npos;
}

// Whether a line can be a title: a few words, no end of a sentence, no line of code or of a table.
bool may_be_title(std::string_view line) {
  if (line.empty() || line.size() > kLongestTitle || is_rule(line)) return false;
  if (line.back() == '.' || line.back() == ',' || line.back() == ';' || line.back() == ':' ||
      line.back() == '{')
    return false;
  if (line.find('\t') != line.npos || line.find("   ") != line.npos || line.find("://") != line.npos)
    return false;
  const std::uint32_t words = words_in(line);
  return words > 0 && words <= kMostTitleWords;
}

// Without the address of an e-mail: "Ann Lee <ann@example.org>".
std::string_view name_of(std::string_view author) {
  const std::string_view name = trimmed(author.substr(0, author.find('<')), kAsciiSpaces);
  return name.empty() ? author : name;
}

// Several lines that begin with '#' are comments of a script.
bool in_comment(const std::vector<std::string_view>& lines, std::size_t i) {
  return (i > 0 && lines[i - 1].starts_with('#')) || (i + 1 < lines.size() && lines[i + 1].starts_with('#'));
}

// Where the title is, or the number of lines.
std::size_t title_line(const std::vector<std::string_view>& lines, std::string_view& title) {
  std::size_t first = 0;
  while (first < lines.size() && (lines[first].empty() || is_rule(lines[first]))) ++first;
  for (std::size_t i = first; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const std::string_view heading = line.starts_with("# ") && !in_comment(lines, i)
                                         ? trimmed(line.substr(2), kAsciiSpaces)
                                         : std::string_view();
    const bool underlined = i + 1 < lines.size() && is_rule(lines[i + 1]) && lines[i + 1].front() != '*';
    title = !heading.empty() ? heading : underlined ? line : std::string_view();
    if (may_be_title(title)) return i;
  }
  const bool apart = first < lines.size() && (first + 1 == lines.size() || lines[first + 1].empty());
  title = apart && may_be_title(lines[first]) ? lines[first] : std::string_view();
  return title.empty() ? lines.size() : first;
}

}  // namespace

DocumentFacts read_plain_facts(std::string_view text) {
  const std::vector<std::string_view> lines = first_lines(text);
  std::string_view title, author;
  DocumentFacts facts;
  for (const std::string_view line : lines) {
    if (title.empty()) title = field_in(line, {"Title", "Subject"});
    if (author.empty()) author = name_of(field_in(line, {"Author", "Authors", "From", "By"}));
    if (facts.published.empty())
      facts.published = find_written_date(field_in(line, {"Date", "Published", "Release date"}));
  }
  if (title.empty()) {
    const std::size_t at = title_line(lines, title);
    for (std::size_t i = at + 1; author.empty() && i < std::min(lines.size(), at + 5); ++i) {
      if (starts_ignoring_case(lines[i], "by ") && words_in(lines[i]) <= 8) author = lines[i].substr(3);
    }
  }
  facts.title = title;
  if (!author.empty()) facts.authors.emplace_back(trimmed(author, kAsciiSpaces));
  return facts;
}

}  // namespace bowerbird
