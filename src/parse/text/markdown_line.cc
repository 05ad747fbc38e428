#include "parse/text/markdown_line.h"

#include <algorithm>

#include "base/ascii.h"
#include "parse/html_text.h"
#include "parse/text/element_traits.h"
#include "parse/text/markdown_escape.h"
#include "parse/text/plain_text.h"

namespace bowerbird {

namespace {

// The decoded value of an attribute.
std::string value_of(const HtmlTree& tree, std::uint32_t node, Attribute name) {
  std::string value;
  append_attribute_value(value, tree.attribute(node, name));
  return value;
}

// On one line, without control characters.
std::string collapsed_text(std::string_view text) {
  std::string out;
  TextCollector collector;
  collector.begin(out);
  collector.append(text, /*references=*/false);
  return out;
}

}  // namespace

MarkdownLine::Mark MarkdownLine::mark_of(TagId tag) {
  switch (tag) {
    case TagId::kB:
    case TagId::kStrong:
      return Mark::kStrong;
    case TagId::kEm:
    case TagId::kI:
      return Mark::kEmphasis;
    case TagId::kDel:
    case TagId::kS:
    case TagId::kStrike:
      return Mark::kDeleted;
    case TagId::kCode:
    case TagId::kKbd:
    case TagId::kSamp:
    case TagId::kTt:
      return Mark::kCode;
    case TagId::kA:
      return Mark::kLink;
    default:
      return Mark::kNone;
  }
}

std::string_view MarkdownLine::sign_of(Mark mark) {
  switch (mark) {
    case Mark::kStrong:
      return "**";
    case Mark::kEmphasis:
      return "*";
    case Mark::kDeleted:
      return "~~";
    case Mark::kLink:
      return "[";
    default:
      return "";
  }
}

std::string MarkdownLine::target_of(std::uint32_t node, Attribute name) const {
  const std::string value = value_of(tree_, node, name);
  const std::string_view href = trimmed(value, kAsciiSpaces);
  if (href.empty()) return {};
  Url url;
  if (parse_url(href, base_.empty() ? nullptr : &base_, url) == UrlFault::kNone)
    return link_target(url.text());
  // Without a base, relative references are kept as they are written; other schemes are dropped.
  const std::size_t colon = href.find_first_of(":/?#");
  const bool scheme = colon != href.npos && href[colon] == ':';
  return !base_.empty() || scheme ? std::string() : link_target(href);
}

// Headings link to themselves or to the list of contents.
bool MarkdownLine::is_own_link(std::uint32_t node) const {
  if (!in_heading_) return false;
  if (tree_.attribute(node, Attribute::kHref).starts_with('#')) return true;
  const std::string target = target_of(node, Attribute::kHref);
  const std::string_view page = std::string_view(base_.text()).substr(0, base_.text().find('#'));
  return !base_.empty() && target.size() > page.size() && target[page.size()] == '#' &&
         target.starts_with(page);
}

bool MarkdownLine::is_open(Mark mark) const {
  return std::any_of(marks_.begin(), marks_.end(), [&](const OpenMark& open) { return open.mark == mark; });
}

void MarkdownLine::open_mark(std::uint32_t node) {
  Mark mark = mark_of(tree_.nodes[node].tag);
  if (is_open(mark) || is_open(Mark::kCode)) mark = Mark::kNone;
  if (mark == Mark::kLink && (is_own_link(node) || target_of(node, Attribute::kHref).empty()))
    mark = Mark::kNone;
  marks_.push_back({node, mark, false});
}

void MarkdownLine::write_signs() {
  for (OpenMark& open : marks_) {
    if (!open.written) line_ += sign_of(open.mark);
    open.written = true;
  }
}

void MarkdownLine::put_text(std::string_view text) {
  while (!text.empty() && is_ascii_space(text.front())) {
    line_ += text.front();
    text.remove_prefix(1);
  }
  if (text.empty()) return;
  write_signs();
  append_escaped(line_, text);
}

void MarkdownLine::close_mark() {
  const OpenMark open = marks_.back();
  marks_.pop_back();
  if (!open.written || open.mark == Mark::kNone || open.mark == Mark::kCode) return;
  std::size_t end = line_.size();
  while (end > 0 && is_ascii_space(line_[end - 1])) --end;
  std::string closing(open.mark == Mark::kLink ? "](" + target_of(open.node, Attribute::kHref) + ")"
                                               : std::string(sign_of(open.mark)));
  line_.insert(end, closing);
}

// Text between backticks, which are one more than any run inside.
void MarkdownLine::put_code(std::uint32_t node) {
  const std::size_t begin = std::max<std::size_t>(place_, tree_.nodes[node].text_begin);
  const std::size_t end = std::max<std::size_t>(begin, tree_.nodes[node].text_end);
  std::string_view text = std::string_view(tree_.text).substr(begin, end - begin);
  place_ = end;
  const std::string_view inside = trimmed(text, kAsciiSpaces);
  if (inside.empty()) return put_text(text);
  put_text(text.substr(0, static_cast<std::size_t>(inside.data() - text.data())));
  std::size_t longest = 0;
  for (std::size_t i = 0, run = 0; i < inside.size(); ++i) {
    run = inside[i] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string ticks(longest + 1, '`');
  const bool blank = inside.front() == '`' || inside.back() == '`';
  write_signs();
  const bool plain = longest == 0;
  if (plain && code_end_ > 0 && line_.size() == code_end_) {
    line_.pop_back();  // right after other code: its tick would end there and begin again
  } else {
    line_ += ticks + (blank ? " " : "");
  }
  for (const char c : inside) line_ += c == '\n' ? ' ' : c;
  line_ += (blank ? " " : "") + ticks;
  code_end_ = plain ? line_.size() : 0;
}

bool MarkdownLine::put_formula(std::uint32_t node) {
  const auto found = std::lower_bound(tree_.formulas.begin(), tree_.formulas.end(), node,
                                      [](const NodeFormula& f, std::uint32_t n) { return f.node < n; });
  if (found == tree_.formulas.end() || found->node != node) return false;
  std::string tex;
  append_attribute_value(tex, trimmed(found->tex, kAsciiSpaces));
  if (tex.empty() || tex.find('$') != tex.npos) return false;
  tex = collapsed_text(tex);
  put_text(" ");
  line_ += "$" + tex + "$";
  place_ = std::max<std::size_t>(place_, tree_.nodes[node].text_end);
  return true;
}

void MarkdownLine::append_image(std::string& out, std::uint32_t node) const {
  std::string source = target_of(node, Attribute::kDataSrc);
  if (source.empty()) source = target_of(node, Attribute::kSrc);
  if (source.empty()) return;
  // An empty text says that the image is decoration (HTML standard 4.8.4.4.5).
  const std::string_view raw = tree_.attribute(node, Attribute::kAlt);
  if (raw.data() != nullptr && raw.empty()) return;
  // An arrow to the top of the page.
  const std::uint32_t link = enclosing(tree_, node, TagId::kA);
  if (link != 0 && tree_.attribute(link, Attribute::kHref).starts_with('#')) return;
  const std::string alt = collapsed_text(value_of(tree_, node, Attribute::kAlt));
  out += "![";
  append_escaped(out, trimmed(alt));
  out += "](" + source + ")";
}

void MarkdownLine::put_up_to(std::size_t to) {
  to = std::min(to, end_);
  if (to > place_) put_text(std::string_view(tree_.text).substr(place_, to - place_));
  place_ = std::max(place_, to);
}

// Closes the elements that end before `node` begins.
void MarkdownLine::close_marks_before(std::uint32_t node) {
  while (!marks_.empty() && node >= tree_.nodes[marks_.back().node].last) {
    put_up_to(tree_.nodes[marks_.back().node].text_end);
    close_mark();
  }
}

void MarkdownLine::enter(std::uint32_t node) {
  close_marks_before(node);
  put_up_to(tree_.nodes[node].text_begin);
  const TagId tag = tree_.nodes[node].tag;
  if (tag == TagId::kImg) {
    if (!is_open(Mark::kCode)) append_image(line_, node);
  } else if (tag == TagId::kMath && put_formula(node)) {
    return;
  } else if (mark_of(tag) == Mark::kCode && !is_open(Mark::kCode)) {
    if (tree_.nodes[node].text_end <= end_) put_code(node);
  } else {
    open_mark(node);
  }
}

std::string MarkdownLine::of(const TreeBlock& block) {
  line_.clear();
  marks_.clear();
  code_end_ = 0;
  in_heading_ = has_trait(tree_.nodes[block.node].tag, kHeading);
  place_ = block.text.at;
  end_ = block.text.at + block.text.size;
  // The elements that are open at the first word, from the outside in.
  std::vector<std::uint32_t> around;
  for (std::uint32_t n = block.leaf; n != block.node; n = tree_.nodes[n].parent) around.push_back(n);
  for (auto n = around.rbegin(); n != around.rend(); ++n) enter(*n);
  for (std::uint32_t n = block.first_node; n < block.last_node; ++n) enter(n);
  close_marks_before(~std::uint32_t{0});
  put_up_to(end_);
  // A link around whole blocks is written inside of them.
  const std::uint32_t link = enclosing(tree_, block.node, TagId::kA);
  if (link != 0 && !is_own_link(link) && line_.find("](") == line_.npos) {
    const std::string target = target_of(link, Attribute::kHref);
    if (!target.empty()) line_ = "[" + line_ + "](" + target + ")";
  }
  return line_;
}

}  // namespace bowerbird
