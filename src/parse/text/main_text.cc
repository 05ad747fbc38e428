#include "parse/text/main_text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "parse/html_text.h"
#include "parse/text/block_features.h"
#include "parse/text/element_meaning.h"
#include "parse/text/language.h"
#include "parse/text/main_model.h"
#include "parse/text/markdown.h"
#include "parse/text/markdown_escape.h"
#include "parse/text/navigation_links.h"
#include "parse/text/plain_text.h"
#include "parse/text/repeated_blocks.h"
#include "parse/text/whole_parts.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

}  // namespace

std::vector<bool> choose_blocks(const std::vector<float>& scores, const std::vector<std::uint32_t>& words) {
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  double expected = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) expected += static_cast<double>(scores[i]) * words[i];
  // F1 is 2 |chosen and true| / (|chosen| + |true|), in expectation and words.
  double hits = 0, size = 0, best = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    hits += static_cast<double>(scores[order[i]]) * words[order[i]];
    size += words[order[i]];
    if (2 * hits > best * (size + expected)) {
      best = 2 * hits / (size + expected);
      count = i + 1;
    }
  }
  std::vector<bool> chosen(scores.size(), false);
  for (std::size_t i = 0; i < count; ++i) chosen[order[i]] = true;
  return chosen;
}

const HtmlTree& TextExtractor::read_tree(std::string_view html) {
  tokenizer_.sink().begin(tree_);
  tokenizer_.scan(html, kMaxBytes);
  tokenizer_.sink().finish();
  return tree_;
}

void TextExtractor::read(std::string_view html, const Url& url, std::span<const std::uint64_t> repeated) {
  url_ = url;
  read_tree(html);
  find_base();
  choose(repeated);
}

void TextExtractor::read_scored(std::string_view html, const Url& url, std::span<const float> scores) {
  url_ = url;
  read_tree(html);
  find_base();
  CHECK(scores.size() == tree_.blocks.size());
  choose({}, scores);
}

void TextExtractor::read_content(std::string_view html, const Url& url) {
  url_ = url;
  read_tree(html);
  find_base();
  const std::size_t count = tree_.blocks.size();
  chosen_.assign(count, true);
  title_.assign(count, false);
  caption_.assign(count, false);
  found_ = count > 0;
}

// The first <base> with a usable href, else the page's own URL.
void TextExtractor::find_base() {
  base_ = url_;
  for (const NodeAttribute& a : tree_.attributes) {
    if (a.name != Attribute::kHref || tree_.nodes[a.node].tag != TagId::kBase) continue;
    std::string href;
    append_attribute_value(href, a.raw);
    Url base;
    if (parse_url(href, url_.empty() ? nullptr : &url_, base) == UrlFault::kNone) base_ = base;
    return;
  }
}

namespace {

bool holds_any(const std::vector<bool>& chosen) {
  return std::find(chosen.begin(), chosen.end(), true) != chosen.end();
}

// Chooses among the blocks that are not boilerplate; among all if nothing is left then.
std::vector<bool> choose_without(const std::vector<float>& scores, const std::vector<std::uint32_t>& words,
                                 const std::vector<bool>& boilerplate) {
  if (holds_any(boilerplate)) {
    std::vector<float> others = scores;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (boilerplate[i]) others[i] = 0;
    }
    std::vector<bool> chosen = choose_blocks(others, words);
    if (holds_any(chosen)) return chosen;
  }
  return choose_blocks(scores, words);
}

// Adds what readers wrote: the text in elements whose class says "comment", but their forms, buttons and
// links. An element that holds most of what was chosen is the page itself, whatever its class says.
void add_comments(const HtmlTree& tree, const BlockFeatures& features, std::vector<bool>& chosen) {
  constexpr Meanings kControls = bit(Meaning::kForm) | bit(Meaning::kButton) | bit(Meaning::kNav) |
                                 bit(Meaning::kSelect) | bit(Meaning::kLabel) | bit(Meaning::kFooter);
  std::vector<std::uint32_t> before = {0};  // chosen words before each block
  for (std::size_t i = 0; i < chosen.size(); ++i)
    before.push_back(before.back() + (chosen[i] ? features.text(i).words : 0));
  std::vector<bool> comment(tree.nodes.size(), false), control(tree.nodes.size(), false);
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    const TreeNode& node = tree.nodes[n];
    const bool named = (node.marks.groups & group_bit(ClassGroup::kComment)) != 0;
    comment[n] = comment[node.parent] ||
                 (named && 2 * (before[node.last_block] - before[node.first_block]) <= before.back());
    control[n] = control[node.parent] || (meaning_of_tag(node.tag) & kControls) != 0;
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::uint32_t leaf = tree.blocks[i].leaf;
    const BlockText& text = features.text(i);
    if (comment[leaf] && !control[leaf] && 2 * text.link_words < text.words) chosen[i] = true;
  }
}

// Asks the model about these blocks.
void score_blocks(BlockFeatures& features, std::span<const std::uint32_t> blocks,
                  std::vector<float>& scores) {
  constexpr std::size_t kLanes = MainTextScorer::kLanes;
  const std::size_t width = BlockFeatures::width() - features.page().size();
  MainTextScorer scorer(width, features.page());
  std::vector<float> columns(width * kLanes);
  for (std::size_t at = 0; at < blocks.size(); at += kLanes) {
    const std::size_t lanes = std::min(kLanes, blocks.size() - at);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      features.fill_lane(blocks[at + lane], columns.data() + lane, kLanes);
    const std::array<float, kLanes> found = scorer.score(columns);
    for (std::size_t lane = 0; lane < lanes; ++lane) scores[blocks[at + lane]] = found[lane];
  }
}

}  // namespace

void TextExtractor::choose(std::span<const std::uint64_t> repeated, std::span<const float> given) {
  BlockFeatures features(tree_, url_.text());
  const std::size_t count = tree_.blocks.size();
  std::vector<float> scores(count);
  std::vector<std::uint32_t> words(count), judged;  // judged: blocks that may be main text
  title_.assign(count, false);
  caption_.assign(count, false);
  judged.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = features.text(i).words;
    title_[i] = features.is_title(i);
    caption_[i] = features.is_caption(i);
    if (!title_[i] && !caption_[i]) judged.push_back(static_cast<std::uint32_t>(i));
  }
  if (given.empty()) {
    score_blocks(features, judged, scores);
  } else {
    for (const std::uint32_t i : judged) scores[i] = given[i];
  }
  std::vector<bool> never = find_navigation_links(tree_, features.texts());
  if (!repeated.empty()) {
    const std::vector<bool> repeats = find_repeated_blocks(tree_, repeated);
    for (std::size_t i = 0; i < count; ++i) never[i] = never[i] || repeats[i];
  }
  chosen_ = choose_without(scores, words, never);
  // Nor are the title and captions part of it.
  for (std::size_t i = 0; i < count; ++i) never[i] = never[i] || title_[i] || caption_[i];
  complete_parts(tree_, words, never, chosen_);
  if (comments_) add_comments(tree_, features, chosen_);
  found_ = holds_any(chosen_);
}

std::string TextExtractor::main_text() const {
  return found_ ? plain_text(tree_, chosen_) : all_text();
}

std::string TextExtractor::all_text() const {
  return plain_text(tree_, std::vector<bool>(tree_.blocks.size(), true));
}

DocumentFacts TextExtractor::facts(const std::string& main_text) const {
  DocumentFacts facts = read_facts(tree_, url_, base_);
  std::string language = detect_language(main_text);
  if (!language.empty()) facts.language = std::move(language);
  return facts;
}

std::string TextExtractor::markdown() const {
  if (!found_) return bowerbird::markdown(tree_, std::vector<bool>(tree_.blocks.size(), true), base_);
  std::vector<bool> shown = chosen_;
  // A caption belongs to the text that it stands in.
  for (std::size_t i = 1; i + 1 < shown.size(); ++i) {
    if (caption_[i]) shown[i] = shown[i - 1] && (shown[i + 1] || caption_[i + 1]);
  }
  const std::string title = read_facts(tree_, url_, base_).title;
  // Nor is the title written twice.
  const auto first = std::find(shown.begin(), shown.end(), true);
  if (first != shown.end()) {
    const TreeBlock& block = tree_.blocks[static_cast<std::size_t>(first - shown.begin())];
    const bool is_heading = heading_level(tree_.nodes[block.node].tag) > 0;
    if (is_heading && repeats_title(tree_.text_of(block), title)) *first = false;
  }
  const std::string heading = title.empty() ? std::string() : "# " + escaped_markdown(title) + "\n\n";
  return heading + bowerbird::markdown(tree_, shown, base_);
}

}  // namespace bowerbird
