#include "parse/text/block_features.h"

#include <algorithm>
#include <cmath>

#include "base/ascii.h"
#include "base/rng.h"
#include "parse/html_text.h"
#include "parse/text/element_traits.h"
#include "parse/text/plain_text.h"

namespace bowerbird {

namespace {

// What the tag or the role of an element says about its content.
enum class Meaning : std::uint8_t {
  kNav,
  kHeader,
  kFooter,
  kAside,
  kMain,
  kArticle,
  kSection,
  kForm,
  kList,
  kItem,
  kTerms,
  kTable,
  kCell,
  kFigure,
  kFigcaption,
  kQuote,
  kDetails,
  kDialog,
  kButton,
  kNoscript,
  kTemplate,
  kSelect,
  kLabel,
  kAnchor,
  kHeading,
  kParagraph,
  kPre,
  kFieldset,
  kSpan,
  kInline,
  kTime,
  kHidden,
  kAriaHidden,
  kCount,
};
constexpr std::size_t kMeanings = static_cast<std::size_t>(Meaning::kCount);
constexpr std::size_t kGroups = static_cast<std::size_t>(ClassGroup::kCount);
constexpr float kFar = 99;

constexpr std::uint64_t bit(Meaning meaning) {
  return std::uint64_t{1} << static_cast<unsigned>(meaning);
}

struct TagMeaning {
  TagId tag;
  Meaning meaning;
};

constexpr TagMeaning kTagMeanings[] = {
    {TagId::kNav, Meaning::kNav},
    {TagId::kMenu, Meaning::kNav},
    {TagId::kHeader, Meaning::kHeader},
    {TagId::kFooter, Meaning::kFooter},
    {TagId::kAside, Meaning::kAside},
    {TagId::kMain, Meaning::kMain},
    {TagId::kArticle, Meaning::kArticle},
    {TagId::kSection, Meaning::kSection},
    {TagId::kForm, Meaning::kForm},
    {TagId::kSearch, Meaning::kForm},
    {TagId::kUl, Meaning::kList},
    {TagId::kOl, Meaning::kList},
    {TagId::kLi, Meaning::kItem},
    {TagId::kDl, Meaning::kTerms},
    {TagId::kDt, Meaning::kTerms},
    {TagId::kDd, Meaning::kTerms},
    {TagId::kTable, Meaning::kTable},
    {TagId::kTd, Meaning::kCell},
    {TagId::kTh, Meaning::kCell},
    {TagId::kFigure, Meaning::kFigure},
    {TagId::kPicture, Meaning::kFigure},
    {TagId::kFigcaption, Meaning::kFigcaption},
    {TagId::kCaption, Meaning::kFigcaption},
    {TagId::kBlockquote, Meaning::kQuote},
    {TagId::kQ, Meaning::kQuote},
    {TagId::kDetails, Meaning::kDetails},
    {TagId::kSummary, Meaning::kDetails},
    {TagId::kDialog, Meaning::kDialog},
    {TagId::kButton, Meaning::kButton},
    {TagId::kNoscript, Meaning::kNoscript},
    {TagId::kTemplate, Meaning::kTemplate},
    {TagId::kSelect, Meaning::kSelect},
    {TagId::kOption, Meaning::kSelect},
    {TagId::kTextarea, Meaning::kSelect},
    {TagId::kLabel, Meaning::kLabel},
    {TagId::kLegend, Meaning::kLabel},
    {TagId::kA, Meaning::kAnchor},
    {TagId::kH1, Meaning::kHeading},
    {TagId::kH2, Meaning::kHeading},
    {TagId::kH3, Meaning::kHeading},
    {TagId::kH4, Meaning::kHeading},
    {TagId::kH5, Meaning::kHeading},
    {TagId::kH6, Meaning::kHeading},
    {TagId::kP, Meaning::kParagraph},
    {TagId::kPre, Meaning::kPre},
    {TagId::kCode, Meaning::kPre},
    {TagId::kFieldset, Meaning::kFieldset},
    {TagId::kSpan, Meaning::kSpan},
    {TagId::kB, Meaning::kInline},
    {TagId::kStrong, Meaning::kInline},
    {TagId::kEm, Meaning::kInline},
    {TagId::kI, Meaning::kInline},
    {TagId::kSmall, Meaning::kInline},
    {TagId::kTime, Meaning::kTime},
};

constexpr std::array kMeaningOfTag = [] {
  std::array<std::uint64_t, index_of(TagId::kCount)> meanings{};
  for (const TagMeaning& row : kTagMeanings) meanings[index_of(row.tag)] = bit(row.meaning);
  return meanings;
}();

// Tags in an order of our own, because numbers of TagId may change.
float tag_number(TagId tag) {
  const std::uint64_t meaning = kMeaningOfTag[index_of(tag)];
  if (meaning != 0) return static_cast<float>(__builtin_ctzll(meaning) + 1);
  switch (tag) {
    case TagId::kDiv:
      return 50;
    case TagId::kBody:
      return 51;
    case TagId::kTr:
    case TagId::kTbody:
    case TagId::kThead:
    case TagId::kTfoot:
      return 52;
    case TagId::kUnknown:
      return 53;
    default:
      return 0;
  }
}

struct RoleMeaning {
  std::string_view role;
  Meaning meaning;
};

constexpr RoleMeaning kRoles[] = {
    {"navigation", Meaning::kNav},     {"menu", Meaning::kNav},           {"menubar", Meaning::kNav},
    {"banner", Meaning::kHeader},      {"contentinfo", Meaning::kFooter}, {"complementary", Meaning::kAside},
    {"main", Meaning::kMain},          {"article", Meaning::kArticle},    {"dialog", Meaning::kDialog},
    {"alertdialog", Meaning::kDialog}, {"button", Meaning::kButton},      {"search", Meaning::kForm},
    {"list", Meaning::kList},          {"listitem", Meaning::kItem},      {"heading", Meaning::kHeading},
    {"tooltip", Meaning::kDialog},     {"tablist", Meaning::kNav},        {"form", Meaning::kForm},
};

float ratio(double part, double whole) {
  return whole > 0 ? static_cast<float>(part / whole) : 0;
}

// Heading 1 to 6, or 0.
int heading_level(TagId tag) {
  return has_trait(tag, kHeading) ? static_cast<int>(tag) - static_cast<int>(TagId::kH1) + 1 : 0;
}

// Numbers of equal keys: open addressing.
class KeyNumbers {
 public:
  explicit KeyNumbers(std::size_t keys) {
    std::size_t size = 16;
    while (size < 2 * keys) size *= 2;
    slots_.resize(size);
  }
  // The number of a key; a new key gets `next`.
  std::uint32_t number(std::uint64_t key, std::uint32_t next) {
    key |= 1;
    std::size_t at = mix64(key) & (slots_.size() - 1);
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].key == 0) slots_[at] = {key, next};
    return slots_[at].number;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
  };
  std::vector<Slot> slots_;
};

std::uint64_t pair_key(std::uint64_t a, std::uint64_t b) {
  return mix64(a * 0x9E3779B97F4A7C15u + b);
}

}  // namespace

// What is found on the way from a block to the root.
struct BlockFeatures::Ancestry {
  static constexpr std::size_t kLevels = 6;
  static constexpr std::array<double, 4> kScales = {0.1, 0.25, 0.5, 0.8};
  std::array<float, kGroups> group_distance;
  std::array<float, kGroups> group_share;
  std::array<float, kMeanings> meaning_distance;
  std::array<float, kMeanings> meaning_share;
  std::array<std::uint32_t, kLevels> levels{};         // ancestors that each hold more than the one before
  std::array<std::uint32_t, kScales.size()> scales{};  // innermost ancestors with such shares of the words
  std::uint32_t item = 0;                              // innermost of at least three siblings alike, or 0
  std::uint32_t outer_item = 0;                        // outermost
  std::uint32_t branch = 0;                 // the child of containers_[1] that holds the block, or 0
  std::array<float, 3> container_distance;  // levels up to containers_
};

BlockFeatures::BlockFeatures(const HtmlTree& tree, std::string_view url) : tree_(tree) {
  read_texts();
  read_meanings();
  read_groups();
  read_headings();
  containers_ = {container(0.5), container(0.7), container(0.9)};
  for (std::uint32_t child = containers_[1] + 1; child < tree_.nodes[containers_[1]].last;
       child = tree_.nodes[child].last) {
    const std::uint32_t words = sums(tree_.nodes[child]).words;
    if (words > largest_branch_words_) {
      largest_branch_ = child;
      largest_branch_words_ = words;
    }
  }
  read_page(url);
}

void BlockFeatures::read_texts() {
  HeadWords head;
  head.title.assign(tree_.title);
  std::string description;
  for (const NodeAttribute& a : tree_.attributes) {
    const bool named = (a.name == Attribute::kName && equals_ignoring_case(a.raw, "description")) ||
                       (a.name == Attribute::kProperty && equals_ignoring_case(a.raw, "og:description"));
    if (named && description.empty())
      append_attribute_value(description, tree_.attribute(a.node, Attribute::kContent));
  }
  head.summary.assign(description);
  texts_.reserve(tree_.blocks.size());
  before_.reserve(tree_.blocks.size() + 1);
  before_.emplace_back();
  std::size_t link = 0;
  for (const TreeBlock& block : tree_.blocks) {
    texts_.push_back(read_block_text(tree_.text_of(block), block.text.at, tree_.links, link, head));
    const BlockText& text = texts_.back();
    const bool paragraph = text.words >= 8 && 3 * text.link_words < text.words &&
                           (tree_.nodes[block.node].tag == TagId::kP || text.stops > 0);
    Sums sum = before_.back();
    sum.blocks += 1;
    sum.words += text.words;
    sum.link_words += text.link_words;
    sum.paragraph_words += paragraph ? text.words : 0;
    sum.function_words += text.lexicon[static_cast<std::size_t>(Lexicon::kFunction)];
    sum.stops += text.stops;
    sum.short_blocks += text.words < 6 ? 1 : 0;
    sum.currency += text.currency;
    sum.dates += text.lexicon[static_cast<std::size_t>(Lexicon::kDate)];
    sum.in_page_words += text.in_page_words;
    before_.push_back(sum);
  }
}

void BlockFeatures::read_meanings() {
  meanings_.reserve(tree_.nodes.size());
  for (const TreeNode& node : tree_.nodes) {
    std::uint64_t meaning = kMeaningOfTag[index_of(node.tag)];
    if ((node.hidden & (kHiddenByAttribute | kHiddenByStyle)) != 0) meaning |= bit(Meaning::kHidden);
    if ((node.hidden & kHiddenFromReaders) != 0) meaning |= bit(Meaning::kAriaHidden);
    meanings_.push_back(meaning);
  }
  for (const NodeAttribute& a : tree_.attributes) {
    if (a.name != Attribute::kRole) continue;
    for (const RoleMeaning& row : kRoles) {
      if (equals_ignoring_case(a.raw, row.role)) meanings_[a.node] |= bit(row.meaning);
    }
  }
}

BlockFeatures::Sums BlockFeatures::sums(std::uint32_t first, std::uint32_t last) const {
  const Sums& a = before_[first];
  const Sums& b = before_[last];
  return {b.blocks - a.blocks,
          b.words - a.words,
          b.link_words - a.link_words,
          b.paragraph_words - a.paragraph_words,
          b.function_words - a.function_words,
          b.stops - a.stops,
          b.short_blocks - a.short_blocks,
          b.currency - a.currency,
          b.dates - a.dates,
          b.in_page_words - a.in_page_words};
}

void BlockFeatures::read_groups() {
  const auto add = [&](std::uint32_t number, const Sums& sum) {
    if (number == groups_.size()) groups_.emplace_back();
    Group& group = groups_[number];
    ++group.count;
    group.words += sum.words;
    group.link_words += sum.link_words;
    group.paragraph_words += sum.paragraph_words;
  };
  const auto count = [&] { return static_cast<std::uint32_t>(groups_.size()); };
  KeyNumbers siblings(tree_.nodes.size());
  sibling_group_.reserve(tree_.nodes.size());
  for (const TreeNode& node : tree_.nodes) {
    sibling_group_.push_back(siblings.number(pair_key(node.parent, node.marks.signature), count()));
    add(sibling_group_.back(), sums(node));
  }
  // The path of a block: signatures of its leaf and of four elements around its block element; its look: of
  // the leaf and the block element alone.
  KeyNumbers paths(2 * tree_.blocks.size());
  for (std::size_t i = 0; i < tree_.blocks.size(); ++i) {
    const TreeBlock& block = tree_.blocks[i];
    const auto own = sums(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1));
    std::uint64_t key =
        pair_key(tree_.nodes[block.leaf].marks.signature, tree_.nodes[block.node].marks.signature);
    look_group_.push_back(paths.number(key, count()));
    add(look_group_.back(), own);
    std::uint32_t node = block.node;
    for (int level = 0; level < 4; ++level) {
      node = tree_.nodes[node].parent;
      key = pair_key(key, tree_.nodes[node].marks.signature);
    }
    path_group_.push_back(paths.number(key, count()));
    add(path_group_.back(), own);
  }
  KeyNumbers copies(tree_.blocks.size());
  for (std::uint32_t i = 0; i < tree_.blocks.size(); ++i) {
    copy_group_.push_back(copies.number(texts_[i].hash, count()));
    copies_before_.push_back(copy_group_.back() < count() ? groups_[copy_group_.back()].count : 0);
    add(copy_group_.back(), sums(i, i + 1));
  }
  std::uint32_t images = 0;
  for (const TreeNode& node : tree_.nodes) {
    images_before_.push_back(images);
    images += node.tag == TagId::kImg ? 1 : 0;
  }
  images_before_.push_back(images);
}

void BlockFeatures::read_headings() {
  std::uint32_t last = kNoBlock;
  heading_.reserve(tree_.blocks.size());
  for (std::uint32_t i = 0; i < tree_.blocks.size(); ++i) {
    heading_.push_back(last);
    const TagId tag = tree_.nodes[tree_.blocks[i].node].tag;
    if (heading_level(tag) > 0) last = i;
    if (tag == TagId::kH1 && first_h1_ == kNoBlock) first_h1_ = i;
  }
  next_heading_.resize(tree_.blocks.size());
  auto next = static_cast<std::uint32_t>(tree_.blocks.size());
  for (std::uint32_t i = next; i-- > 0;) {
    next_heading_[i] = next;
    if (heading_level(tree_.nodes[tree_.blocks[i].node].tag) > 0) next = i;
  }
}

std::uint32_t BlockFeatures::container(double share) const {
  const double wanted = share * before_.back().paragraph_words;
  std::uint32_t node = 0;
  for (;;) {
    std::uint32_t inner = 0;
    for (std::uint32_t child = node + 1; child < tree_.nodes[node].last && inner == 0;
         child = tree_.nodes[child].last) {
      if (sums(tree_.nodes[child]).paragraph_words >= wanted) inner = child;
    }
    if (inner == 0 || wanted == 0) return node;
    node = inner;
  }
}

void BlockFeatures::read_page(std::string_view url) {
  add_page_sizes();
  add_page_meanings();
  add_page_types();
  add_page_path(url);
}

void BlockFeatures::add_page_sizes() {
  const Sums& all = before_.back();
  std::uint32_t large = 0, headings = 0, images = 0, inputs = 0;
  for (const BlockText& text : texts_) large += text.words >= 30 ? 1 : 0;
  for (const TreeNode& node : tree_.nodes) {
    headings += heading_level(node.tag) > 0 ? 1 : 0;
    images += node.tag == TagId::kImg ? 1 : 0;
    inputs += node.tag == TagId::kInput ? 1 : 0;
  }
  for (const std::uint32_t number :
       {all.words, all.blocks, all.paragraph_words, large, headings, images, inputs})
    page_.push_back(static_cast<float>(number));
  for (const std::uint32_t part :
       {all.link_words, all.paragraph_words, all.function_words, all.currency, all.dates})
    page_.push_back(ratio(part, all.words));
  page_.push_back(ratio(large, all.blocks));
  for (const std::uint32_t node : containers_)
    page_.push_back(ratio(sums(tree_.nodes[node]).words, all.words));
}

// How many elements there are of some kinds, and how many of the words are in them.
void BlockFeatures::add_page_meanings() {
  std::array<std::uint32_t, kMeanings> words{};
  std::array<std::uint32_t, kMeanings> elements{};
  std::array<std::uint32_t, kMeanings> end{};
  for (std::uint32_t n = 0; n < tree_.nodes.size(); ++n) {
    for (std::uint64_t rest = meanings_[n]; rest != 0; rest &= rest - 1) {
      const auto meaning = static_cast<std::size_t>(__builtin_ctzll(rest));
      ++elements[meaning];
      if (n < end[meaning]) continue;  // inside another one
      end[meaning] = tree_.nodes[n].last;
      words[meaning] += sums(tree_.nodes[n]).words;
    }
  }
  for (const Meaning m : {Meaning::kMain, Meaning::kArticle, Meaning::kNav, Meaning::kFooter, Meaning::kList,
                          Meaning::kTable, Meaning::kHidden, Meaning::kNoscript, Meaning::kAside}) {
    page_.push_back(ratio(words[static_cast<std::size_t>(m)], before_.back().words));
  }
  for (const Meaning m : {Meaning::kMain, Meaning::kArticle, Meaning::kTime, Meaning::kPre, Meaning::kQuote,
                          Meaning::kCell, Meaning::kButton}) {
    page_.push_back(static_cast<float>(elements[static_cast<std::size_t>(m)]));
  }
}

// What the page says it is, by OpenGraph and JSON-LD.
void BlockFeatures::add_page_types() {
  float type = 0;
  for (const NodeAttribute& a : tree_.attributes) {
    if (a.name != Attribute::kProperty || !equals_ignoring_case(a.raw, "og:type")) continue;
    const std::string_view content = tree_.attribute(a.node, Attribute::kContent);
    type = equals_ignoring_case(content, "article")   ? 1
           : equals_ignoring_case(content, "website") ? 2
           : starts_ignoring_case(content, "product") ? 3
                                                      : 4;
  }
  page_.push_back(type);
  for (const std::string_view name :
       {"Article\"", "BlogPosting\"", "Product\"", "ItemList\"", "FAQPage\"", "QAPage\"", "ForumPosting\"",
        "CollectionPage\"", "BreadcrumbList\"", "Organization\"", "Recipe\"", "Review\"", "WebPage\""}) {
    const auto found =
        std::count_if(tree_.scripts.begin(), tree_.scripts.end(),
                      [&](std::string_view script) { return script.find(name) != script.npos; });
    page_.push_back(static_cast<float>(found));
  }
}

void BlockFeatures::add_page_path(std::string_view url) {
  const std::size_t host = url.find("://") == url.npos ? 0 : url.find("://") + 3;
  const std::string path = lowered(url.substr(std::min(url.size(), url.find('/', host))));
  for (const char c : {'/', '-'})
    page_.push_back(static_cast<float>(std::count(path.begin(), path.end(), c)));
  page_.push_back(static_cast<float>(path.size()));
  page_.push_back(static_cast<float>(std::count_if(path.begin(), path.end(), is_ascii_digit)));
  constexpr std::string_view kPathWords[][6] = {
      {"product", "/p/", "/dp/", "/item", "/shop", "/pd/"},
      {"thread", "forum", "topic", "/t/", "question", "discussion"},
      {"/doc", "/api", "reference", "guide", "manual", "tutorial"},
      {"categor", "collection", "/tag", "/c/", "search", "list"},
      {"blog", "news", "article", "/20", "post", "story"},
      {"service", "about", "solution", "pricing", "feature", "contact"}};
  for (const auto& words : kPathWords) {
    const bool found = std::any_of(std::begin(words), std::end(words),
                                   [&](std::string_view word) { return path.find(word) != path.npos; });
    page_.push_back(found ? 1 : 0);
  }
}

BlockFeatures::Ancestry BlockFeatures::ancestry(const TreeBlock& block) const {
  Ancestry up;
  up.group_distance.fill(kFar);
  up.group_share.fill(0);
  up.meaning_distance.fill(kFar);
  up.meaning_share.fill(0);
  up.container_distance.fill(kFar);
  const double page_words = before_.back().words;
  ClassGroups groups_seen = 0;
  std::uint64_t meanings_seen = 0;
  std::size_t level = 0;
  std::size_t scale = 0;
  std::uint32_t held = sums(tree_.nodes[block.leaf]).words;
  std::uint32_t child = 0;
  float distance = 0;
  for (std::uint32_t n = block.leaf;; n = tree_.nodes[n].parent, ++distance) {
    const TreeNode& node = tree_.nodes[n];
    const Sums sum = sums(node);
    const float share = ratio(sum.words, page_words);
    for (ClassGroups fresh = node.marks.groups & ~groups_seen; fresh != 0; fresh &= fresh - 1) {
      const auto group = static_cast<std::size_t>(__builtin_ctzll(fresh));
      up.group_distance[group] = distance;
      up.group_share[group] = share;
    }
    groups_seen |= node.marks.groups;
    for (std::uint64_t fresh = meanings_[n] & ~meanings_seen; fresh != 0; fresh &= fresh - 1) {
      const auto meaning = static_cast<std::size_t>(__builtin_ctzll(fresh));
      up.meaning_distance[meaning] = distance;
      up.meaning_share[meaning] = share;
    }
    meanings_seen |= meanings_[n];
    if (sum.words > held || n == block.node) {
      if (sum.words > held && level < Ancestry::kLevels) up.levels[level++] = n;
      held = sum.words;
    }
    while (scale < Ancestry::kScales.size() && sum.words >= Ancestry::kScales[scale] * page_words)
      up.scales[scale++] = n;
    if (groups_[sibling_group_[n]].count >= 3) {
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
  return up;
}

template <typename Out>
void BlockFeatures::write_text(Out& out, std::size_t block) const {
  const BlockText& text = texts_[block];
  const std::string_view bytes = tree_.text_of(tree_.blocks[block]);
  out("words", text.words);
  out("bytes", text.bytes);
  out("link_share", ratio(text.link_words, text.words));
  out("in_page_share", ratio(text.in_page_words, text.words));
  out("copies", groups_[copy_group_[block]].count);
  out("copies_before", copies_before_[block]);
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
  out("ends_sentence", last == '.' || last == '!' || last == '?' ? 1 : 0);
  out("ends_colon", last == ':' ? 1 : 0);
  out("starts_upper", is_ascii_upper(bytes.front()) ? 1 : 0);
  out("starts_digit", is_ascii_digit(bytes.front()) ? 1 : 0);
  out("preformatted", tree_.blocks[block].preformatted ? 1 : 0);
  for (std::size_t i = 0; i < kLexicons; ++i) out("lexicon", ratio(text.lexicon[i], text.words), i);
}

template <typename Out>
void BlockFeatures::write_context(Out& out, std::size_t block, const Ancestry& up) const {
  const TreeBlock& place = tree_.blocks[block];
  const double page_words = before_.back().words;
  out("tag", tag_number(tree_.nodes[place.node].tag));
  out("leaf_tag", tag_number(tree_.nodes[place.leaf].tag));
  out("heading_level", static_cast<float>(heading_level(tree_.nodes[place.node].tag)));
  out("depth", tree_.nodes[place.leaf].depth);
  for (std::size_t i = 0; i < kMeanings; ++i) {
    out("meaning", up.meaning_distance[i], i);
    out("meaning_share", up.meaning_share[i], i);
  }
  for (std::size_t i = 0; i < kGroups; ++i) {
    out("group", up.group_distance[i], i);
    out("group_share", up.group_share[i], i);
  }
  const auto write_node = [&](const char* name, std::uint32_t n, std::size_t i) {
    const Sums sum = sums(tree_.nodes[n]);
    out(name, sum.words, i, "words");
    out(name, ratio(sum.words, page_words), i, "share");
    out(name, ratio(sum.link_words, sum.words), i, "links");
    out(name, ratio(sum.paragraph_words, sum.words), i, "paragraphs");
    out(name, ratio(sum.words, sum.blocks), i, "block_words");
    out(name, ratio(sum.function_words, sum.words), i, "function");
    out(name, sum.blocks, i, "blocks");
    out(name, ratio(sum.short_blocks, sum.blocks), i, "short");
    out(name, static_cast<float>(tree_.nodes[place.leaf].depth - tree_.nodes[n].depth), i, "distance");
    out(name, static_cast<float>(images_before_[tree_.nodes[n].last] - images_before_[n]), i, "images");
    out(name, ratio(sum.currency, sum.blocks), i, "currency");
    out(name, ratio(sum.dates, sum.words), i, "dates");
    out(name, ratio(sum.in_page_words, sum.link_words), i, "in_page");
    out(name, ratio(sum.stops, sum.words), i, "stops");
  };
  for (std::size_t i = 0; i < Ancestry::kLevels; ++i) write_node("level", up.levels[i], i);
  for (std::size_t i = 0; i < Ancestry::kScales.size(); ++i) write_node("scale", up.scales[i], i);
  write_node("branch", up.branch, 0);
  const Sums branch = sums(tree_.nodes[up.branch]);
  out("branch_relative", ratio(branch.words, largest_branch_words_));
  out("branch_side", up.branch < largest_branch_ ? -1 : up.branch > largest_branch_ ? 1 : 0);
  out("branch_tag", tag_number(tree_.nodes[up.branch].tag));
  for (std::size_t i = 0; i < containers_.size(); ++i) {
    const TreeNode& node = tree_.nodes[containers_[i]];
    out("container", up.container_distance[i], i);
    out("container_side", block < node.first_block ? -1 : block >= node.last_block ? 1 : 0, i);
    out("container_off",
        block < node.first_block   ? static_cast<float>(node.first_block - block)
        : block >= node.last_block ? static_cast<float>(block - node.last_block)
                                   : -1,
        i);
  }
}

template <typename Out>
void BlockFeatures::write_groups(Out& out, std::size_t block, const Ancestry& up) const {
  const double page_words = before_.back().words;
  const auto write_group = [&](const char* name, const Group& group) {
    out(name, group.count, 0, "count");
    out(name, group.words, 0, "words");
    out(name, ratio(group.words, page_words), 0, "share");
    out(name, ratio(group.words, group.count), 0, "mean");
    out(name, ratio(group.link_words, group.words), 0, "links");
    out(name, ratio(group.paragraph_words, group.words), 0, "paragraphs");
  };
  write_group("path", groups_[path_group_[block]]);
  write_group("look", groups_[look_group_[block]]);
  const auto write_item = [&](const char* name, std::uint32_t n) {
    const Group none;
    const Sums sum = n == 0 ? Sums{} : sums(tree_.nodes[n]);
    write_group(name, n == 0 ? none : groups_[sibling_group_[n]]);
    out(name, sum.words, 0, "own_words");
    out(name, ratio(sum.link_words, sum.words), 0, "own_links");
    out(name, sum.blocks, 0, "own_blocks");
    out(name, n == 0 ? 0 : static_cast<float>(images_before_[tree_.nodes[n].last] - images_before_[n]), 0,
        "own_images");
    out(name, sum.currency, 0, "own_currency");
    out(name, tag_number(tree_.nodes[n].tag), 0, "tag");
    out(name,
        n == 0 ? kFar
               : static_cast<float>(tree_.nodes[tree_.blocks[block].leaf].depth - tree_.nodes[n].depth),
        0, "distance");
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
    const BlockText none;
    const BlockText& text = there ? texts_[at] : none;
    const auto index = static_cast<std::size_t>(step + 2);
    out("near_words", there ? static_cast<float>(text.words) : -1, index);
    out("near_links", ratio(text.link_words, text.words), index);
    out("near_stops", text.stops, index);
    out("near_tag", there ? tag_number(tree_.nodes[tree_.blocks[at].node].tag) : -1, index);
    out("near_alike", there && path_group_[at] == path_group_[block] ? 1 : 0, index);
    out("near_parent",
        there && tree_.nodes[tree_.blocks[at].node].parent == tree_.nodes[tree_.blocks[block].node].parent
            ? 1
            : 0,
        index);
  }
  std::size_t index = 0;
  for (const std::ptrdiff_t width : {3, 8, 20}) {
    for (const int side : {-1, 1}) {
      const std::ptrdiff_t here = static_cast<std::ptrdiff_t>(block);
      const std::ptrdiff_t from = side < 0 ? std::max<std::ptrdiff_t>(0, here - width) : here + 1;
      const std::ptrdiff_t to = side < 0 ? here : std::min(count, here + 1 + width);
      const Sums sum = sums(static_cast<std::uint32_t>(std::min(from, to)), static_cast<std::uint32_t>(to));
      out("window", sum.words, index, "words");
      out("window", ratio(sum.link_words, sum.words), index, "links");
      out("window", ratio(sum.paragraph_words, sum.words), index, "paragraphs");
      ++index;
    }
  }
}

template <typename Out>
void BlockFeatures::write_position(Out& out, std::size_t block) const {
  const Sums& all = before_.back();
  const Sums& here = before_[block];
  out("place", static_cast<float>(block));
  out("place_share", ratio(static_cast<double>(block), all.blocks));
  out("words_before", ratio(here.words, all.words));
  out("paragraphs_before", ratio(here.paragraph_words, all.paragraph_words));
  out("blocks_after", static_cast<float>(all.blocks - block));
  out("after_h1", first_h1_ == kNoBlock ? -9999 : static_cast<float>(block) - static_cast<float>(first_h1_));
  out("words_after_h1", first_h1_ == kNoBlock || block < first_h1_
                            ? -1
                            : static_cast<float>(here.words - before_[first_h1_].words));
  const std::uint32_t heading = heading_[block];
  const bool any = heading != kNoBlock;
  out("since_heading", any ? static_cast<float>(block - heading) : -1);
  out("words_since_heading", any ? static_cast<float>(here.words - before_[heading].words) : -1);
  out("last_heading",
      any ? static_cast<float>(heading_level(tree_.nodes[tree_.blocks[heading].node].tag)) : 0);
  const BlockText none;
  const BlockText& text = any ? texts_[heading] : none;
  out("heading_words", text.words);
  for (const Lexicon topic : {Lexicon::kComment, Lexicon::kRelated, Lexicon::kMore, Lexicon::kReview,
                              Lexicon::kShop, Lexicon::kSubscribe, Lexicon::kSite, Lexicon::kShare})
    out("heading_lexicon", text.lexicon[static_cast<std::size_t>(topic)], static_cast<std::size_t>(topic));
  out("heading_title", ratio(text.title, text.words));
}

template <typename Out>
void BlockFeatures::write_section(Out& out, std::size_t block) const {
  const std::uint32_t first = heading_[block] == kNoBlock ? 0 : heading_[block];
  const std::uint32_t last = next_heading_[block];
  const Sums sum = sums(first, last);
  out("section", sum.words, 0, "words");
  out("section", ratio(sum.words, before_.back().words), 0, "share");
  out("section", ratio(sum.link_words, sum.words), 0, "links");
  out("section", ratio(sum.paragraph_words, sum.words), 0, "paragraphs");
  out("section", sum.blocks, 0, "blocks");
  out("section", ratio(sum.short_blocks, sum.blocks), 0, "short");
  out("section", ratio(sum.currency, sum.blocks), 0, "currency");
  out("section", static_cast<float>(last - block), 0, "to_end");
}

template <typename Out>
void BlockFeatures::write_page(Out& out) const {
  for (std::size_t i = 0; i < page_.size(); ++i) out("page", page_[i], i);
}

template <typename Out>
void BlockFeatures::write(Out& out, std::size_t block) const {
  const Ancestry up = ancestry(tree_.blocks[block]);
  write_text(out, block);
  write_context(out, block, up);
  write_groups(out, block, up);
  write_neighbours(out, block);
  write_position(out, block);
  write_section(out, block);
  write_page(out);
}

namespace {

struct RowOut {
  std::vector<float>& row;
  void operator()(const char*, double value, std::size_t = 0, const char* = "") const {
    row.push_back(static_cast<float>(value));
  }
};

struct NameOut {
  std::vector<std::string>& names;
  void operator()(const char* name, double, std::size_t index = 0, const char* part = "") const {
    names.push_back(std::string(name) + "." + std::to_string(index) + "." + part);
  }
};

}  // namespace

bool BlockFeatures::is_title(std::size_t block) const {
  const BlockText& text = texts_[block];
  return 2 * text.title >= text.words && enclosing(tree_, tree_.blocks[block].node, TagId::kH1) != 0;
}

bool BlockFeatures::is_caption(std::size_t block) const {
  return enclosing(tree_, tree_.blocks[block].node, TagId::kFigcaption) != 0;
}

void BlockFeatures::fill(std::size_t block, std::vector<float>& row) const {
  row.clear();
  RowOut out{row};
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
  BlockFeatures(tree, "").write(out, 0);
  return names;
}

}  // namespace bowerbird
