#include "parse/text/navigation_links.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/ascii.h"

namespace bowerbird {

namespace {

// More words are a list of contents rather than a way to the next page.
constexpr std::uint32_t kMostWords = 60;

constexpr std::array<std::string_view, 11> kNavigationRels = {
    "next", "prev", "previous", "up", "start", "first", "last", "top", "contents", "toc", "index"};

bool is_navigation_rel(std::string_view rel) {
  while (!rel.empty()) {
    const std::size_t size = std::min(rel.find_first_of(" \t\r\n\f"), rel.size());
    const std::string_view word = rel.substr(0, size);
    if (std::any_of(kNavigationRels.begin(), kNavigationRels.end(),
                    [&](std::string_view name) { return equals_ignoring_case(word, name); }))
      return true;
    rel.remove_prefix(std::min(size + 1, rel.size()));
  }
  return false;
}

// Counts over the blocks before each, so that those of a range come from two of them.
struct LinkCounts {
  std::uint32_t words = 0;
  std::uint32_t link_words = 0;
  std::uint32_t links = 0;
  std::uint32_t leading = 0;  // links that lead through a series
};

class NavigationFinder {
 public:
  NavigationFinder(const HtmlTree& tree, std::span<const BlockText> texts) : tree_(tree), texts_(texts) {}

  std::vector<bool> run() {
    std::vector<bool> found(tree_.blocks.size(), false);
    read_addresses();
    if ((addresses_.empty() && in_page_.empty()) || tree_.blocks.empty()) return found;
    count();
    for (std::uint32_t n = 1; n < tree_.nodes.size();) {
      const TreeNode& node = tree_.nodes[n];
      const bool navigation = is_navigation(node) && !has_tighter_part(n);
      if (navigation) std::fill(found.begin() + node.first_block, found.begin() + node.last_block, true);
      // An entry of a list of contents may be the next page: lists are looked at as a whole.
      n = navigation || is_list(node.tag) ? node.last : n + 1;
    }
    return found;
  }

 private:
  // Without the fragment: it names a place on the page that is led to.
  static std::string_view address(std::string_view href) {
    return trimmed(href.substr(0, std::min(href.find('#'), href.size())), kAsciiSpaces);
  }

  void read_addresses() {
    for (const NodeAttribute& a : tree_.attributes) {
      if (a.name != Attribute::kRel || !is_navigation_rel(a.raw)) continue;
      const std::string_view href = tree_.attribute(a.node, Attribute::kHref);
      const std::string_view to = address(href);
      if (!to.empty()) addresses_.push_back(to);
      // A manual on one page: its list of contents leads to the same places, so the links alone count.
      if (to.empty() && !href.empty() && tree_.nodes[a.node].tag == TagId::kA) in_page_.push_back(a.node);
    }
    std::sort(addresses_.begin(), addresses_.end());
  }

  void count() {
    before_.resize(texts_.size() + 1);
    std::size_t block = 0;
    for (const NodeAttribute& a : tree_.attributes) {
      if (a.name != Attribute::kHref || tree_.nodes[a.node].tag != TagId::kA) continue;
      const TreeNode& link = tree_.nodes[a.node];
      if (link.text_begin == link.text_end) continue;
      while (block < texts_.size() &&
             tree_.blocks[block].text.at + tree_.blocks[block].text.size <= link.text_begin)
        ++block;
      if (block == texts_.size()) break;
      LinkCounts& counts = before_[block + 1];
      ++counts.links;
      if (!std::binary_search(addresses_.begin(), addresses_.end(), address(a.raw)) &&
          !std::binary_search(in_page_.begin(), in_page_.end(), a.node))
        continue;
      ++counts.leading;
      leading_.push_back(a.node);
    }
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      before_[i + 1].words = before_[i].words + texts_[i].words;
      before_[i + 1].link_words = before_[i].link_words + texts_[i].link_words;
      before_[i + 1].links += before_[i].links;
      before_[i + 1].leading += before_[i].leading;
    }
  }

  static bool is_list(TagId tag) {
    return tag == TagId::kUl || tag == TagId::kOl || tag == TagId::kDl || tag == TagId::kMenu;
  }
  static bool is_whole(TagId tag) {
    return is_list(tag) || tag == TagId::kTable || tag == TagId::kP || tag == TagId::kDiv ||
           tag == TagId::kNav || tag == TagId::kHeader || tag == TagId::kFooter || tag == TagId::kCenter;
  }

  bool is_navigation(const TreeNode& node) const {
    if (!is_whole(node.tag)) return false;
    const LinkCounts in = counts_of(node);
    if (in.leading == 0 || 2 * in.leading < in.links || in.words > kMostWords) return false;
    // Tables also name the chapter, between the links.
    if (node.tag == TagId::kTable && in.leading >= 2) return true;
    return 2 * in.link_words >= in.words;
  }

  // Whether an element inside holds all links that lead through the series, and others are outside of it: a
  // small page that consists of links is no row of them.
  bool has_tighter_part(std::uint32_t n) const {
    const LinkCounts in = counts_of(tree_.nodes[n]);
    const auto first = std::upper_bound(leading_.begin(), leading_.end(), n);
    if (is_list(tree_.nodes[n].tag) || first == leading_.end() || *first >= tree_.nodes[n].last) return false;
    for (std::uint32_t inner = tree_.nodes[*first].parent; inner > n; inner = tree_.nodes[inner].parent) {
      const LinkCounts part = counts_of(tree_.nodes[inner]);
      if (is_whole(tree_.nodes[inner].tag) && part.leading == in.leading && part.links < in.links)
        return true;
    }
    return false;
  }

  LinkCounts counts_of(const TreeNode& node) const {
    const LinkCounts& begin = before_[node.first_block];
    const LinkCounts& end = before_[node.last_block];
    return {end.words - begin.words, end.link_words - begin.link_words, end.links - begin.links,
            end.leading - begin.leading};
  }

  const HtmlTree& tree_;
  std::span<const BlockText> texts_;
  std::vector<std::string_view> addresses_;  // of links that lead through a series; ascending
  std::vector<std::uint32_t> in_page_;       // <a> that lead through a series on one page; ascending
  std::vector<std::uint32_t> leading_;       // the <a> of such links; ascending
  std::vector<LinkCounts> before_;
};

}  // namespace

std::vector<bool> find_navigation_links(const HtmlTree& tree, std::span<const BlockText> texts) {
  return NavigationFinder(tree, texts).run();
}

}  // namespace bowerbird
