// The options of a crawl as a TOML file.
#include "crawl/config/option_table.h"
#include "crawl/config/seeds.h"
#include "crawl/config/site_table.h"
#include "sys/toml.h"

namespace bowerbird {

namespace {

constexpr std::string_view kSeeds = "seeds";  // arguments of the command line, so they are not in the table
constexpr std::string_view kSites = "site";   // TOML tables

void read_seeds(const TomlTable::Entry& entry, CrawlOptions& options, TomlErrors& errors) {
  for (const TomlValue& value : values_for({kSeeds, "", "URL", "", kMany}, entry, errors)) {
    const auto seed = canonical_seed(value.text);
    if (!seed.ok()) errors.add(value.position, seed.error().text);
    options.start.seeds.push_back(value.text);
  }
}

// The tables replace those of the last run. `site = []` removes them.
void read_sites(const TomlTable::Entry& entry, CrawlOptions& options, TomlErrors& errors) {
  options.sites.clear();
  if (!entry.is_list || !entry.values.empty())
    errors.add(entry.value_position, "'site' must be a list of tables: write [[site]]");
  for (const TomlTable& table : entry.tables) options.sites.push_back(read_site(table, errors));
}

}  // namespace

Result<std::vector<std::string>> read_crawl_options(std::string_view toml, const std::string& name,
                                                    CrawlOptions& options) {
  BB_TRY(const TomlTable table, parse_toml(toml, name));
  TomlErrors errors(name);
  std::vector<std::string> keys;
  for (const TomlTable::Entry& entry : table.entries) {
    keys.push_back(entry.key);
    if (entry.key == kSeeds) {
      read_seeds(entry, options, errors);
    } else if (entry.key == kSites) {
      read_sites(entry, options, errors);
    } else if (const CrawlOptionRow* const row = find_row(crawl_option_table(), entry.key)) {
      read_entry(*row, entry, options, errors);
    } else {
      std::vector<std::string> known = {std::string(kSeeds), std::string(kSites)};
      for (const CrawlOptionRow& one : crawl_option_table()) known.emplace_back(one.name);
      errors.add_unknown(entry, "", known);
    }
  }
  BB_TRY_VOID(errors.status());
  return keys;
}

namespace {

std::string options_toml(const CrawlOptions& options, bool shown) {
  const CrawlOptions defaults;
  std::vector<TomlLine> lines;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.is(kStartOnly) || row.texts(options) == row.texts(defaults)) continue;
    lines.push_back({&row, shown ? row.shown(options) : row.texts(options)});
  }
  return write_toml(lines) + sites_toml(options.sites, shown);
}

}  // namespace

std::string shown_crawl_options(const CrawlOptions& options) {
  return "# The options of the last run of this crawl, without secrets.\n" + options_toml(options, true);
}

std::string write_crawl_options(const CrawlOptions& options) {
  return "# The options of the last run of this crawl. The next run uses them unless you give others.\n" +
         options_toml(options, false);
}

}  // namespace bowerbird
