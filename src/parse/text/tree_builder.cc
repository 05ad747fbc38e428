#include "parse/text/tree_builder.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/hash.h"

namespace bowerbird {

namespace {

constexpr ClassGroups kCodeGroups = group_bit(ClassGroup::kCode) | group_bit(ClassGroup::kLanguage);

bool is_section_of_table(TagId tag) {
  return tag == TagId::kTbody || tag == TagId::kThead || tag == TagId::kTfoot;
}

bool contains_ignoring_case(std::string_view text, std::string_view lower_part) {
  return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(),
                     [](char a, char b) { return ascii_lower(a) == b; }) != text.end();
}

// Whether a style attribute has `property` set to `value`; blanks around the colon do not matter.
bool style_has(std::string_view style, std::string_view property, std::string_view value) {
  for (std::size_t at = 0; at < style.size();) {
    const std::size_t end = std::min(style.find(';', at), style.size());
    const std::string_view rule = style.substr(at, end - at);
    const std::size_t colon = rule.find(':');
    if (colon != rule.npos && equals_ignoring_case(trimmed(rule.substr(0, colon), kAsciiSpaces), property) &&
        starts_ignoring_case(trimmed(rule.substr(colon + 1), kAsciiSpaces), value)) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

std::uint8_t hidden_by(const HtmlTag& tag) {
  std::uint8_t hidden = 0;
  if (tag.has(Attribute::kHidden) && !equals_ignoring_case(tag.raw(Attribute::kHidden), "until-found"))
    hidden |= kHiddenByAttribute;
  const std::string_view style = tag.raw(Attribute::kStyle);
  if (style.empty() && !tag.has(Attribute::kAriaHidden)) return hidden;
  if (style_has(style, "display", "none") || style_has(style, "visibility", "hidden"))
    hidden |= kHiddenByStyle;
  if (equals_ignoring_case(tag.raw(Attribute::kAriaHidden), "true")) hidden |= kHiddenFromReaders;
  return hidden;
}

// Text for screen readers only, and what is hidden, does not belong to the sentence around it.
bool is_apart(const TreeNode& node) {
  return (node.hidden & (kHiddenByAttribute | kHiddenByStyle)) != 0 ||
         (node.marks.groups & group_bit(ClassGroup::kHidden)) != 0;
}

}  // namespace

void TreeBuilder::begin(HtmlTree& tree) {
  tree.clear();
  tree_ = &tree;
  text_.begin(tree.text);
  title_.begin(tree.title);
  title_done_ = false;
  depth_ = 0;
  beyond_ = 0;
  innermost_.fill(kNone);
  chains_.fill(kNone);
  block_open_ = full_ = false;
  at_pre_start_ = false;
  breaks_ = 0;
  in_annotation_ = false;
  in_json_ = false;
  push_implied(TagId::kBody);
}

void TreeBuilder::finish() {
  while (depth_ > 0) pop();
  end_block();
}

void TreeBuilder::start_tag(const HtmlTag& tag, bool foreign) {
  at_pre_start_ = false;
  if (foreign) return start_foreign(tag);
  const TagId id = tag.info->id;
  switch (id) {
    case TagId::kHtml:
    case TagId::kBody:
      return root_tag(tag);
    case TagId::kHead:
    case TagId::kFrame:
    case TagId::kFrameset:
      return;
    case TagId::kBr:
      line_break();
      break;
    case TagId::kScript:
      in_json_ =
          equals_ignoring_case(trimmed(tag.raw(Attribute::kType), kAsciiSpaces), "application/ld+json");
      break;
    default:
      break;
  }
  if (close_before(tag)) push(tag);
}

// <html> and <body> share the root; what comes first counts.
void TreeBuilder::root_tag(const HtmlTag& tag) {
  if (tag.info->id == TagId::kBody) {
    const ClassMarks marks = marker_.mark(tag.raw(Attribute::kClass));
    tree_->nodes[0].marks.groups |= marks.groups;
  } else if (tag.has(Attribute::kLang) && tree_->attributes.empty()) {
    tree_->attributes.push_back({0, Attribute::kLang, tag.raw(Attribute::kLang)});
  }
}

// Of SVG and MathML, <svg> and <math> are elements of the tree and the others are not.
void TreeBuilder::start_foreign(const HtmlTag& tag) {
  const TagId id = tag.info->id;
  if (id == TagId::kAnnotation && !tag.self_closing) {
    in_annotation_ = true;
    text_.break_word();
    const bool tex = contains_ignoring_case(tag.raw(Attribute::kEncoding), "tex");
    if (tex && top().tag == TagId::kMath) tree_->formulas.push_back({top().node, {}});
  }
  if ((id == TagId::kSvg || id == TagId::kMath) && !tag.self_closing) push(tag);
}

// Closes the elements that a start tag ends. Whether it opens an element itself.
bool TreeBuilder::close_before(const HtmlTag& start) {
  const TagId tag = start.info->id;
  if (has_trait(tag, kClosesP)) close_p();
  switch (tag) {
    case TagId::kLi:
      if (chains_[kInItem] != kNone && stack_[chains_[kInItem]].tag == TagId::kLi) pop_to(chains_[kInItem]);
      close_p();
      return true;
    case TagId::kDd:
    case TagId::kDt: {
      const std::uint16_t item = chains_[kInItem];
      if (item != kNone && (stack_[item].tag == TagId::kDd || stack_[item].tag == TagId::kDt)) pop_to(item);
      close_p();
      return true;
    }
    case TagId::kH1:
    case TagId::kH2:
    case TagId::kH3:
    case TagId::kH4:
    case TagId::kH5:
    case TagId::kH6:
      if (has_trait(top().tag, kHeading)) pop();
      return true;
    case TagId::kA:
      if (within(innermost(tag), kInScope)) end_formatting(innermost(tag));
      return true;
    case TagId::kButton:
      if (within(innermost(tag), kInScope)) pop_to(innermost(tag));
      return true;
    case TagId::kOption:
      if (top().tag == TagId::kOption) pop();
      return true;
    case TagId::kOptgroup:
      if (top().tag == TagId::kOption) pop();
      if (top().tag == TagId::kOptgroup) pop();
      return true;
    case TagId::kSelect:
      if (!within(innermost(tag), kInScope)) return true;
      pop_to(innermost(tag));
      return false;
    case TagId::kInput:
    case TagId::kTextarea:
      if (within(innermost(TagId::kSelect), kInScope)) pop_to(innermost(TagId::kSelect));
      return true;
    case TagId::kForm:
      return innermost(tag) == kNone;
    case TagId::kTable:
      // Right inside another table, outside of its cells.
      if (chains_[kInScope] != kNone && stack_[chains_[kInScope]].tag == TagId::kTable)
        pop_to(chains_[kInScope]);
      return true;
    default:
      return (start.info->flags & kTagTablePart) == 0 || close_before_table_part(tag);
  }
}

// 13.2.6.4.9 and on, "in table" to "in cell".
bool TreeBuilder::close_before_table_part(TagId tag) {
  const std::uint16_t table = chains_[kInTableScope];
  if (stack_[table].tag == TagId::kBody) return false;
  const bool cell = tag == TagId::kTd || tag == TagId::kTh;
  while (depth_ - 1 > table) {
    const TagId open = top().tag;
    if (cell && (open == TagId::kTr || is_section_of_table(open))) break;
    if (tag == TagId::kTr && is_section_of_table(open)) break;
    pop();
  }
  if (cell && top().tag != TagId::kTr) push_implied(TagId::kTr);
  return true;
}

void TreeBuilder::close_p() {
  const std::uint16_t p = innermost(TagId::kP);
  const std::uint16_t button = innermost(TagId::kButton);
  if (within(p, kInScope) && (button == kNone || p > button)) pop_to(p);
}

void TreeBuilder::end_tag(const HtmlTag& tag) {
  at_pre_start_ = false;
  const TagId id = tag.info->id;
  if (id == TagId::kBr) return line_break();
  if (id == TagId::kAnnotation) in_annotation_ = false;
  if (id == TagId::kHtml || id == TagId::kBody || id == TagId::kHead || (tag.info->flags & kTagVoid) != 0)
    return;
  if (beyond_ > 0) {
    --beyond_;
    edge(id);
    return;
  }
  if (id == TagId::kUnknown) return end_unknown(static_cast<std::uint32_t>(hash64(tag.name)));
  const std::uint16_t at = innermost(id);
  if (has_trait(id, kHeading)) {
    if (within(chains_[kInHeading], kInScope)) pop_to(chains_[kInHeading]);
  } else if (at == kNone) {
    edge(id);
  } else if (id == TagId::kP) {
    close_p();
  } else if (id == TagId::kLi) {
    if (within(at, kInScope) && within(at, kInList)) pop_to(at);
  } else if (has_trait(id, kFormatting)) {
    if (within(at, kInScope)) end_formatting(at);
  } else if (id == TagId::kTable || (tag.info->flags & kTagTablePart) != 0) {
    if (within(at, kInTableScope)) pop_to(at);
  } else if (has_trait(id, kBlockEdge) || (tag.info->flags & kTagSpecial) != 0) {
    if (within(at, kInScope)) pop_to(at);
  } else if (within(at, kInSpecial)) {
    pop_to(at);
  }
}

// 13.2.6.4.7, "any other end tag". Looks at a few open elements only, so that no page makes it slow.
void TreeBuilder::end_unknown(std::uint32_t name) {
  constexpr int kMaxSteps = 32;
  std::uint16_t at = innermost(TagId::kUnknown);
  for (int i = 0; i < kMaxSteps && within(at, kInSpecial); ++i, at = stack_[at].outer_same) {
    if (stack_[at].name == name) return pop_to(at);
  }
}

// In place of the "adoption agency" (13.2.6.4.7): where block elements are open inside, the element ends for
// its text, and leaves the stack with its parent.
void TreeBuilder::end_formatting(std::uint16_t at) {
  if (within(at, kInSpecial)) return pop_to(at);
  Open& open = stack_[at];
  open.closed = true;
  innermost_[index_of(open.tag)] = open.outer_same;
  TreeNode& node = tree_->nodes[open.node];
  node.text_end = static_cast<std::uint32_t>(text_.size());
  end_link(node, node.text_end);
}

void TreeBuilder::push(const HtmlTag& tag) {
  const TagId id = tag.info->id;
  edge(id);
  if ((tag.info->flags & kTagSpace) != 0 || (id == TagId::kUnknown && tag.name.find('-') != tag.name.npos))
    text_.break_word();
  const bool is_void = (tag.info->flags & kTagVoid) != 0;
  if (depth_ == kMaxDepth || tree_->nodes.size() == kMaxNodes) {
    tree_->truncated = true;
    if (!is_void) ++beyond_;
    return;
  }
  TreeNode node;
  node.tag = id;
  read_marks(tag, node);
  const bool apart = is_apart(node);
  if (apart) break_apart();
  add_node(node);
  keep_attributes(tag);
  if (is_void) {
    --depth_;
    return;
  }
  Open& open = stack_[depth_ - 1];
  open.apart = apart;
  if (id == TagId::kUnknown) open.name = static_cast<std::uint32_t>(hash64(tag.name));
  open.outer_same = innermost(id);
  innermost_[index_of(id)] = static_cast<std::uint16_t>(depth_ - 1);
  open.outer = chains_;
  const bool special = (tag.info->flags & kTagSpecial) != 0;
  const auto link = [&](Chain chain, bool belongs) {
    if (belongs) chains_[chain] = static_cast<std::uint16_t>(depth_ - 1);
  };
  link(kInScope, has_trait(id, kScope));
  link(kInTableScope, has_trait(id, kTableScope));
  link(kInSpecial, special);
  link(kInItem, special && !has_trait(id, kPlain));
  link(kInHeading, has_trait(id, kHeading));
  link(kInList, has_trait(id, kList));
  link(kInEdge, has_trait(id, kBlockEdge));
  at_pre_start_ = id == TagId::kPre || id == TagId::kListing;
}

void TreeBuilder::push_implied(TagId tag) {
  HtmlTag implied;
  implied.name = tag == TagId::kBody ? "body" : "tr";
  implied.info = find_tag(implied.name, implied.name.data() + implied.name.size());
  push(implied);
}

void TreeBuilder::add_node(TreeNode node) {
  const auto here = static_cast<std::uint32_t>(text_.size());
  // Elements that begin after the end of the last block that is allowed have none, though it goes on in them.
  const auto block = static_cast<std::uint32_t>(tree_->blocks.size() - (block_open_ && !full_ ? 1 : 0));
  node.depth = static_cast<std::uint16_t>(depth_);
  node.parent = depth_ > 0 ? top().node : 0;
  node.last = static_cast<std::uint32_t>(tree_->nodes.size() + 1);
  node.text_begin = node.text_end = here;
  node.first_block = node.last_block = block;
  stack_[depth_] = {};
  stack_[depth_].node = static_cast<std::uint32_t>(tree_->nodes.size());
  stack_[depth_].tag = node.tag;
  ++depth_;
  tree_->nodes.push_back(node);
}

void TreeBuilder::read_marks(const HtmlTag& tag, TreeNode& node) {
  node.marks = marker_.mark(tag.raw(Attribute::kClass));
  node.marks.signature = node.marks.signature * 31 + static_cast<std::uint32_t>(tag.info->id);
  if (tag.present == 0) return;
  for (const Attribute other : {Attribute::kId, Attribute::kRole, Attribute::kItemprop})
    node.marks.groups |= marker_.mark(tag.raw(other)).groups;
  node.hidden = hidden_by(tag);
}

// What facts and Markdown ask for.
void TreeBuilder::keep_attributes(const HtmlTag& tag) {
  if (tag.present == 0) return;
  const auto node = static_cast<std::uint32_t>(tree_->nodes.size() - 1);
  const auto keep = [&](std::initializer_list<Attribute> names) {
    for (const Attribute name : names) {
      if (tag.has(name)) tree_->attributes.push_back({node, name, tag.raw(name)});
    }
  };
  switch (tag.info->id) {
    case TagId::kA:
      keep({Attribute::kHref, Attribute::kRel});
      break;
    case TagId::kDiv:
      if ((tree_->nodes.back().marks.groups & kCodeGroups) == 0) break;
      [[fallthrough]];
    case TagId::kCode:
    case TagId::kPre:
      keep({Attribute::kClass, Attribute::kDataLang});
      break;
    case TagId::kImg:
    case TagId::kImage:
      keep({Attribute::kSrc, Attribute::kAlt, Attribute::kDataSrc, Attribute::kSrcset});
      break;
    case TagId::kBase:
      keep({Attribute::kHref});
      break;
    case TagId::kLink:
      keep({Attribute::kHref, Attribute::kRel});
      break;
    case TagId::kMeta:
      keep({Attribute::kContent, Attribute::kName, Attribute::kProperty, Attribute::kHttpEquiv});
      break;
    case TagId::kOl:
      keep({Attribute::kStart});
      break;
    case TagId::kTime:
      keep({Attribute::kDatetime});
      break;
    default:
      break;
  }
  keep({Attribute::kItemprop, Attribute::kItemtype, Attribute::kRole});
}

void TreeBuilder::pop() {
  const Open& open = stack_[depth_ - 1];
  const auto at = static_cast<std::uint16_t>(depth_ - 1);
  edge(open.tag);
  if (open.apart) break_apart();
  TreeNode& node = tree_->nodes[open.node];
  node.last = static_cast<std::uint32_t>(tree_->nodes.size());
  node.last_block = static_cast<std::uint32_t>(tree_->blocks.size());
  if (!open.closed) {
    node.text_end = static_cast<std::uint32_t>(text_.size());
    end_link(node, node.text_end);
  }
  if (innermost(open.tag) == at) innermost_[index_of(open.tag)] = open.outer_same;
  chains_ = open.outer;
  if (open.tag == TagId::kMath) in_annotation_ = false;
  --depth_;
}

void TreeBuilder::pop_to(std::uint16_t at) {
  while (depth_ > at) pop();
}

void TreeBuilder::end_link(const TreeNode& node, std::uint32_t end) {
  if (node.tag != TagId::kA) return;
  const auto number = static_cast<std::uint32_t>(&node - tree_->nodes.data());
  const std::string_view href = tree_->attribute(number, Attribute::kHref);
  if (href.data() == nullptr) return;
  if (href.starts_with('#') && is_permalink(node.text_begin)) return drop_text(node.text_begin, number);
  std::uint32_t begin = node.text_begin;
  if (!tree_->links.empty())
    begin = std::max(begin, tree_->links.back().text.at + tree_->links.back().text.size);
  if (begin < end) tree_->links.push_back({{begin, end - begin}, href.starts_with('#')});
}

// Whether the text from `begin` on is the mark by which a heading links to itself.
bool TreeBuilder::is_permalink(std::size_t begin) const {
  constexpr std::size_t kLongest = 8;
  const std::string& text = tree_->text;
  if (text.size() <= begin || text.size() - begin > kLongest) return false;
  // It is not taken back from a block that has ended.
  if (!block_open_ && !tree_->blocks.empty() &&
      tree_->blocks.back().text.at + tree_->blocks.back().text.size > begin)
    return false;
  const std::string_view mark = trimmed(std::string_view(text).substr(begin), kAsciiSpaces);
  // Private characters are those of fonts of icons: U+E000 to U+F8FF.
  const bool icon = mark.size() == 3 && mark >= "\uE000" && mark <= "\uF8FF";
  return icon || mark == "¶" || mark == "#" || mark == "§" || mark == "◆" || mark == "🔗" || mark == "⚓" ||
         mark == "∞";
}

// Takes back the text from `begin` on, which belongs to node `owner` and those in it.
void TreeBuilder::drop_text(std::size_t begin, std::uint32_t owner) {
  tree_->text.resize(begin);
  text_.break_word();
  if (block_open_ && tree_->blocks.back().text.at >= begin) {
    tree_->blocks.pop_back();
    block_open_ = full_ = false;
  }
  for (std::size_t n = owner; n < tree_->nodes.size(); ++n) {
    TreeNode& node = tree_->nodes[n];
    node.text_begin = std::min(node.text_begin, static_cast<std::uint32_t>(begin));
    node.text_end = std::min(node.text_end, static_cast<std::uint32_t>(begin));
    node.last_block = std::min(node.last_block, static_cast<std::uint32_t>(tree_->blocks.size()));
    node.first_block = std::min(node.first_block, node.last_block);
  }
}

void TreeBuilder::line_break() {
  text_.break_line();
  if (block_open_ && ++breaks_ == 2) end_block();
}

// Begins or ends an element: what block or word its text belongs to changes.
void TreeBuilder::edge(TagId tag) {
  if (!has_trait(tag, kBlockEdge)) return;
  text_.break_line();
  end_block();
}

void TreeBuilder::break_apart() {
  end_block();
  text_.break_word();
}

void TreeBuilder::text(std::string_view raw, bool references) {
  if (in_annotation_) {
    if (!tree_->formulas.empty() && top().tag == TagId::kMath && tree_->formulas.back().node == top().node)
      tree_->formulas.back().tex += raw;
    return;
  }
  if (top().tag == TagId::kSvg) return;
  const std::size_t before = text_.size();
  if (!preformatted()) {
    text_.append(raw, references);
  } else {
    if (at_pre_start_ && raw.starts_with('\r')) raw.remove_prefix(1);
    if (at_pre_start_ && raw.starts_with('\n')) raw.remove_prefix(1);
    text_.append_preformatted(raw, references);
  }
  at_pre_start_ = false;
  if (text_.size() > before) extend_block(before);
}

void TreeBuilder::extend_block(std::size_t before) {
  const std::string& text = tree_->text;
  const auto first =
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(before), text.end(), is_ascii_space);
  if (first == text.end()) return;
  breaks_ = 0;
  if (block_open_) return;
  block_open_ = true;
  TreeBlock block;
  block.text.at = static_cast<std::uint32_t>(first - text.begin());
  block.node = stack_[chains_[kInEdge]].node;
  block.leaf = top().node;
  block.first_node = static_cast<std::uint32_t>(tree_->nodes.size());
  block.preformatted = preformatted();
  // The first line of preformatted text keeps its indentation.
  while (block.preformatted && block.text.at > before && text[block.text.at - 1] != '\n') --block.text.at;
  tree_->blocks.push_back(block);
}

void TreeBuilder::end_block() {
  breaks_ = 0;
  // The last block that is allowed goes on to the end of the page.
  if (!block_open_) return;
  full_ = tree_->blocks.size() == kMaxBlocks && depth_ > 0;
  if (full_) return;
  block_open_ = false;
  TreeBlock& block = tree_->blocks.back();
  std::size_t end = tree_->text.size();
  while (is_ascii_space(tree_->text[end - 1])) --end;
  block.text.size = static_cast<std::uint32_t>(end) - block.text.at;
  block.last_node = static_cast<std::uint32_t>(tree_->nodes.size());
}

bool TreeBuilder::wants_raw_text(const TagInfo& tag) const {
  if (tag.id == TagId::kTitle) return !title_done_;
  if (tag.id == TagId::kScript) return in_json_;
  return (tag.flags & kTagVisible) != 0;
}

void TreeBuilder::raw_text(const TagInfo& tag, std::string_view raw, bool references) {
  if (tag.id == TagId::kTitle) {
    title_.append(raw, references);
  } else if (tag.id == TagId::kScript) {
    if (!tree_->scripts.empty() &&
        tree_->scripts.back().data() + tree_->scripts.back().size() == raw.data()) {
      tree_->scripts.back() = {tree_->scripts.back().data(), tree_->scripts.back().size() + raw.size()};
    } else {
      tree_->scripts.push_back(raw);
    }
  } else {
    text(raw, references);
  }
}

void TreeBuilder::end_raw_text(const TagInfo& tag) {
  if (tag.id == TagId::kTitle) title_done_ = true;
  in_json_ = false;
}

}  // namespace bowerbird
