// The text of a page: its main content or all of it, plain or as Markdown, and the facts that it states.
//
// read() takes a page in UTF-8; the other functions give what is asked for, until the next read(). Blocks of
// text are scored by a model (main_model.h) and those are chosen, best first, that give the highest expected
// F1 score. Time and memory are linear in the page. The page must outlive the use; buffers are kept from page
// to page. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parse/html_tokenizer.h"
#include "parse/text/html_tree.h"
#include "parse/text/page_facts.h"
#include "parse/text/tree_builder.h"
#include "url/url.h"

namespace bowerbird {

class TextExtractor {
 public:
  // `html` is UTF-8; invalid bytes are replaced. `url` is the page's own, or empty. `repeated`: pairs of
  // blocks that repeat across the site (repeated_blocks.h), ascending; they are not main content.
  void read(std::string_view html, const Url& url, std::span<const std::uint64_t> repeated = {});
  // HTML that is content from its first word to its last, such as an entry of a feed.
  void read_content(std::string_view html, const Url& url);
  // Whether comments of readers are main content; they are not, if nothing is said.
  void keep_comments(bool keep) { comments_ = keep; }
  // As read(), with a score for each block from elsewhere: tools/train_main_text judges models by it.
  void read_scored(std::string_view html, const Url& url, std::span<const float> scores);
  // Only the tree, for block_pairs().
  const HtmlTree& read_tree(std::string_view html);

  // Whether main content was found; where not, main_text() and markdown() have all text.
  bool main_found() const { return found_; }
  // Without markup, link targets, page title and captions.
  std::string main_text() const;
  // The same content with headings, lists, links, images and their captions, under the page's title.
  std::string markdown() const;
  // All text of the page, in its order.
  std::string all_text() const;
  // With the language that the main text is written in, where that can be told.
  DocumentFacts facts() const { return facts(main_text()); }
  // The same, where the main text is known already.
  DocumentFacts facts(const std::string& main_text) const;

  const HtmlTree& tree() const { return tree_; }

 private:
  void find_base();
  // given: scores of the blocks, or empty to ask the model.
  void choose(std::span<const std::uint64_t> repeated, std::span<const float> given = {});

  HtmlTokenizer<TreeBuilder> tokenizer_;
  HtmlTree tree_;
  Url url_;
  Url base_;
  std::vector<bool> chosen_;   // blocks of the main text
  std::vector<bool> title_;    // blocks that repeat the page's title
  std::vector<bool> caption_;  // blocks that are captions
  bool comments_ = false;
  bool found_ = false;
};

// Of blocks with these sizes and expected shares of the main text, those to choose for the highest expected
// F1: a prefix of the blocks in the order of their scores.
std::vector<bool> choose_blocks(const std::vector<float>& scores, const std::vector<std::uint32_t>& words);

}  // namespace bowerbird
