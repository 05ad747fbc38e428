#include "parse/text/block_text.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <limits>

#include "base/ascii.h"
#include "base/byte_block.h"
#include "base/rng.h"
#include "base/utf8.h"

namespace bowerbird {

namespace {

struct LexiconWords {
  Lexicon topic;
  std::string_view words;
};

constexpr LexiconWords kLexiconWords[] = {
    {Lexicon::kFunction,
     "the of and a to in is that it for was on with as be at by this are from or have an not you we i but "
     "they "
     "his her which their has had been were will would can if when there what so he she them der die das und "
     "ist "
     "zu den mit von für auf nicht ein eine im dem le la les de des et un une est que pour dans sur qui el "
     "los las "
     "y en por con para del una o che di il e per non da em não os"},
    {Lexicon::kConsent, "cookie cookies consent privacy gdpr preferences accept reject tracking"},
    {Lexicon::kLegal, "copyright rights reserved terms conditions disclaimer trademark trademarks policy"},
    {Lexicon::kAccount, "login log sign signin register account password username forgot logout"},
    {Lexicon::kSubscribe, "subscribe newsletter signup email inbox unsubscribe subscribers subscription"},
    {Lexicon::kShare, "share tweet follow like copy print save bookmark pin"},
    {Lexicon::kShop,
     "cart price shipping checkout buy wishlist stock delivery returns sale quantity add off"},
    {Lexicon::kComment, "comment comments reply replies respond discussion"},
    {Lexicon::kMore, "more read view show see all learn continue load expand click here discover explore"},
    {Lexicon::kRelated, "related popular trending latest recent recommended similar also featured"},
    {Lexicon::kSite, "home about contact help faq sitemap menu search navigation careers support blog skip"},
    {Lexicon::kDate,
     "january february march april may june july august september october november december jan feb mar apr "
     "jun "
     "jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday ago min mins "
     "minutes "
     "hours days weeks months years am pm yesterday today"},
    {Lexicon::kByline,
     "by author posted published updated written editor reviewed credit photo image source"},
    {Lexicon::kPager, "next previous prev back page first last top newer older"},
    {Lexicon::kForum,
     "views votes posts joined member members messages likes location quote edited upvote topic "
     "thread user reputation solved answered active"},
    {Lexicon::kFilter,
     "filter filters sort results showing clear apply reset items per brand category categories"},
    {Lexicon::kReview, "review reviews rating ratings star stars verified rated"},
};
static_assert(std::size(kLexiconWords) == kLexicons);

// Of the bytes [begin, end) of a word, letters of ASCII in lower case; nothing is read from `limit` on.
std::uint64_t hash_word(const char* begin, const char* end, const char* limit) {
  std::uint64_t hash = static_cast<std::uint64_t>(end - begin);
  for (const char* at = begin; at < end; at += 8) {
    std::uint64_t eight = 0;
    const std::size_t size = std::min<std::size_t>(8, static_cast<std::size_t>(end - at));
    if (limit - at >= 8 && std::endian::native == std::endian::little) {
      std::memcpy(&eight, at, 8);
      eight &= ~std::uint64_t{0} >> (8 * (8 - size));
    } else {
      std::memcpy(&eight, at, size);
    }
    // A word has no ASCII but letters, digits and '_': 0x20 makes letters small and keeps all different.
    eight |= ~eight >> 2 & 0x2020202020202020u;
    hash = mix64(hash ^ eight);
  }
  return hash;
}

// Topics by the hash of a word.
class LexiconTable {
 public:
  LexiconTable() {
    for (const LexiconWords& row : kLexiconWords) {
      WordReader words(row.words);
      for (TextWord word; words.next(word);)
        slot(word.hash) = {word.hash, slot(word.hash).topics | 1u << static_cast<unsigned>(row.topic)};
    }
  }
  std::uint32_t find(std::uint64_t hash) const {
    std::size_t at = place(hash);
    while (slots_[at].hash != hash && slots_[at].hash != 0) at = (at + 1) % kSlots;
    return slots_[at].topics;
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t topics = 0;
  };
  static constexpr std::size_t kSlots = 1024;
  static std::size_t place(std::uint64_t hash) { return hash % kSlots; }
  Slot& slot(std::uint64_t hash) {
    std::size_t at = place(hash);
    while (slots_[at].hash != hash && slots_[at].hash != 0) at = (at + 1) % kSlots;
    return slots_[at];
  }
  std::array<Slot, kSlots> slots_{};
};

// Letters and digits outside ASCII, roughly the ranges of the Unicode categories L and N.
bool is_word_point(char32_t c) {
  if (c < 0x2000) return c >= 0xC0 ? c != 0xD7 && c != 0xF7 : c == 0xAA || c == 0xB5 || c == 0xBA;
  if (c < 0x3005)
    return (c >= 0x2070 && c <= 0x209C) || (c >= 0x2100 && c <= 0x218B) || (c >= 0x2C00 && c < 0x2E00);
  if (c < 0xFE70) return c <= 0x3007 || (c >= 0x3021 && c < 0xD800) || c >= 0xF900;
  if (c < 0x10000) {
    return c <= 0xFEFC || (c >= 0xFF10 && c <= 0xFF19) || (c >= 0xFF21 && c <= 0xFF3A) ||
           (c >= 0xFF41 && c <= 0xFF5A) || (c >= 0xFF66 && c <= 0xFFDC);
  }
  return c < 0x1F000 || c >= 0x20000;
}

enum ByteKind : std::uint8_t { kOtherByte, kWordByte, kHighByte };

constexpr std::array<ByteKind, 256> kByteKinds = [] {
  std::array<ByteKind, 256> kinds{};
  for (unsigned c = 0; c < 256; ++c) {
    const char byte = static_cast<char>(c);
    kinds[c] = c >= 0x80 ? kHighByte : is_ascii_alnum(byte) || byte == '_' ? kWordByte : kOtherByte;
  }
  return kinds;
}();

ByteKind kind_of(char c) {
  return kByteKinds[static_cast<unsigned char>(c)];
}

// Whether a '.', '!' or '?' at `at` ends a sentence: a blank, a quote or the end follows.
bool ends_sentence(std::string_view text, std::size_t at) {
  if (at + 1 == text.size()) return true;
  const char next = text[at + 1];
  return is_ascii_space(next) || next == '"' || next == '\'' || next == ')' || kind_of(next) == kHighByte;
}

void count_mark(std::string_view text, std::size_t at, BlockText& out) {
  switch (text[at]) {
    case '.':
    case '!':
    case '?':
      if (ends_sentence(text, at)) ++out.stops;
      return;
    case ',':
      ++out.commas;
      return;
    case '$':
      ++out.currency;
      return;
    case '|':
    case '>':
      ++out.marks;
      return;
    default:
      return;
  }
}

void count_point(char32_t c, BlockText& out) {
  if (c == 0x3002 || c == 0xFF01 || c == 0xFF1F) ++out.stops;
  if (c == 0x3001 || c == 0xFF0C) ++out.commas;
  if (c == 0xA3 || c == 0xA5 || c == 0x20AC || c == 0x20B9) ++out.currency;
  if (c == 0xA9 || c == 0xAB || c == 0xBB || c == 0xB7 || c == 0x2022 || (c >= 0x2190 && c <= 0x27BF))
    ++out.marks;
}

void count_marks(std::string_view text, BlockText& out) {
  const char* const end = text.data() + text.size();
  for (std::size_t begin = 0; begin < text.size(); begin += ByteBlock::kSize) {
    const ByteBlock block(text.data() + begin, end);
    out.digits += count_of(block.between('0', '9'));
    out.upper += count_of(block.between('A', 'Z'));
    const unsigned high = block.high();
    unsigned marks = block.equal('.') | block.equal(',') | block.between('>', '?') | block.equal('!') |
                     block.equal('$') | block.equal('|');
    for (; marks != 0; marks &= marks - 1)
      count_mark(text, begin + static_cast<unsigned>(__builtin_ctz(marks)), out);
    if (high == 0) continue;
    out.high += count_of(high);
    for (unsigned first = high & ~block.continuing(); first != 0; first &= first - 1)
      count_point(decode_utf8(text.substr(begin + static_cast<unsigned>(__builtin_ctz(first)))).code_point,
                  out);
  }
}

// The bytes of words of ASCII.
unsigned word_bits(const ByteBlock& block) {
  return block.letters_and_digits() | block.equal('_');
}

}  // namespace

bool WordReader::next(TextWord& word) {
  const char* const text = text_.data();
  const char* const end = text + text_.size();
  const ByteRun run = find_run(text + at_, end, word_bits);
  if (run.begin == end) return false;
  const auto begin = static_cast<std::size_t>(run.begin - text);
  if (run.end < end && kind_of(*run.end) == kHighByte) return next_beyond_ascii(begin, word);
  at_ = static_cast<std::size_t>(run.end - text);
  word = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_),
          hash_word(run.begin, run.end, end)};
  return true;
}

// The same from `at` on, character by character.
bool WordReader::next_beyond_ascii(std::size_t at, TextWord& word) {
  std::size_t begin = at;
  while (at < text_.size()) {
    const char c = text_[at];
    const ByteKind kind = kind_of(c);
    std::size_t size = 1;
    bool letter = kind == kWordByte;
    if (kind == kHighByte) {
      const Utf8Step step = decode_utf8(text_.substr(at));
      size = step.size;
      letter = is_word_point(step.code_point);
    }
    if (!letter && at > begin) break;
    at += size;
    if (!letter) begin = at;
  }
  at_ = at;
  word = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at),
          hash_word(text_.data() + begin, text_.data() + at, text_.data() + text_.size())};
  return at > begin;
}

void WordSet::assign(std::string_view text) {
  slots_.fill(0);
  count_ = 0;
  WordReader words(text);
  for (TextWord word; count_ < kSlots / 2 && words.next(word);) {
    std::size_t at = word.hash % kSlots;
    while (slots_[at] != 0 && slots_[at] != word.hash) at = (at + 1) % kSlots;
    if (slots_[at] == 0) ++count_;
    slots_[at] = word.hash;
  }
}

bool WordSet::contains(std::uint64_t hash) const {
  std::size_t at = hash % kSlots;
  while (slots_[at] != 0 && slots_[at] != hash) at = (at + 1) % kSlots;
  return slots_[at] == hash;
}

BlockText read_block_text(std::string_view text, std::size_t at, std::span<const LinkSpan> links,
                          std::size_t& first_link, const HeadWords& head) {
  static const LexiconTable lexicons;
  BlockText out;
  out.bytes = static_cast<std::uint32_t>(text.size());
  count_marks(text, out);
  WordReader words(text);
  for (TextWord word; words.next(word);) {
    ++out.words;
    if (is_ascii_upper(text[word.begin])) ++out.capitals;
    const std::size_t place = at + word.begin;
    out.hash = mix64(out.hash ^ word.hash);
    while (first_link < links.size() && links[first_link].text.at + links[first_link].text.size <= place)
      ++first_link;
    if (first_link < links.size() && links[first_link].text.at <= place) {
      ++out.link_words;
      out.in_page_words += links[first_link].in_page ? 1 : 0;
    }
    if (!head.title.empty() && head.title.contains(word.hash)) ++out.title;
    if (!head.summary.empty() && head.summary.contains(word.hash)) ++out.summary;
    for (std::uint32_t topics = lexicons.find(word.hash); topics != 0; topics &= topics - 1) {
      std::uint16_t& count = out.lexicon[static_cast<std::size_t>(__builtin_ctz(topics))];
      if (count < std::numeric_limits<std::uint16_t>::max()) ++count;
    }
  }
  return out;
}

}  // namespace bowerbird
