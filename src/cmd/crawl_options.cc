#include "cmd/crawl_options.h"

#include <fmt/format.h>

namespace bowerbird {

void add_crawl_options(CLI::App& app, CrawlCommand& command) {
  app.add_option("SEED", command.seeds, "URLs to begin with");
  app.add_option("--config", command.config, "Options in a file of TOML")->type_name("FILE");
  const auto table = crawl_option_table();
  command.values.resize(table.size());
  command.switches.resize(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CrawlOptionRow& row = table[i];
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
  if (!command.seeds.empty()) options.seeds = command.seeds;
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

std::vector<std::string> command_words(const CrawlCommand& command) {
  std::vector<std::string> words = command.seeds;
  if (!command.config.empty()) words.insert(words.end(), {"--config", command.config});
  const auto table = crawl_option_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (const std::string& value : command.values[i]) {
      words.push_back(fmt::format("--{}={}", table[i].name, value));
    }
    if (command.switches[i] != nullptr && command.switches[i]->count() > 0) {
      words.push_back(fmt::format("--{}{}", command.switches[i]->as<bool>() ? "" : "no-", table[i].name));
    }
  }
  return words;
}

}  // namespace bowerbird
