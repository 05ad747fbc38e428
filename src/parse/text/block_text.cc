#include "parse/text/block_text.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/ascii.h"
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

constexpr std::uint64_t kHashStart = 0xcbf29ce484222325u;

constexpr std::uint64_t hash_byte(std::uint64_t hash, char c) {
  return (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
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
  static constexpr std::size_t kSlots = 2048;
  static std::size_t place(std::uint64_t hash) { return (hash * 0x9E3779B97F4A7C15u) >> 53; }
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
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const ByteKind kind = kind_of(c);
    if (kind == kWordByte) {
      if (is_ascii_digit(c)) ++out.digits;
      if (is_ascii_upper(c)) ++out.upper;
    } else if (kind == kOtherByte) {
      count_mark(text, at, out);
    } else {
      ++out.high;
      if ((static_cast<unsigned char>(c) & 0xC0) != 0x80)
        count_point(decode_utf8(text.substr(at)).code_point, out);
    }
  }
}

}  // namespace

bool WordReader::next(TextWord& word) {
  std::uint64_t hash = kHashStart;
  std::size_t begin = at_;
  std::size_t at = at_;
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
    if (letter) {
      for (std::size_t i = 0; i < size; ++i) hash = hash_byte(hash, ascii_lower(text_[at + i]));
    } else if (at > begin) {
      break;
    } else {
      begin = at + size;
    }
    at += size;
  }
  at_ = at;
  word = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at), hash};
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
    if (head.title.contains(word.hash)) ++out.title;
    if (head.summary.contains(word.hash)) ++out.summary;
    for (std::uint32_t topics = lexicons.find(word.hash); topics != 0; topics &= topics - 1) {
      std::uint16_t& count = out.lexicon[static_cast<std::size_t>(__builtin_ctz(topics))];
      if (count < std::numeric_limits<std::uint16_t>::max()) ++count;
    }
  }
  return out;
}

}  // namespace bowerbird
