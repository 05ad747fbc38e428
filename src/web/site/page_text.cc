#include "web/site/page_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/check.h"

namespace bowerbird {

namespace {

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    if (blank != 0) words.push_back(text.substr(0, blank));
    text = blank == text.npos ? std::string_view() : text.substr(blank + 1);
  }
  return words;
}

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
}

// Random bits in bulk: one draw is enough for six words.
class Bits {
 public:
  explicit Bits(std::uint64_t key) : rng_(key) {}
  std::uint32_t ten() {
    if (left_ == 0) {
      bits_ = rng_.next();
      left_ = 6;
    }
    --left_;
    const auto ten = static_cast<std::uint32_t>(bits_ & 1023);
    bits_ >>= 10;
    return ten;
  }

 private:
  Rng rng_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

}  // namespace

PageText::PageText() {
  std::vector<std::uint16_t> common;
  for (const std::string_view word : split(kCommonWords)) common.push_back(add_word(word));
  for (std::size_t topic = 0; topic < kTopics; ++topic) {
    std::vector<std::uint16_t>& own = topic_words_[topic];
    for (const std::string_view word : split(kTopicWords[topic].words)) own.push_back(add_word(word));
    // Three slots in five for common words; Zipf's law in either part, weaker for the topic.
    std::vector<std::pair<std::uint16_t, double>> weights;
    const auto add = [&](const std::vector<std::uint16_t>& words, double share, double shift) {
      double sum = 0;
      for (std::size_t i = 0; i < words.size(); ++i) sum += 1 / (static_cast<double>(i) + shift);
      for (std::size_t i = 0; i < words.size(); ++i) {
        weights.emplace_back(words[i], share / sum / (static_cast<double>(i) + shift));
      }
    };
    add(common, 0.6, 2);
    add(own, 0.4, 12);
    double reached = 0;
    std::size_t slot = 0;
    for (const auto& [word, weight] : weights) {
      reached += weight;
      const auto end = std::min<std::size_t>(kSlots, static_cast<std::size_t>(std::lround(reached * kSlots)));
      while (slot < end) mixed_[topic][slot++] = word;
    }
    while (slot < kSlots) mixed_[topic][slot++] = weights.back().first;
  }
}

std::uint16_t PageText::add_word(std::string_view text) {
  CHECK(!text.empty() && text.size() < kWidth);
  Word word{};
  std::copy(text.begin(), text.end(), word.text.begin());
  word.size = static_cast<std::uint8_t>(text.size());
  words_.push_back(word);
  return static_cast<std::uint16_t>(words_.size() - 1);
}

char* PageText::copy_word(std::uint16_t number, char* to) const {
  const Word& word = words_[number];
  std::memcpy(to, word.text.data(), kWidth);
  return to + word.size;
}

void PageText::append_title(std::uint64_t key, int topic, std::string& out) const {
  const auto& words = topic_words_[static_cast<std::size_t>(topic)];
  const std::uint64_t bits = mix64(key ^ 0x7469746c65u);
  const std::size_t start = out.size();
  out.resize(start + 4 * (kWidth + 1) + kWidth);
  char* to = out.data() + start;
  const unsigned count = 2 + static_cast<unsigned>(bits & 3) % 3;
  for (unsigned i = 0; i < count; ++i) {
    if (i > 0) *to++ = ' ';
    to = copy_word(words[(bits >> (8 + 12 * i) & 0xfff) % words.size()], to);
  }
  out[start] = upper(out[start]);
  out.resize(static_cast<std::size_t>(to - out.data()));
}

void PageText::append_sentences(std::uint64_t key, int topic, unsigned words, std::string& out) const {
  const Slots& slots = mixed_[static_cast<std::size_t>(topic)];
  Bits bits(key);
  const std::size_t start = out.size();
  out.resize(start + words * (kWidth + 2) + kWidth);
  char* to = out.data() + start;
  while (words > 0) {
    unsigned length = std::min(words, 5 + bits.ten() % 12);
    words -= length;
    char* first = to;
    for (std::uint16_t last = 0xffff; length-- > 0;) {
      std::uint16_t word = slots[bits.ten()];
      if (word == last) word = slots[bits.ten()];  // seldom the same word twice in a row
      last = word;
      to = copy_word(word, to);
      *to++ = ' ';
    }
    *first = upper(*first);
    to[-1] = '.';
    if (words > 0) *to++ = ' ';
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

void PageText::append_paragraphs(std::uint64_t key, int topic, unsigned words, std::string& out) const {
  for (std::uint64_t i = 0; words > 0; ++i) {
    const std::uint64_t part_key = draw(key, i);
    const unsigned part = std::min(words, 30 + static_cast<unsigned>(part_key & 63));
    words -= part;
    out += "<p>";
    append_sentences(part_key, topic, part, out);
    out += "</p>\n";
  }
}

}  // namespace bowerbird
