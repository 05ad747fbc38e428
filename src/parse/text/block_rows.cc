// The rows of block_features.h.
#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "base/check.h"
#include "parse/text/block_features.h"

namespace bowerbird {

namespace {

constexpr std::size_t kGroups = static_cast<std::size_t>(ClassGroup::kCount);
constexpr float kFar = 99;
const BlockText kNoText;

// Distances and shares of what was not found.
template <std::size_t kCount>
constexpr std::array<float, 2 * kCount> kNothingFound = [] {
  std::array<float, 2 * kCount> nothing{};
  for (std::size_t i = 0; i < kCount; ++i) nothing[2 * i] = kFar;
  return nothing;
}();

struct RowOut {
  float* at;
  std::size_t step;
  void put(float value) {
    *at = value;
    at += step;
  }
  void operator()(const char*, float value, std::size_t = 0, const char* = "") { put(value); }
  void operator()(const char*, std::uint32_t value, std::size_t = 0, const char* = "") {
    put(static_cast<float>(value));
  }
  void operator()(const char*, bool value) { put(value ? 1.0F : 0.0F); }
  void all(std::span<const float> values, std::initializer_list<const char*>) {
    for (const float value : values) put(value);
  }
};

struct NameOut {
  std::vector<std::string>& names;
  template <typename Value>
  void operator()(const char* name, Value, std::size_t index = 0, const char* part = "") {
    names.push_back(std::string(name) + "." + std::to_string(index) + "." + part);
  }
  void all(std::span<const float> values, std::initializer_list<const char*> columns) {
    for (std::size_t i = 0; i < values.size(); ++i)
      (*this)(columns.begin()[i % columns.size()], 0, i / columns.size());
  }
};

}  // namespace

// What is found on the way from a block to the root.
struct BlockFeatures::Ancestry {
  static constexpr std::size_t kLevels = 6;
  static constexpr std::array<float, 4> kScales = {0.1F, 0.25F, 0.5F, 0.8F};
  std::array<float, 2 * kGroups> groups = kNothingFound<kGroups>;        // distances and shares
  std::array<float, 2 * kMeanings> meanings = kNothingFound<kMeanings>;  // distances and shares
  std::array<std::uint32_t, kLevels> levels{};         // ancestors that each hold more than the one before
  std::array<std::uint32_t, kScales.size()> scales{};  // innermost ancestors with such shares of the words
  std::uint32_t item = 0;                              // innermost of at least three siblings alike, or 0
  std::uint32_t outer_item = 0;                        // outermost
  std::uint32_t branch = 0;  // the child of containers_[1] that holds the block, or 0
  std::array<float, 3> container_distance = {kFar, kFar, kFar};  // levels up to containers_
};

void BlockFeatures::read_ancestry(const TreeBlock& block, Ancestry& up) const {
  const std::uint32_t page_words = sums_.all().words;
  const auto whole = static_cast<float>(page_words);
  ClassGroups groups_seen = 0;
  Meanings meanings_seen = 0;
  std::size_t level = 0;
  std::size_t scale = 0;
  std::uint32_t held = sums_.words(tree_.nodes[block.leaf]);
  std::uint32_t child = 0;
  float distance = 0;
  for (std::uint32_t n = block.leaf;; n = tree_.nodes[n].parent, ++distance) {
    const TreeNode& node = tree_.nodes[n];
    const std::uint32_t words = sums_.words(node);
    const float share = ratio(words, page_words);
    for (ClassGroups fresh = node.marks.groups & ~groups_seen; fresh != 0; fresh &= fresh - 1) {
      const auto group = static_cast<std::size_t>(__builtin_ctzll(fresh));
      up.groups[2 * group] = distance;
      up.groups[2 * group + 1] = share;
    }
    groups_seen |= node.marks.groups;
    for (Meanings fresh = meanings_[n] & ~meanings_seen; fresh != 0; fresh &= fresh - 1) {
      const auto meaning = static_cast<std::size_t>(__builtin_ctzll(fresh));
      up.meanings[2 * meaning] = distance;
      up.meanings[2 * meaning + 1] = share;
    }
    meanings_seen |= meanings_[n];
    if (words > held) {
      if (level < Ancestry::kLevels) up.levels[level++] = n;
      held = words;
    }
    while (scale < Ancestry::kScales.size() && static_cast<float>(words) >= Ancestry::kScales[scale] * whole)
      up.scales[scale++] = n;
    if (groups_.siblings(n).count >= 3) {
      if (up.item == 0) up.item = n;
      up.outer_item = n;
    }
    for (std::size_t i = 0; i < containers_.size(); ++i) {
      if (n == containers_[i]) up.container_distance[i] = distance;
    }
    if (n == containers_[1]) up.branch = child;
    child = n;
    if (n == 0) break;
  }
}

const BlockFeatures::NodeNumbers& BlockFeatures::numbers_of(std::uint32_t n) {
  if (node_places_[n] == 0) {
    const Sums sum = sums_.of(tree_.nodes[n]);
    node_numbers_.push_back({
        static_cast<float>(sum.words),
        ratio(sum.words, sums_.all().words),
        ratio(sum.link_words, sum.words),
        ratio(sum.paragraph_words, sum.words),
        ratio(sum.words, sum.blocks),
        ratio(sum.function_words, sum.words),
        static_cast<float>(sum.blocks),
        ratio(sum.short_blocks, sum.blocks),
        static_cast<float>(tree_.nodes[n].depth),
        static_cast<float>(images_in(n)),
        ratio(sum.currency, sum.blocks),
        ratio(sum.dates, sum.words),
        ratio(sum.in_page_words, sum.link_words),
        ratio(sum.stops, sum.words),
    });
    node_places_[n] = static_cast<std::uint32_t>(node_numbers_.size());
  }
  return node_numbers_[node_places_[n] - 1];
}

template <typename Out>
void BlockFeatures::write_node(Out& out, const char* name, std::uint32_t node, std::size_t index,
                               std::size_t depth) {
  constexpr std::array<const char*, kNodeNumbers> kParts = {
      "words", "share",    "links",  "paragraphs", "block_words", "function", "blocks",
      "short", "distance", "images", "currency",   "dates",       "in_page",  "stops"};
  constexpr std::size_t kDistance = 8;
  const NodeNumbers& numbers = numbers_of(node);
  for (std::size_t i = 0; i < kNodeNumbers; ++i)
    out(name, i == kDistance ? static_cast<float>(depth) - numbers[i] : numbers[i], index, kParts[i]);
}

template <typename Out>
void BlockFeatures::write_text(Out& out, std::size_t block) const {
  const BlockText& text = texts_[block];
  const std::string_view bytes = tree_.text_of(tree_.blocks[block]);
  out("words", text.words);
  out("bytes", text.bytes);
  out("link_share", ratio(text.link_words, text.words));
  out("in_page_share", ratio(text.in_page_words, text.words));
  out("copies", groups_.copies(block).count);
  out("copies_before", groups_.copies_before(block));
  out("word_bytes", ratio(text.bytes, text.words));
  out("digits", ratio(text.digits, text.bytes));
  out("upper", ratio(text.upper, text.bytes));
  out("capitals", ratio(text.capitals, text.words));
  out("high", ratio(text.high, text.bytes));
  out("stops", text.stops);
  out("commas", text.commas);
  out("stops_per_word", ratio(text.stops, text.words));
  out("currency", text.currency);
  out("marks", text.marks);
  out("title_words", ratio(text.title, text.words));
  out("summary_words", ratio(text.summary, text.words));
  const char last = bytes.back();
  out("ends_sentence", last == '.' || last == '!' || last == '?');
  out("ends_colon", last == ':');
  out("starts_upper", is_ascii_upper(bytes.front()));
  out("starts_digit", is_ascii_digit(bytes.front()));
  out("preformatted", tree_.blocks[block].preformatted);
  for (std::size_t i = 0; i < kLexicons; ++i) out("lexicon", ratio(text.lexicon[i], text.words), i);
}

template <typename Out>
void BlockFeatures::write_context(Out& out, std::size_t block, const Ancestry& up) {
  const TreeBlock& place = tree_.blocks[block];
  const std::uint32_t depth = tree_.nodes[place.leaf].depth;
  out("tag", tag_number(tree_.nodes[place.node].tag));
  out("leaf_tag", tag_number(tree_.nodes[place.leaf].tag));
  out("heading_level", static_cast<float>(heading_level(tree_.nodes[place.node].tag)));
  out("depth", depth);
  out.all(up.meanings, {"meaning", "meaning_share"});
  out.all(up.groups, {"group", "group_share"});
  for (std::size_t i = 0; i < Ancestry::kLevels; ++i) write_node(out, "level", up.levels[i], i, depth);
  for (std::size_t i = 0; i < Ancestry::kScales.size(); ++i) write_node(out, "scale", up.scales[i], i, depth);
  write_node(out, "branch", up.branch, 0, depth);
  out("branch_relative", ratio(sums_.words(tree_.nodes[up.branch]), largest_branch_words_));
  out("branch_side", up.branch < largest_branch_ ? -1.0F : up.branch > largest_branch_ ? 1.0F : 0.0F);
  out("branch_tag", tag_number(tree_.nodes[up.branch].tag));
  for (std::size_t i = 0; i < containers_.size(); ++i) {
    const TreeNode& node = tree_.nodes[containers_[i]];
    const bool before = block < node.first_block, after = block >= node.last_block;
    out("container", up.container_distance[i], i);
    out("container_side", before ? -1.0F : after ? 1.0F : 0.0F, i);
    out("container_off",
        before  ? static_cast<float>(node.first_block - block)
        : after ? static_cast<float>(block - node.last_block)
                : -1.0F,
        i);
  }
}

template <typename Out>
void BlockFeatures::write_groups(Out& out, std::size_t block, const Ancestry& up) const {
  const std::uint32_t page_words = sums_.all().words;
  const auto write_group = [&](const char* name, const BlockGroup& group) {
    out(name, group.count, 0, "count");
    out(name, group.words, 0, "words");
    out(name, ratio(group.words, page_words), 0, "share");
    out(name, ratio(group.words, group.count), 0, "mean");
    out(name, ratio(group.link_words, group.words), 0, "links");
    out(name, ratio(group.paragraph_words, group.words), 0, "paragraphs");
  };
  write_group("path", groups_.path(block));
  write_group("look", groups_.look(block));
  const auto write_item = [&](const char* name, std::uint32_t n) {
    const Sums sum = n == 0 ? Sums{} : sums_.of(tree_.nodes[n]);
    write_group(name, n == 0 ? BlockGroup{} : groups_.siblings(n));
    out(name, sum.words, 0, "own_words");
    out(name, ratio(sum.link_words, sum.words), 0, "own_links");
    out(name, sum.blocks, 0, "own_blocks");
    out(name, n == 0 ? 0 : images_in(n), 0, "own_images");
    out(name, sum.currency, 0, "own_currency");
    out(name, tag_number(tree_.nodes[n].tag), 0, "tag");
    const auto depth = static_cast<float>(tree_.nodes[tree_.blocks[block].leaf].depth);
    out(name, n == 0 ? kFar : depth - static_cast<float>(tree_.nodes[n].depth), 0, "distance");
    out(name, static_cast<float>(block - tree_.nodes[n].first_block), 0, "place");
  };
  write_item("item", up.item);
  write_item("outer_item", up.outer_item);
}

template <typename Out>
void BlockFeatures::write_neighbours(Out& out, std::size_t block) const {
  const auto count = static_cast<std::ptrdiff_t>(texts_.size());
  for (const std::ptrdiff_t step : {-2, -1, 1, 2}) {
    const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(block) + step;
    const bool there = other >= 0 && other < count;
    const auto at = static_cast<std::size_t>(there ? other : 0);
    const BlockText& text = there ? texts_[at] : kNoText;
    const auto index = static_cast<std::size_t>(step + 2);
    out("near_words", there ? static_cast<float>(text.words) : -1.0F, index);
    out("near_links", ratio(text.link_words, text.words), index);
    out("near_stops", text.stops, index);
    out("near_tag", there ? tag_number(tree_.nodes[tree_.blocks[at].node].tag) : -1.0F, index);
    out("near_alike", there && groups_.same_path(at, block) ? 1.0F : 0.0F, index);
    out("near_parent",
        there && tree_.nodes[tree_.blocks[at].node].parent == tree_.nodes[tree_.blocks[block].node].parent
            ? 1.0F
            : 0.0F,
        index);
  }
  std::size_t index = 0;
  for (const std::ptrdiff_t width : {3, 8, 20}) {
    for (const int side : {-1, 1}) {
      const std::ptrdiff_t here = static_cast<std::ptrdiff_t>(block);
      const std::ptrdiff_t from = side < 0 ? std::max<std::ptrdiff_t>(0, here - width) : here + 1;
      const std::ptrdiff_t to = side < 0 ? here : std::min(count, here + 1 + width);
      const Sums sum = sums_.of(static_cast<std::size_t>(std::min(from, to)), static_cast<std::size_t>(to));
      out("window", sum.words, index, "words");
      out("window", ratio(sum.link_words, sum.words), index, "links");
      out("window", ratio(sum.paragraph_words, sum.words), index, "paragraphs");
      ++index;
    }
  }
}

template <typename Out>
void BlockFeatures::write_position(Out& out, std::size_t block) const {
  const Sums& all = sums_.all();
  const Sums& here = sums_.before(block);
  out("place", static_cast<float>(block));
  out("place_share", ratio(static_cast<std::uint32_t>(block), all.blocks));
  out("words_before", ratio(here.words, all.words));
  out("paragraphs_before", ratio(here.paragraph_words, all.paragraph_words));
  out("blocks_after", static_cast<float>(all.blocks - block));
  out("after_h1",
      first_h1_ == kNoBlock ? -9999.0F : static_cast<float>(block) - static_cast<float>(first_h1_));
  out("words_after_h1", first_h1_ == kNoBlock || block < first_h1_
                            ? -1.0F
                            : static_cast<float>(here.words - sums_.before(first_h1_).words));
  const std::uint32_t heading = heading_[block];
  const bool any = heading != kNoBlock;
  out("since_heading", any ? static_cast<float>(block - heading) : -1.0F);
  out("words_since_heading", any ? static_cast<float>(here.words - sums_.before(heading).words) : -1.0F);
  out("last_heading",
      any ? static_cast<float>(heading_level(tree_.nodes[tree_.blocks[heading].node].tag)) : 0.0F);
  const BlockText& text = any ? texts_[heading] : kNoText;
  out("heading_words", text.words);
  for (const Lexicon topic : {Lexicon::kComment, Lexicon::kRelated, Lexicon::kMore, Lexicon::kReview,
                              Lexicon::kShop, Lexicon::kSubscribe, Lexicon::kSite, Lexicon::kShare})
    out("heading_lexicon", std::uint32_t{text.lexicon[static_cast<std::size_t>(topic)]},
        static_cast<std::size_t>(topic));
  out("heading_title", ratio(text.title, text.words));
}

template <typename Out>
void BlockFeatures::write_section(Out& out, std::size_t block) const {
  const std::uint32_t first = heading_[block] == kNoBlock ? 0 : heading_[block];
  const std::uint32_t last = next_heading_[block];
  const Sums sum = sums_.of(first, last);
  out("section", sum.words, 0, "words");
  out("section", ratio(sum.words, sums_.all().words), 0, "share");
  out("section", ratio(sum.link_words, sum.words), 0, "links");
  out("section", ratio(sum.paragraph_words, sum.words), 0, "paragraphs");
  out("section", sum.blocks, 0, "blocks");
  out("section", ratio(sum.short_blocks, sum.blocks), 0, "short");
  out("section", ratio(sum.currency, sum.blocks), 0, "currency");
  out("section", static_cast<float>(last - block), 0, "to_end");
}

template <typename Out>
void BlockFeatures::write(Out& out, std::size_t block) {
  Ancestry up;
  read_ancestry(tree_.blocks[block], up);
  write_text(out, block);
  write_context(out, block, up);
  write_groups(out, block, up);
  write_neighbours(out, block);
  write_position(out, block);
  write_section(out, block);
}

std::size_t BlockFeatures::width() {
  static const std::size_t width = names().size();
  return width;
}

void BlockFeatures::fill(std::size_t block, std::span<float> row) {
  CHECK(row.size() == width());
  fill_lane(block, row.data(), 1);
  std::copy(page_.begin(), page_.end(), row.end() - static_cast<std::ptrdiff_t>(page_.size()));
}

void BlockFeatures::fill_lane(std::size_t block, float* first, std::size_t lanes) {
  RowOut out{first, lanes};
  write(out, block);
}

std::vector<std::string> BlockFeatures::names() {
  HtmlTree tree;
  tree.text = "x";
  tree.nodes.push_back({});
  tree.nodes[0].last = 1;
  tree.nodes[0].last_block = 1;
  tree.blocks.push_back({{0, 1}, 0, 0, 1, 1, false});
  std::vector<std::string> names;
  NameOut out{names};
  BlockFeatures features(tree, "");
  features.write(out, 0);
  out.all(features.page_, {"page"});
  return names;
}

}  // namespace bowerbird
