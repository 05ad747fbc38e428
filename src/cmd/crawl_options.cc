#include "cmd/crawl_options.h"

#include <filesystem>

#include "cmd/plugin_option.h"
#include "crawl/config/option_words.h"
#include "crawl/config/secret_text.h"
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

}  // namespace

void add_crawl_options(CLI::App& app, CrawlCommand& command) {
  app.add_option("SEED", command.seeds, "URLs to start with");
  app.add_option("--config", command.config, "Read options from this TOML file")->type_name("FILE");
  for (const CrawlOptionRow& row : crawl_option_table()) command.flags.add(app, row);
  add_plugin_option(app);
}

Result<std::vector<std::string>> read_given(const CrawlCommand& command, CrawlOptions& options) {
  std::vector<std::string> keys;
  if (!command.config.empty()) {
    BB_TRY(keys, read_config(command.config, options));
  }
  if (!command.seeds.empty()) options.start.seeds = command.seeds;
  command.flags.apply(crawl_option_table(), options);
  // The folder of the crawl keeps them, and is read from other folders too.
  for (std::string& archive : options.storage.dedup) archive = absolute(archive);
  return keys;
}

Result<std::vector<CrawlSeed>> given_seeds(const CrawlOptions& options) {
  BB_TRY(GatheredSeeds gathered, gather_seeds(options));
  if (!gathered.bad.empty()) refuse(gathered.bad);
  return std::move(gathered.seeds);
}

std::vector<std::string> command_words(const CrawlCommand& command) {
  std::vector<std::string> words = command.seeds;
  if (!command.config.empty()) words.push_back(config_word(absolute(command.config)));
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (!command.flags.is_given(row.name) || row.name.starts_with("listen"))
      continue;  // the launcher listens
    for (const std::string& value : command.flags.values(row.name)) {
      const bool is_file = row.unit == "FILE" || row.unit == "PATH";
      const std::string text = row.is(kSecret) ? with_absolute_file(value) : value;
      words.push_back(option_word(row, is_file ? absolute(value) : text));
    }
  }
  return words;
}

}  // namespace bowerbird
