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

// Wrong values are misuse here as on the command line.
Status read_config(const std::string& path, CrawlOptions& options) {
  BB_TRY(const auto file, MappedFile::open(path));
  if (const Status read = read_crawl_options(file->text(), path, options); !read.ok())
    refuse(read.error().text);
  return {};
}

constexpr std::string_view kConfigWord = "--config=";

}  // namespace

void add_crawl_options(CLI::App& app, CrawlCommand& command) {
  app.add_option("SEED", command.seeds, "URLs to begin with");
  app.add_option("--config", command.config, "Options in a file of TOML")->type_name("FILE");
  add_crawl_rows(app, command, [](const CrawlOptionRow&) { return true; });
}

void add_crawl_rows(CLI::App& app, CrawlCommand& command, const IsWanted& is_wanted) {
  const auto table = crawl_option_table();
  command.values.resize(table.size());
  command.switches.resize(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CrawlOptionRow& row = table[i];
    if (!is_wanted(row)) continue;
    const std::string name(row.name);
    const std::string help(row.help);
    if (row.value.empty()) {
      command.switches[i] = app.add_flag(fmt::format("--{0},!--no-{0}", name), help);
    } else {
      CLI::Option* const option = app.add_option("--" + name, command.values[i], help);
      option->type_name(std::string(row.value));
      option->allow_extra_args(false);
      if (!row.many) option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }
  }
}

Status apply_command_line(const CrawlCommand& command, CrawlOptions& options) {
  if (!command.seeds.empty()) options.start.seeds = command.seeds;
  const auto table = crawl_option_table();
  std::string complaints;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!command.values[i].empty()) {
      const Status status = table[i].set(options, command.values[i]);
      if (!status.ok())
        complaints +=
            fmt::format("{}--{}: {}", complaints.empty() ? "" : "\n", table[i].name, status.error().text);
    }
    if (command.switches[i] != nullptr && command.switches[i]->count() > 0) {
      BB_TRY_VOID(table[i].set(options, command.switches[i]->as<bool>() ? "true" : "false"));
    }
  }
  if (!complaints.empty()) refuse(complaints);
  return {};
}

Status read_given(const CrawlCommand& command, CrawlOptions& options) {
  if (!command.config.empty()) BB_TRY_VOID(read_config(command.config, options));
  return apply_command_line(command, options);
}

std::vector<CrawlSeed> given_seeds(const CrawlOptions& options) {
  auto gathered = gather_seeds(options);
  if (!gathered.ok()) refuse(gathered.error().text);
  return std::move(gathered->seeds);
}

bool is_given(const CrawlCommand& command, std::string_view name) {
  const auto table = crawl_option_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name != name) continue;
    return !command.values[i].empty() || (command.switches[i] != nullptr && command.switches[i]->count() > 0);
  }
  return false;
}

std::vector<std::string> command_words(const CrawlCommand& command) {
  std::vector<std::string> words = command.seeds;
  if (!command.config.empty()) words.push_back(std::string(kConfigWord) + absolute(command.config));
  const auto table = crawl_option_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (const std::string& value : command.values[i]) {
      words.push_back(
          fmt::format("--{}={}", table[i].name, table[i].value == "FILE" ? absolute(value) : value));
    }
    if (command.switches[i] != nullptr && command.switches[i]->count() > 0) {
      words.push_back(fmt::format("--{}{}", command.switches[i]->as<bool>() ? "" : "no-", table[i].name));
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
    if (!row.many && values.size() > 1) values = {values.back()};
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
