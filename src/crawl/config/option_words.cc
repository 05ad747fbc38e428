#include "crawl/config/option_words.h"

#include <fmt/format.h>

#include "sys/file.h"

namespace bowerbird {

namespace {

constexpr std::string_view kConfigWord = "--config=";

}  // namespace

std::string option_word(const CrawlOptionRow& row, std::string_view value) {
  if (row.is_switch()) return fmt::format("--{}{}", value == "true" ? "" : "no-", row.name);
  return fmt::format("--{}={}", row.name, value);
}

std::string config_word(std::string_view file) {
  return fmt::format("{}{}", kConfigWord, file);
}

bool is_word_of(std::string_view word, std::string_view name) {
  if (!word.starts_with("--")) return false;
  word = word.substr(2, word.find('=') == std::string_view::npos ? word.npos : word.find('=') - 2);
  return word == name || (word.starts_with("no-") && word.substr(3) == name);
}

Status read_words(const std::vector<std::string>& words, CrawlOptions& options) {
  for (const std::string& word : words) {
    if (!word.starts_with(kConfigWord)) continue;
    const std::string path = word.substr(kConfigWord.size());
    BB_TRY(const auto file, MappedFile::open(path));
    BB_TRY_VOID(read_crawl_options(file->text(), path, options));
  }
  for (const CrawlOptionRow& row : crawl_option_table()) {
    std::vector<std::string> values;
    for (const std::string& word : words) {
      if (!is_word_of(word, row.name)) continue;
      const std::size_t sign = word.find('=');
      const bool is_switch = sign == std::string::npos;
      values.push_back(!is_switch ? word.substr(sign + 1) : word.starts_with("--no-") ? "false" : "true");
    }
    if (!row.is(kMany) && values.size() > 1) values = {values.back()};
    if (!values.empty()) BB_TRY_VOID(row.set(options, values));
  }
  return {};
}

}  // namespace bowerbird
