#include "parse/text/main_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "parse/html_text.h"
#include "parse/text/block_features.h"
#include "parse/text/language.h"
#include "parse/text/main_model.h"
#include "parse/text/markdown.h"
#include "parse/text/plain_text.h"

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

void TextExtractor::read(std::string_view html, const Url& url) {
  url_ = url;
  tokenizer_.sink().begin(tree_);
  tokenizer_.scan(html, kMaxBytes);
  tokenizer_.sink().finish();
  find_base();
  choose();
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

void TextExtractor::choose() {
  const BlockFeatures features(tree_, url_.text());
  const std::size_t count = tree_.blocks.size();
  std::vector<float> scores(count), row;
  std::vector<std::uint32_t> words(count);
  title_.assign(count, false);
  caption_.assign(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = features.text(i).words;
    title_[i] = features.is_title(i);
    caption_[i] = features.is_caption(i);
    if (title_[i] || caption_[i]) continue;
    features.fill(i, row);
    scores[i] = main_text_score(row);
  }
  chosen_ = choose_blocks(scores, words);
  found_ = std::find(chosen_.begin(), chosen_.end(), true) != chosen_.end();
}

std::string TextExtractor::main_text() const {
  return found_ ? plain_text(tree_, chosen_) : all_text();
}

std::string TextExtractor::all_text() const {
  return plain_text(tree_, std::vector<bool>(tree_.blocks.size(), true));
}

PageFacts TextExtractor::facts() const {
  PageFacts facts = read_facts(tree_, url_, base_);
  std::string language = detect_language(main_text());
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
  const std::string heading = title.empty() ? std::string() : "# " + escaped_markdown(title) + "\n\n";
  return heading + bowerbird::markdown(tree_, shown, base_);
}

}  // namespace bowerbird
