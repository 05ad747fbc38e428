#include "parse/text/page_features.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"

namespace bowerbird {

namespace {

void add_sizes(const PageContext& page, std::vector<float>& out) {
  const Sums& all = page.sums.all();
  std::uint32_t large = 0, headings = 0, images = 0, inputs = 0;
  for (const BlockText& text : page.texts) large += text.words >= 30 ? 1 : 0;
  for (const TreeNode& node : page.tree.nodes) {
    headings += heading_level(node.tag) > 0 ? 1 : 0;
    images += node.tag == TagId::kImg ? 1 : 0;
    inputs += node.tag == TagId::kInput ? 1 : 0;
  }
  for (const std::uint32_t number :
       {all.words, all.blocks, all.paragraph_words, large, headings, images, inputs})
    out.push_back(static_cast<float>(number));
  for (const std::uint32_t part :
       {all.link_words, all.paragraph_words, all.function_words, all.currency, all.dates})
    out.push_back(ratio(part, all.words));
  out.push_back(ratio(large, all.blocks));
  for (const std::uint32_t node : page.containers)
    out.push_back(ratio(page.sums.words(page.tree.nodes[node]), all.words));
}

// How many elements there are of some kinds, and how many of the words are in them.
void add_meanings(const PageContext& page, std::vector<float>& out) {
  std::array<std::uint32_t, kMeanings> words{};
  std::array<std::uint32_t, kMeanings> elements{};
  std::array<std::uint32_t, kMeanings> end{};
  for (std::uint32_t n = 0; n < page.tree.nodes.size(); ++n) {
    for (Meanings rest = page.meanings[n]; rest != 0; rest &= rest - 1) {
      const auto meaning = static_cast<std::size_t>(__builtin_ctzll(rest));
      ++elements[meaning];
      if (n < end[meaning]) continue;  // inside another one
      end[meaning] = page.tree.nodes[n].last;
      words[meaning] += page.sums.words(page.tree.nodes[n]);
    }
  }
  for (const Meaning m : {Meaning::kMain, Meaning::kArticle, Meaning::kNav, Meaning::kFooter, Meaning::kList,
                          Meaning::kTable, Meaning::kHidden, Meaning::kNoscript, Meaning::kAside}) {
    out.push_back(ratio(words[static_cast<std::size_t>(m)], page.sums.all().words));
  }
  for (const Meaning m : {Meaning::kMain, Meaning::kArticle, Meaning::kTime, Meaning::kPre, Meaning::kQuote,
                          Meaning::kCell, Meaning::kButton}) {
    out.push_back(static_cast<float>(elements[static_cast<std::size_t>(m)]));
  }
}

// What the page says it is, by OpenGraph and JSON-LD.
void add_types(const PageContext& page, std::vector<float>& out) {
  float type = 0;
  for (const NodeAttribute& a : page.tree.attributes) {
    if (a.name != Attribute::kProperty || !equals_ignoring_case(a.raw, "og:type")) continue;
    const std::string_view content = page.tree.attribute(a.node, Attribute::kContent);
    type = equals_ignoring_case(content, "article")   ? 1
           : equals_ignoring_case(content, "website") ? 2
           : starts_ignoring_case(content, "product") ? 3
                                                      : 4;
  }
  out.push_back(type);
  for (const std::string_view name :
       {"Article\"", "BlogPosting\"", "Product\"", "ItemList\"", "FAQPage\"", "QAPage\"", "ForumPosting\"",
        "CollectionPage\"", "BreadcrumbList\"", "Organization\"", "Recipe\"", "Review\"", "WebPage\""}) {
    const auto found =
        std::count_if(page.tree.scripts.begin(), page.tree.scripts.end(),
                      [&](std::string_view script) { return script.find(name) != script.npos; });
    out.push_back(static_cast<float>(found));
  }
}

void add_path(std::string_view url, std::vector<float>& out) {
  const std::size_t host = url.find("://") == url.npos ? 0 : url.find("://") + 3;
  const std::string path = lowered(url.substr(std::min(url.size(), url.find('/', host))));
  for (const char c : {'/', '-'}) out.push_back(static_cast<float>(std::count(path.begin(), path.end(), c)));
  out.push_back(static_cast<float>(path.size()));
  out.push_back(static_cast<float>(std::count_if(path.begin(), path.end(), is_ascii_digit)));
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
    out.push_back(found ? 1 : 0);
  }
}

}  // namespace

std::vector<float> page_features(const PageContext& page, std::string_view url) {
  std::vector<float> out;
  add_sizes(page, out);
  add_meanings(page, out);
  add_types(page, out);
  add_path(url, out);
  return out;
}

}  // namespace bowerbird
