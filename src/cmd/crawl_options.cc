#include "cmd/crawl_options.h"

#include <fmt/format.h>

#include <filesystem>

#include "sys/file.h"

namespace bowerbird {

namespace {

std::string absolute(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(path, failed);
  return failed ? path : whole.string();
}

// Wrong values are usage errors, as on the command line.
Result<std::vector<std::string>> read_config(const std::string& path, CrawlOptions& options) {
  BB_TRY(const auto file, MappedFile::open(path));
  auto keys = read_crawl_options(file->text(), path, options);
  if (!keys.ok()) refuse(keys.error().text);
  return keys;
}

constexpr std::string_view kConfigWord = "--config=";

}  // namespace

void add_crawl_options(CLI::App& app, CrawlCommand& command) {
  app.add_option("SEED", command.seeds, "URLs to start with");
  app.add_option("--config", command.config, "Read options from this TOML file")->type_name("FILE");
  for (const CrawlOptionRow& row : crawl_option_table()) command.flags.add(app, row);
}

Result<std::vector<std::string>> read_given(const CrawlCommand& command, CrawlOptions& options) {
  std::vector<std::string> keys;
  if (!command.config.empty()) {
    BB_TRY(keys, read_config(command.config, options));
  }
  if (!command.seeds.empty()) options.start.seeds = command.seeds;
  command.flags.apply(crawl_option_table(), options);
  return keys;
}

Result<std::vector<CrawlSeed>> given_seeds(const CrawlOptions& options) {
  BB_TRY(GatheredSeeds gathered, gather_seeds(options));
  if (!gathered.bad.empty()) refuse(gathered.bad);
  return std::move(gathered.seeds);
}

std::vector<std::string> command_words(const CrawlCommand& command) {
  std::vector<std::string> words = command.seeds;
  if (!command.config.empty()) words.push_back(std::string(kConfigWord) + absolute(command.config));
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (!command.flags.is_given(row.name)) continue;
    for (const std::string& value : command.flags.values(row.name)) {
      if (row.is_switch()) {
        words.push_back(fmt::format("--{}{}", value == "true" ? "" : "no-", row.name));
      } else {
        words.push_back(fmt::format("--{}={}", row.name, row.unit == "FILE" ? absolute(value) : value));
      }
    }
  }
  return words;
}

Status read_words(const std::vector<std::string>& words, CrawlOptions& options) {
  for (const std::string& word : words) {
    if (word.starts_with(kConfigWord)) BB_TRY_VOID(read_config(word.substr(kConfigWord.size()), options));
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

bool is_word_of(std::string_view word, std::string_view name) {
  if (!word.starts_with("--")) return false;
  word = word.substr(2, word.find('=') == std::string_view::npos ? word.npos : word.find('=') - 2);
  return word == name || (word.starts_with("no-") && word.substr(3) == name);
}

}  // namespace bowerbird
