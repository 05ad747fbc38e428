#include "graph/synthetic_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "graph/synthetic_model.h"

namespace bowerbird {

namespace {

constexpr std::string_view kConsonants = "bdfghjklmnprstvz";
constexpr std::string_view kVowels = "aeio";
constexpr unsigned kSyllableBits = 6;

// The hosts of a site; no site has more.
constexpr std::array<std::string_view, 6> kHostLabels = {"www", "news", "shop", "docs", "forum", "blog"};

constexpr std::array<std::string_view, 32> kSections = {
    "about",    "archive", "articles", "blog",    "books",    "catalog", "courses", "data",
    "events",   "faculty", "forum",    "gallery", "groups",   "guide",   "help",    "history",
    "info",     "lists",   "manual",   "news",    "notes",    "papers",  "people",  "press",
    "projects", "reports", "reviews",  "sports",  "students", "support", "topics",  "travel"};
constexpr std::array<std::string_view, 8> kPages = {"page",  "article", "item", "story",
                                                    "entry", "note",    "text", "view"};
constexpr std::array<std::string_view, 4> kFileKinds = {"pdf", "jpg", "txt", "zip"};

// A permutation of [0, 2^bits): consecutive numbers get names that look different.
constexpr std::uint64_t kScramble = 0x9e3779b97f4a7c15u;

constexpr std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t x = odd;  // right to 3 bits; each step doubles them
  for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
  return x;
}

std::uint64_t scramble(std::uint64_t x, unsigned bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  x = ((x + 1) * kScramble) & mask;
  x ^= x >> (bits / 2);
  return (x * kScramble) & mask;
}

std::uint64_t unscramble(std::uint64_t x, unsigned bits) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  x = (x * inverse_of(kScramble)) & mask;
  x ^= x >> (bits / 2);  // its own inverse, since the halves do not overlap
  return (x * inverse_of(kScramble) - 1) & mask;
}

std::string spell(std::uint64_t x, unsigned bits) {
  std::string word;
  for (unsigned at = 0; at < bits; at += kSyllableBits) {
    const std::uint64_t syllable = x >> at;
    word += kConsonants[syllable & 15];
    word += kVowels[(syllable >> 4) & 3];
  }
  return word;
}

std::optional<std::uint64_t> unspell(std::string_view word, unsigned bits) {
  if (word.size() != std::size_t{bits / kSyllableBits} * 2) return std::nullopt;
  std::uint64_t x = 0;
  for (unsigned at = 0; at < bits; at += kSyllableBits, word.remove_prefix(2)) {
    const std::size_t consonant = kConsonants.find(word[0]);
    const std::size_t vowel = kVowels.find(word[1]);
    if (consonant == kConsonants.npos || vowel == kVowels.npos) return std::nullopt;
    x |= (consonant | vowel << 4) << at;
  }
  return x;
}

std::string_view section_word(const Directory& directory) {
  return kSections[(directory.key >> 8) & 31];
}

// The name of a page within its leaf directory.
std::string member_name(const Directory& directory, const DirectoryPlan& plan, std::uint32_t offset) {
  if (plan.style == Style::kPaged && offset % (plan.group + 1u) == 0) {
    return fmt::format("?page={}", offset / (plan.group + 1u) + 1);
  }
  const std::string_view word = kPages[(directory.key >> 16) & 7];
  const std::string_view kind = plan.style == Style::kFiles ? kFileKinds[(directory.key >> 20) & 3] : "html";
  return fmt::format("{}{}.{}", word, offset, kind);
}

// The first number in a text: "news12" has 12.
std::optional<std::uint32_t> number_in(std::string_view text) {
  const std::size_t at = text.find_first_of("0123456789");
  std::uint32_t number = 0;
  if (at == text.npos) return std::nullopt;
  const auto [end, failed] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  if (failed != std::errc()) return std::nullopt;
  return number;
}

}  // namespace

SyntheticNames::SyntheticNames(std::shared_ptr<const SyntheticModel> model)
    : model_(std::move(model)), bits_(18) {
  while ((std::uint64_t{1} << bits_) < model_->layout().hosts()) bits_ += kSyllableBits;
}

std::string SyntheticNames::host_name(HostId host) const {
  const HostLayout::Site site = model_->layout().site(host);
  return fmt::format("{}.{}.{}", kHostLabels[host - site.first], spell(scramble(site.first, bits_), bits_),
                     synthetic_domains()[model_->layout().domain(host)].name);
}

std::string SyntheticNames::name(PageId page) const {
  const HostRange host = model_->layout().of_page(page);
  TreePosition position;
  model_->tree().enter(model_->root(host), position);
  model_->tree().move(page, position);
  std::string url = fmt::format("http://{}/", host_name(host.host));
  for (int level = 1; level <= position.depth; ++level) {
    const Directory& directory = position.at(level);
    const char* const end = directory.size == 1 ? ".html" : "/";
    url +=
        fmt::format("{}{}{}", section_word(directory), position.number[static_cast<std::size_t>(level)], end);
  }
  const Directory& directory = position.directory();
  if (page != directory.first)
    url += member_name(directory, model_->tree().plan(directory), page - directory.first);
  return url;
}

std::optional<HostId> SyntheticNames::find_host(std::string_view host_name) const {
  const std::size_t dot = host_name.find('.');
  if (dot == host_name.npos) return std::nullopt;
  const auto label = std::find(kHostLabels.begin(), kHostLabels.end(), host_name.substr(0, dot));
  const std::string_view rest = host_name.substr(dot + 1);
  const auto scrambled = unspell(rest.substr(0, rest.find('.')), bits_);
  if (label == kHostLabels.end() || !scrambled) return std::nullopt;
  const std::uint64_t host =
      unscramble(*scrambled, bits_) + static_cast<std::uint64_t>(label - kHostLabels.begin());
  if (host >= model_->layout().hosts()) return std::nullopt;
  const auto found = static_cast<HostId>(host);
  if (this->host_name(found) != host_name) return std::nullopt;
  return found;
}

std::optional<PageId> SyntheticNames::find(std::string_view name) const {
  constexpr std::string_view kScheme = "http://";
  if (!name.starts_with(kScheme)) return std::nullopt;
  std::string_view rest = name.substr(kScheme.size());
  const std::size_t slash = rest.find('/');
  if (slash == rest.npos) return std::nullopt;
  const auto host = find_host(rest.substr(0, slash));
  if (!host) return std::nullopt;
  rest.remove_prefix(slash + 1);

  const DirectoryTree& tree = model_->tree();
  Directory directory = model_->root(model_->layout().of_host(*host));
  PageId page = directory.first;
  while (!rest.empty()) {
    const std::string_view step = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), step.size() + 1));
    const auto number = number_in(step);
    if (!number) return std::nullopt;
    if (tree.leaf(directory)) {
      const bool list = step.starts_with('?');
      const std::uint64_t offset = list ? (*number - 1ull) * (tree.plan(directory).group + 1u) : *number;
      if (offset >= directory.size) return std::nullopt;
      page = directory.first + static_cast<PageId>(offset);
      break;
    }
    if (*number >= tree.parts(directory)) return std::nullopt;
    directory = tree.part(directory, *number);
    if (directory.size == 0) return std::nullopt;
    page = directory.first;
  }
  // The rest of the name is checked by computing the name of the page found.
  if (this->name(page) != name) return std::nullopt;
  return page;
}

}  // namespace bowerbird
