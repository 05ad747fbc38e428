// What the words of a block tell about it: how many there are, how much is linked, whether they form
// sentences, and whether they are words that menus, banners and footers use.
//
// A word is a run of letters, digits and underscores, as the benchmarks of text extraction count them. Pure;
// threads: none needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "parse/text/html_tree.h"

namespace bowerbird {

// Topics of common words.
enum class Lexicon : std::uint8_t {
  kFunction,   // the, of, and: running text has many
  kConsent,    // cookies, privacy
  kLegal,      // copyright, rights reserved
  kAccount,    // log in, register
  kSubscribe,  // newsletter, sign up
  kShare,      // share, follow
  kShop,       // cart, price, shipping
  kComment,    // comments, reply
  kMore,       // read more, view all
  kRelated,    // related, popular, latest
  kSite,       // home, about, contact, help
  kDate,       // months, days, ago
  kByline,     // by, posted, updated
  kPager,      // next, previous, page
  kForum,      // views, votes, posts, joined
  kFilter,     // filter, sort, results
  kReview,     // reviews, rating
  kCount,
};

inline constexpr std::size_t kLexicons = static_cast<std::size_t>(Lexicon::kCount);

struct BlockText {
  std::uint32_t words = 0;
  std::uint32_t link_words = 0;
  std::uint32_t in_page_words = 0;  // of links within the page
  std::uint64_t hash = 0;           // of its words
  std::uint32_t bytes = 0;
  std::uint32_t digits = 0;
  std::uint32_t upper = 0;     // upper-case letters of ASCII
  std::uint32_t capitals = 0;  // words that begin with one
  std::uint32_t high = 0;      // bytes outside ASCII
  std::uint32_t stops = 0;     // ends of sentences
  std::uint32_t commas = 0;
  std::uint32_t currency = 0;                      // dollar, euro, pound, yen
  std::uint32_t marks = 0;                         // vertical bars, bullets, arrows, copyright signs
  std::uint32_t title = 0;                         // words of the page's title
  std::uint32_t summary = 0;                       // words of the page's description
  std::array<std::uint16_t, kLexicons> lexicon{};  // words of each topic
};

// One word of a text, with a hash of it in lower case (ASCII).
struct TextWord {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint64_t hash = 0;
};

class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}
  // Moves to the next word; false at the end.
  bool next(TextWord& word);

 private:
  bool next_beyond_ascii(std::size_t at, TextWord& word);

  std::string_view text_;
  std::size_t at_ = 0;
};

// A few words, to be looked up.
class WordSet {
 public:
  void assign(std::string_view text);
  bool empty() const { return count_ == 0; }
  bool contains(std::uint64_t hash) const;

 private:
  static constexpr std::size_t kSlots = 512;
  std::array<std::uint64_t, kSlots> slots_{};
  std::size_t count_ = 0;
};

// What the words of a page's head are compared with.
struct HeadWords {
  WordSet title;
  WordSet summary;
};

// The text of a block at `at` of a page whose `links` are ascending spans of the same text; those before the
// block are skipped, and `first_link` is moved on.
BlockText read_block_text(std::string_view text, std::size_t at, std::span<const LinkSpan> links,
                          std::size_t& first_link, const HeadWords& head);

}  // namespace bowerbird
