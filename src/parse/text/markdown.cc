#include "parse/text/markdown.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/ascii.h"
#include "parse/text/element_traits.h"
#include "parse/text/markdown_escape.h"
#include "parse/text/markdown_line.h"
#include "parse/text/plain_text.h"

namespace bowerbird {

namespace {

// A list item, definition or quote.
struct Item {
  std::uint32_t node = 0;
  unsigned number = 0;  // in a numbered list
};

class Writer {
 public:
  Writer(const HtmlTree& tree, const std::vector<bool>& chosen, const Url& base)
      : tree_(tree), chosen_(chosen), line_(tree, base) {}

  std::string write();

 private:
  void write_block(std::size_t at);
  void write_images(std::uint32_t first, std::uint32_t last);
  void write_lines(std::uint32_t node, std::string_view lines);
  Item numbered(std::uint32_t node, const Item* before) const;
  std::string sign_of_item(const Item& item) const;
  std::size_t write_code(std::size_t at);
  using Row = std::vector<std::uint32_t>;  // its cells
  std::vector<Row> rows_of(std::uint32_t table) const;
  std::size_t chosen_cells(const Row& row) const;
  void append_row(std::string& lines, const Row& row);
  std::optional<std::size_t> write_table(std::size_t at);
  std::string cell(std::uint32_t node);
  std::string language_of(std::uint32_t pre) const;

  const HtmlTree& tree_;
  const std::vector<bool>& chosen_;
  MarkdownLine line_;
  std::string out_;
  std::vector<Item> items_;  // those that the last block was in
  std::unordered_set<std::uint32_t> layout_tables_;
  std::unordered_set<std::string> images_;  // between blocks, as written
};

// Elements around a block that Markdown shows by what stands at the beginning of its lines.
bool is_item(TagId tag) {
  return tag == TagId::kLi || tag == TagId::kDd || tag == TagId::kBlockquote;
}

unsigned first_number(const HtmlTree& tree, std::uint32_t list) {
  const std::string_view start = tree.attribute(list, Attribute::kStart);
  if (start.empty()) return 1;
  unsigned number = 0;
  for (std::size_t i = 0; i < start.size() && i < 6 && is_ascii_digit(start[i]); ++i)
    number = number * 10 + static_cast<unsigned>(start[i] - '0');
  return number;
}

// `before` is the item of the same level that was written last; counting goes on from there.
Item Writer::numbered(std::uint32_t node, const Item* before) const {
  const std::uint32_t list = tree_.nodes[node].parent;
  if (tree_.nodes[list].tag != TagId::kOl) return {node, 0};
  const bool same = before != nullptr && tree_.nodes[before->node].parent == list && before->node <= node;
  Item item = same ? *before : Item{list + 1, first_number(tree_, list)};
  while (item.node < node) {
    item.number += tree_.nodes[item.node].tag == TagId::kLi ? 1 : 0;
    item.node = tree_.nodes[item.node].last;
  }
  return item;
}

std::string Writer::sign_of_item(const Item& item) const {
  switch (tree_.nodes[item.node].tag) {
    case TagId::kBlockquote:
      return "> ";
    case TagId::kDd:
      return ": ";
    default:
      return tree_.nodes[tree_.nodes[item.node].parent].tag == TagId::kOl ? std::to_string(item.number) + ". "
                                                                          : "- ";
  }
}

// Writes `lines` as a block of `node`: behind the signs of the items and quotes around it.
void Writer::write_lines(std::uint32_t node, std::string_view lines) {
  constexpr std::size_t kMaxItems = 16;  // deeper ones are written like the one above
  std::vector<Item> items;
  for (std::uint32_t n = node; n != 0; n = tree_.nodes[n].parent) {
    if (is_item(tree_.nodes[n].tag)) items.push_back({n, 0});
  }
  std::reverse(items.begin(), items.end());
  if (items.size() > kMaxItems) items.resize(kMaxItems);
  std::string first, rest, quote;
  std::size_t known = 0;  // items that the block before was in too
  while (known < items.size() && known < items_.size() && items[known].node == items_[known].node) ++known;
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i] = numbered(items[i].node, i <= known && i < items_.size() ? &items_[i] : nullptr);
    const std::string sign = sign_of_item(items[i]);
    const bool quoted = tree_.nodes[items[i].node].tag == TagId::kBlockquote;
    const std::string blank(sign.size(), ' ');
    first += quoted || i >= known ? sign : blank;
    rest += quoted ? sign : blank;
    if (quoted && i < known) quote = rest;
  }
  if (!out_.empty()) {
    // Items of one list follow each other without an empty line; so does a list inside of an item.
    const bool next_item = known < items.size() && known < items_.size() &&
                           tree_.nodes[items[known].node].parent == tree_.nodes[items_[known].node].parent;
    const bool inner_list = known > 0 && known == items_.size() && items.size() > known &&
                            tree_.nodes[items[known - 1].node].tag == TagId::kLi;
    out_ += '\n';
    if (!next_item && !inner_list) out_.append(trimmed(quote, " ")).append("\n");
  }
  for (std::size_t at = 0; at <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string_view line = lines.substr(at, end - at);
    const std::string_view prefix = at == 0 ? first : rest;
    if (at > 0) out_ += '\n';
    out_ += line.empty() ? prefix.substr(0, prefix.find_last_not_of(' ') + 1) : prefix;
    out_ += line;
    at = end + 1;
  }
  items_ = std::move(items);
}

// Lines of a paragraph with a hard break at each line end.
std::string paragraph_lines(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line(trimmed(text.substr(at, end - at), kAsciiSpaces));
    escape_line_start(line);
    if (at > 0 && !out.empty()) out += line.empty() ? "" : "  \n";
    out += line;
    at = end + 1;
  }
  return out;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void Writer::write_block(std::size_t at) {
  const TreeBlock& block = tree_.blocks[at];
  const TagId tag = tree_.nodes[block.node].tag;
  std::string line = line_.of(block);
  if (has_trait(tag, kHeading)) {
    const auto level = static_cast<std::size_t>(tag) - static_cast<std::size_t>(TagId::kH1) + 1;
    line = std::string(level, '#') + " " + one_line(std::move(line));
  } else {
    line = paragraph_lines(line);
  }
  if (enclosing(tree_, block.node, TagId::kFigcaption) != 0) line = "*" + one_line(std::move(line)) + "*";
  write_lines(block.node, line);
}

// Images that stand between blocks.
void Writer::write_images(std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t n = first; n < last; ++n) {
    if (tree_.nodes[n].tag != TagId::kImg) continue;
    std::string image;
    line_.append_image(image, n);
    // Pages that move images along have them several times.
    if (!image.empty() && images_.insert(image).second) write_lines(n, image);
  }
}

std::string Writer::language_of(std::uint32_t pre) const {
  constexpr std::array<std::string_view, 4> kPrefixes = {"language-", "lang-", "highlight-source-",
                                                         "highlight-"};
  // The <pre>, a <code> inside, or one of the elements around.
  std::vector<std::uint32_t> places = {pre};
  for (std::uint32_t n = pre + 1; n < tree_.nodes[pre].last && places.size() < 3; ++n) {
    if (tree_.nodes[n].tag == TagId::kCode) places.push_back(n);
  }
  for (std::uint32_t n = tree_.nodes[pre].parent; n != 0 && places.size() < 6; n = tree_.nodes[n].parent)
    places.push_back(n);
  const auto is_name = [](std::string_view name) {
    if (name == "default" || name == "none") return false;
    return !name.empty() && name.size() <= 20 && std::all_of(name.begin(), name.end(), [](char c) {
      return is_ascii_alnum(c) || c == '+' || c == '#' || c == '-' || c == '_' || c == '.';
    });
  };
  for (const std::uint32_t n : places) {
    const std::string_view direct = tree_.attribute(n, Attribute::kDataLang);
    if (is_name(direct)) return lowered(direct);
    std::string_view rest = tree_.attribute(n, Attribute::kClass);
    while (!rest.empty()) {
      const std::size_t size = std::min(rest.find_first_of(" \t\n"), rest.size());
      const std::string_view name = rest.substr(0, size);
      for (const std::string_view prefix : kPrefixes) {
        if (name.starts_with(prefix) && is_name(name.substr(prefix.size())))
          return lowered(name.substr(prefix.size()));
      }
      rest.remove_prefix(std::min(size + 1, rest.size()));
    }
  }
  return {};
}

// The chosen blocks of a <pre>, as one piece of code. Returns the block after them.
std::size_t Writer::write_code(std::size_t at) {
  std::uint32_t pre = enclosing(tree_, tree_.blocks[at].node, TagId::kPre);
  if (pre == 0) pre = tree_.blocks[at].node;
  std::string code;
  std::size_t next = at;
  const TreeBlock* before = nullptr;
  for (; next < tree_.blocks.size() && next < tree_.nodes[pre].last_block; ++next) {
    if (!chosen_[next]) continue;
    if (before != nullptr) code += '\n';
    code += tree_.text_of(tree_.blocks[next]);
    before = &tree_.blocks[next];
  }
  std::size_t longest = 2;
  for (std::size_t i = 0, run = 0; i < code.size(); ++i) {
    run = code[i] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  write_lines(pre, fence + language_of(pre) + "\n" + code + "\n" + fence);
  return std::max(next, at + 1);
}

std::string Writer::cell(std::uint32_t node) {
  std::string out;
  for (std::uint32_t i = tree_.nodes[node].first_block; i < tree_.nodes[node].last_block; ++i) {
    if (!chosen_[i]) continue;
    std::string line = line_.of(tree_.blocks[i]);
    for (std::size_t at = 0; (at = line.find_first_of("|\n", at)) != line.npos; at += 2) {
      if (line[at] == '|')
        line.insert(at, 1, '\\');
      else
        line.replace(at, 1, "  ");
    }
    if (!out.empty()) out += "<br>";
    out += line;
  }
  return out;
}

// The rows of a table that holds data; none of one that lays out a page.
std::vector<Writer::Row> Writer::rows_of(std::uint32_t table) const {
  constexpr std::size_t kLongestCell = 1000;
  std::vector<Row> rows;
  for (std::uint32_t n = table + 1; n < tree_.nodes[table].last; ++n) {
    const TreeNode& node = tree_.nodes[n];
    if (node.tag == TagId::kTable || node.tag == TagId::kPre) return {};
    if (node.tag == TagId::kTr) rows.emplace_back();
    if (node.tag != TagId::kTd && node.tag != TagId::kTh) continue;
    if (node.text_end - node.text_begin > kLongestCell || rows.empty()) return {};
    rows.back().push_back(n);
  }
  return rows;
}

std::size_t Writer::chosen_cells(const Row& row) const {
  return static_cast<std::size_t>(std::count_if(row.begin(), row.end(), [&](std::uint32_t n) {
    const auto blocks = chosen_.begin();
    return std::find(blocks + tree_.nodes[n].first_block, blocks + tree_.nodes[n].last_block, true) !=
           blocks + tree_.nodes[n].last_block;
  }));
}

void Writer::append_row(std::string& lines, const Row& row) {
  lines += '|';
  for (const std::uint32_t n : row) {
    const std::string text = cell(n);
    lines += text.empty() ? " |" : " " + text + " |";
  }
}

// The table that the block at `at` is in, if it holds data. Returns the block after it.
std::optional<std::size_t> Writer::write_table(std::size_t at) {
  constexpr std::size_t kMaxColumns = 100;
  constexpr std::size_t kLongestCell = 800;  // bytes; those with longer texts lay out a page
  const std::uint32_t table = enclosing(tree_, tree_.blocks[at].node, TagId::kTable);
  if (table == 0 || layout_tables_.contains(table)) return std::nullopt;
  if (enclosing(tree_, tree_.blocks[at].node, TagId::kCaption) > table) return std::nullopt;
  std::vector<Row> rows = rows_of(table);
  std::size_t columns = 0;
  for (const Row& row : rows) columns = std::max(columns, row.size());
  std::size_t most = 0;  // chosen cells of a row
  std::erase_if(rows, [&](const Row& row) {
    const std::size_t cells = chosen_cells(row);
    most = std::max(most, cells);
    return cells == 0;
  });
  const bool long_cell = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
    return std::any_of(row.begin(), row.end(), [&](std::uint32_t n) {
      return tree_.nodes[n].text_end - tree_.nodes[n].text_begin > kLongestCell;
    });
  });
  if (most < 2 || columns < 2 || columns > kMaxColumns || rows.empty() || long_cell) {
    layout_tables_.insert(table);
    return std::nullopt;
  }
  const auto is_head = [&](std::uint32_t n) { return tree_.nodes[n].tag == TagId::kTh; };
  const bool head = is_head(rows[0].front()) && is_head(rows[0].back());
  // The first two lines have all columns; rows may have fewer.
  std::string lines;
  append_row(lines, head ? rows[0] : Row());
  for (std::size_t i = head ? rows[0].size() : 0; i < columns; ++i) lines += " |";
  lines += "\n|";
  for (std::size_t i = 0; i < columns; ++i) lines += " --- |";
  for (std::size_t i = head ? 1 : 0; i < rows.size(); ++i) {
    lines += '\n';
    append_row(lines, rows[i]);
  }
  write_lines(tree_.nodes[table].parent, lines);
  return tree_.nodes[table].last_block;
}

std::string Writer::write() {
  std::uint32_t after = 0;  // the first node after the last block, if it was chosen
  bool chosen_before = false;
  for (std::size_t at = 0; at < tree_.blocks.size();) {
    const TreeBlock& block = tree_.blocks[at];
    if (!chosen_[at]) {
      chosen_before = false;
      ++at;
      continue;
    }
    if (chosen_before) write_images(after, block.first_node);
    if (block.preformatted) {
      at = write_code(at);
    } else if (const auto next = write_table(at)) {
      at = *next;
    } else {
      write_block(at++);
    }
    chosen_before = chosen_[at - 1];
    after = tree_.blocks[at - 1].last_node;
  }
  if (!out_.empty()) out_ += '\n';
  return out_;
}

}  // namespace

std::string markdown(const HtmlTree& tree, const std::vector<bool>& chosen, const Url& base) {
  return Writer(tree, chosen, base).write();
}

}  // namespace bowerbird
