#include "fleet/fleet_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "crawl/config/option_words.h"
#include "store/crawl_reader.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr char kFleetFile[] = "fleet.json";

}  // namespace

FleetSetup FleetSetup::make(const CrawlOptions& options, const std::vector<std::string>& words,
                            unsigned cores) {
  FleetSetup setup;
  if (options.parallel.procs > 0) setup.procs = options.parallel.procs;
  setup.mode = options.parallel.mode.value_or(Mode::kExchange);
  setup.url = options.fleet.url;
  setup.fleet = options.fleet.name;
  bool says_parsers = options.parsers != CrawlOptions().parsers;
  bool says_network = options.network_threads != CrawlOptions().network_threads;
  for (const std::string& word : words) {
    const bool is_launchers = std::ranges::any_of(crawl_option_table(), [&](const CrawlOptionRow& row) {
      return row.is(kLauncher) && is_word_of(word, row.name);
    });
    if (!is_launchers) setup.words.push_back(word);
    says_parsers = says_parsers || is_word_of(word, "parsers");
    says_network = says_network || is_word_of(word, "network-threads");
  }
  // If processes share cores, further threads in each of them cost more than they help.
  if (setup.procs >= cores && !says_network) setup.words.emplace_back("--network-threads=0");
  if (setup.procs >= cores && !says_parsers) setup.words.emplace_back("--parsers=0");
  return setup;
}

Result<FleetSetup> FleetSetup::of(const std::string& where, const std::string& fleet_name) {
  if (!where.starts_with("nats://") && !where.starts_with("tls://")) return load(where);
  FleetSetup setup;
  setup.url = where;
  setup.fleet = fleet_name;
  return setup;
}

Status FleetSetup::save(const std::string& folder) const {
  return write_file(
      folder + "/" + kFleetFile,
      nlohmann::json(
          {{"procs", procs}, {"mode", name_of(mode)}, {"url", url}, {"fleet", fleet}, {"words", words}})
              .dump(2, ' ', true, nlohmann::json::error_handler_t::replace) +
          "\n",
      0600);  // an option may contain a password
}

Result<FleetSetup> FleetSetup::load(const std::string& folder) {
  const auto file = MappedFile::open(folder + "/" + kFleetFile);
  if (!file.ok()) return error("{}: there is no fleet in this folder", folder);
  const nlohmann::json json = nlohmann::json::parse((*file)->text(), nullptr, false);
  FleetSetup setup;
  try {
    setup.procs = json.at("procs").get<std::uint64_t>();
    BB_TRY(setup.mode, parse_mode(json.at("mode").get<std::string>()));
    setup.url = json.at("url").get<std::string>();
    setup.fleet = json.at("fleet").get<std::string>();
    setup.words = json.at("words").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception&) {
    return error("{}/{} cannot be read", folder, kFleetFile);
  }
  if (setup.procs == 0 || setup.procs > 65535) return error("{}/{} cannot be read", folder, kFleetFile);
  return setup;
}

void FleetSetup::change(const std::vector<std::string>& given) {
  for (const CrawlOptionRow& row : crawl_option_table()) {
    const auto sets = [&](const std::string& word) { return is_word_of(word, row.name); };
    if (std::ranges::any_of(given, sets)) std::erase_if(words, sets);
  }
  words.insert(words.end(), given.begin(), given.end());
}

std::string FleetSetup::used_up(const CrawlCounts& counts) const {
  CrawlOptions options;
  // Without a broker each process has its own budget.
  if (!exchanges() || !read_words(words, options).ok()) return "";
  if (options.budget.pages > 0 && counts.pages >= options.budget.pages) {
    return fmt::format("the budget of {} is reached ({} fetched); give a larger --pages",
                       plural(options.budget.pages, "page"), format_count(counts.pages));
  }
  if (options.budget.bytes > 0 && counts.bytes >= options.budget.bytes) {
    return fmt::format("the budget of {} is reached ({} fetched); give a larger --bytes",
                       format_bytes(options.budget.bytes), format_bytes(counts.bytes));
  }
  return "";
}

Result<std::vector<std::string>> words_without_secrets(const std::vector<std::string>& words,
                                                       const std::string& folder) {
  std::vector<std::string> made;
  for (const std::string& word : words) {
    const std::size_t value = word.find('=') + 1;
    const bool is_secret = value > 0 && word.substr(value, 1) != "@" &&
                           std::ranges::any_of(crawl_option_table(), [&](const CrawlOptionRow& row) {
                             return row.is(kSecret) && is_word_of(word, row.name);
                           });
    if (!is_secret) {
      made.push_back(word);
      continue;
    }
    const std::string path = fmt::format("{}/{}", folder, made.size());
    BB_TRY_VOID(make_folder(folder));
    BB_TRY_VOID(write_file(path, word.substr(value), 0600));
    made.push_back(word.substr(0, value) + "@" + path);
  }
  return made;
}

bool holds_fleet(const std::string& folder) {
  std::error_code failed;
  return std::filesystem::exists(folder + "/" + kFleetFile, failed);
}

Result<std::string> fleet_url(const std::string& folder, const FleetSetup& setup) {
  if (!setup.exchanges()) {
    return error("the processes of a fleet in mode {} do not communicate", name_of(setup.mode));
  }
  if (!setup.url.empty()) return setup.url;
  const auto file = MappedFile::open(folder + "/server");
  if (!file.ok()) {
    return error("{}: the fleet is not running (resume it with `bowerbird fleet resume {}`)", folder, folder);
  }
  return std::string((*file)->text());
}

std::vector<std::string> fleet_folders(const std::string& folder) {
  std::vector<std::string> folders;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (entry.is_directory() && CrawlReader::holds_crawl(entry.path().string())) {
      folders.push_back(entry.path().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

}  // namespace bowerbird
