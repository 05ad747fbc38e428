// Builds an HtmlTree from tags and text: the sink of HtmlTokenizer for text extraction.
//
// Time is linear in the page: whether an element is "in scope" is answered by chains through the stack of
// open elements, not by walking it. Invariant: between begin() and finish() the tree belongs to the builder.
// Threads: one user at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/html_tag.h"
#include "parse/html_text.h"
#include "parse/text/class_marks.h"
#include "parse/text/element_traits.h"
#include "parse/text/html_tree.h"

namespace bowerbird {

class TreeBuilder {
 public:
  void begin(HtmlTree& tree);
  void finish();

  // What HtmlTokenizer asks of its sink.
  bool wants_text() const { return true; }
  bool wants_end_tags() const { return true; }
  bool reads_attributes(const TagInfo&) const { return true; }
  bool hears(const TagInfo&) const { return true; }
  void start_tag(const HtmlTag& tag, bool foreign);
  void end_tag(const HtmlTag& tag);
  void math_tag(const HtmlTag&) {}
  void text(std::string_view raw, bool references);
  bool wants_raw_text(const TagInfo& tag) const;
  void raw_text(const TagInfo& tag, std::string_view raw, bool references);
  void end_raw_text(const TagInfo& tag);

 private:
  // Kinds of open elements that are looked for; the innermost of each is known.
  enum Chain : std::uint8_t {
    kInScope,
    kInTableScope,
    kInSpecial,  // the standard's category
    kInItem,     // the same without kPlain
    kInHeading,
    kInList,
    kInEdge,
    kChains,
  };
  static constexpr std::uint16_t kNone = 0xFFFF;

  struct Open {
    std::uint32_t node = 0;
    TagId tag = TagId::kUnknown;
    bool apart = false;                // its text is a block of its own
    bool closed = false;               // its end tag was seen, but elements inside are open
    std::uint32_t name = 0;            // of an unknown element: hash of its name
    std::uint16_t outer_same = kNone;  // the next element of this tag further out
    std::array<std::uint16_t, kChains> outer{};
  };

  const Open& top() const { return stack_[depth_ - 1]; }
  std::uint16_t innermost(TagId tag) const { return innermost_[index_of(tag)]; }
  // Whether `at` is an open element inside the innermost one of the chain, or that one itself.
  bool within(std::uint16_t at, Chain chain) const {
    return at != kNone && (chains_[chain] == kNone || at >= chains_[chain]);
  }

  bool preformatted() const { return innermost(TagId::kPre) != kNone || innermost(TagId::kListing) != kNone; }

  void root_tag(const HtmlTag& tag);
  void start_foreign(const HtmlTag& tag);
  bool close_before(const HtmlTag& start);
  bool close_before_table_part(TagId tag);
  void close_p();
  void push(const HtmlTag& tag);
  void push_implied(TagId tag);
  void add_node(TreeNode node);
  void read_marks(const HtmlTag& tag, TreeNode& node);
  void keep_attributes(const HtmlTag& tag);
  void pop();
  void pop_to(std::uint16_t at);
  void end_formatting(std::uint16_t at);
  void end_unknown(std::uint32_t name);
  void line_break();
  void edge(TagId tag);
  void break_apart();
  void extend_block(std::size_t before);
  void end_block();
  void end_link(const TreeNode& node, std::uint32_t end);
  bool is_permalink(std::size_t begin) const;
  void drop_text(std::size_t begin, std::uint32_t owner);

  HtmlTree* tree_ = nullptr;
  TextCollector text_;
  TextCollector title_;
  bool title_done_ = false;
  ClassMarker marker_;
  std::vector<Open> stack_ = std::vector<Open>(kMaxDepth);
  std::size_t depth_ = 0;
  std::uint32_t beyond_ = 0;  // open elements that have no node
  std::array<std::uint16_t, index_of(TagId::kCount)> innermost_{};
  std::array<std::uint16_t, kChains> chains_{};
  bool block_open_ = false;
  bool full_ = false;          // the last block that is allowed should have ended
  bool at_pre_start_ = false;  // a line end right after <pre> is ignored
  unsigned breaks_ = 0;        // <br> since the last word
  bool in_annotation_ = false;
  bool in_json_ = false;  // in a JSON-LD script
};

}  // namespace bowerbird
