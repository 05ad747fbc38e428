// The options of a crawl as a file of TOML: read with every complaint at once, and written.
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/suggest.h"
#include "base/units.h"
#include "crawl/config/options.h"
#include "crawl/config/seeds.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace bowerbird {

namespace {

const CrawlOptionRow* find_row(std::string_view name) {
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// A value as the command line would give it; nullopt where it is no plain value.
std::optional<std::string> plain_value(const toml::node& node) {
  if (const auto value = node.value_exact<std::string>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
  if (const auto value = node.value_exact<double>()) return fmt::format("{}", *value);
  if (const auto value = node.value_exact<bool>()) return *value ? "true" : "false";
  return std::nullopt;
}

class TomlReader {
 public:
  TomlReader(const std::string& name, CrawlOptions& options) : name_(name), options_(options) {}

  Status read(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string word(key.str());
      if (word == "seeds") {
        each(node, [&](const std::string& value) -> Status {
          BB_TRY_VOID(canonical_seed(value));
          options_.start.seeds.push_back(value);
          return {};
        });
        continue;
      }
      const CrawlOptionRow* const row = find_row(word);
      if (row == nullptr) {
        std::vector<std::string> names = {"seeds"};
        for (const CrawlOptionRow& known : crawl_option_table()) names.emplace_back(known.name);
        complain(key.source(), fmt::format("unknown key '{}'{}", word, did_you_mean(word, names)));
      } else if (node.is_array() && !row->many && row->name != "types") {
        complain(node.source(), fmt::format("'{}' takes one value", word));
      } else {
        if (row->field.clear) row->field.clear(options_);
        each(node, [&](const std::string& value) { return row->field.set(options_, value); });
      }
    }
    if (complaints_.empty()) return {};
    return Error{fmt::format("{}", fmt::join(complaints_, "\n"))};
  }

 private:
  template <typename Take>
  void each(const toml::node& node, Take take) {
    if (const toml::array* const items = node.as_array()) {
      for (const toml::node& item : *items) one(item, take);
    } else {
      one(node, take);
    }
  }
  template <typename Take>
  void one(const toml::node& node, Take& take) {
    const auto value = plain_value(node);
    const Status status = value ? take(*value) : error("a text, a number, true or false is expected");
    if (!status.ok()) complain(node.source(), status.error().text);
  }
  void complain(const toml::source_region& at, const std::string& what) {
    complaints_.push_back(fmt::format("{}:{}:{}: {}", name_, at.begin.line, at.begin.column, what));
  }

  const std::string& name_;
  CrawlOptions& options_;
  std::vector<std::string> complaints_;
};

// What says where a crawl begins is part of its state from then on.
constexpr std::string_view kBeginnings[] = {"out", "seed-file", "skip-bad-seeds", "sitemap"};

}  // namespace

std::string write_crawl_options(const CrawlOptions& options) {
  const CrawlOptions defaults;
  toml::table table;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    const std::vector<std::string> values = row.field.get(options);
    if (std::ranges::find(kBeginnings, row.name) != std::end(kBeginnings) ||
        values == row.field.get(defaults)) {
      continue;
    }
    if (row.many) {
      toml::array list;
      for (const std::string& value : values) list.push_back(value);
      table.insert(row.name, std::move(list));
    } else if (row.value.empty()) {
      table.insert(row.name, values.front() == "true");
    } else {
      table.insert(row.name, values.front());
    }
  }
  std::ostringstream text;
  text << "# The options of this crawl as it last ran. A run in this folder goes by them where it says\n"
          "# nothing else.\n"
       << table << "\n";
  return text.str();
}

Status read_crawl_options(std::string_view toml_text, const std::string& name, CrawlOptions& options) {
  const toml::parse_result parsed_text = toml::parse(toml_text);
  if (!parsed_text) {
    const toml::parse_error& e = parsed_text.error();
    return error("{}:{}:{}: {}", name, e.source().begin.line, e.source().begin.column, e.description());
  }
  return TomlReader(name, options).read(parsed_text.table());
}

}  // namespace bowerbird
