// Text that looks like a page: titles, sentences and paragraphs drawn from a small vocabulary.
//
// Everything is a function of the seed and the given keys: the same page always has the same text. Words
// follow a Zipf-like law, function words first, mixed with those of the host's topic, so that pages of one
// host resemble each other and a topic can be searched for. Threads: const; the output belongs to the caller.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/rng.h"
#include "web/site/words.h"

namespace bowerbird {

class PageText {
 public:
  PageText();

  // The topic of a host, from any key of it.
  static int topic_of(std::uint64_t host_key) { return static_cast<int>(to_below(mix64(host_key), kTopics)); }

  // Two to four words, the first one capitalised.
  void append_title(std::uint64_t key, int topic, std::string& out) const;
  // Sentences with `words` words in total, without markup.
  void append_sentences(std::uint64_t key, int topic, unsigned words, std::string& out) const;
  // The same in paragraphs: <p>...</p>.
  void append_paragraphs(std::uint64_t key, int topic, unsigned words, std::string& out) const;

 private:
  static constexpr std::size_t kSlots = 1024;
  static constexpr std::size_t kWidth = 16;
  struct Word {
    std::array<char, kWidth> text;  // padded, so that it can be copied as one block
    std::uint8_t size;
  };
  using Slots = std::array<std::uint16_t, kSlots>;  // a word number for each slot, frequent words have many

  std::uint16_t add_word(std::string_view text);
  char* copy_word(std::uint16_t word, char* to) const;

  std::vector<Word> words_;
  std::array<Slots, kTopics> mixed_;  // topic and common words
  std::array<std::vector<std::uint16_t>, kTopics> topic_words_;
};

}  // namespace bowerbird
