#include "crawl/config/kept_options.h"

#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "crawl/config/option_table.h"
#include "crawl/config/policy_choice.h"
#include "crawl/config/site_table.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr char kOptionsFile[] = "options.toml";
constexpr char kPriorities[] = "site-priorities";

nlohmann::json json_value(const CrawlOptionRow& row, const std::string& text) {
  if (row.is_switch()) return text == "true";
  const auto count = parse_count(text);
  if (count.ok() && fmt::format("{}", *count) == text) return *count;
  return text;
}

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The fixed options, with those that follow from them.
nlohmann::json fixed_json(CrawlOptions options) {
  options.order.expected_pages = expected_pages_of(options);
  options.budget.bound = keeps_bound(options);
  options.storage.terms |= !options.order.topic.empty();
  nlohmann::json json;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (!row.is(kFixed)) continue;
    json[std::string(row.name)] = json_value(row, fmt::format("{}", fmt::join(row.texts(options), ",")));
  }
  if (const std::string factors = site_priorities(options.sites); !factors.empty())
    json[kPriorities] = factors;
  return json;
}

}  // namespace

Result<std::vector<std::string>> recall_options(const std::string& folder, CrawlOptions& options) {
  const std::string path = folder + "/" + kOptionsFile;
  if (!std::filesystem::exists(path)) return std::vector<std::string>();
  BB_TRY(const auto file, MappedFile::open(path));
  auto keys = read_crawl_options(file->text(), path, options);
  if (keys.ok()) return keys;
  return error("{}\nFix or delete the file", keys.error().text);
}

Status remember_options(const CrawlOptions& options) {
  // Options may hold a password.
  return write_file(options.out + "/" + kOptionsFile, write_crawl_options(options), 0600);
}

std::string fixed_options(const CrawlOptions& options) {
  return fixed_json(options).dump();
}

Status check_unchanged(const CrawlOptions& options, const std::string& about) {
  const nlohmann::json then = nlohmann::json::parse(about, nullptr, false);
  if (!then.is_object())
    return error("{}: the first record of this crawl has no options: it is corrupt", options.out);
  nlohmann::json now = fixed_json(options);
  // If it is not set, it follows from the page budget, which may change.
  if (options.order.expected_pages == 0) now.erase("expected-pages");
  if (options.order.policy == kAutoPolicy) now.erase("policy");
  std::vector<std::string> complaints;
  if (then.value(kPriorities, nlohmann::json()) != now.value(kPriorities, nlohmann::json())) {
    complaints.emplace_back(
        "the priorities of [[site]] tables cannot change: the order of this crawl depends on them. Restore "
        "them, or start a new crawl in another folder");
  }
  now.erase(kPriorities);
  for (const auto& [key, value] : now.items()) {
    const auto found = then.find(key);
    if (found == then.end() || *found == value) continue;
    if (key == "bound" && options.budget.stop_at_importance > 0) {
      complaints.emplace_back(
          "--stop-at-importance needs --bound from the start of the crawl: the importance of the pages "
          "fetched "
          "so far was not tracked. Start a new crawl in another folder");
      continue;
    }
    complaints.push_back(
        fmt::format("--{0} cannot change from '{1}' to '{2}': the state of this crawl depends on it. Omit "
                    "it, or start a new crawl in another folder",
                    key, text_of(*found), text_of(value)));
  }
  if (complaints.empty()) return {};
  return Error{fmt::format("{}: {}", options.out, fmt::join(complaints, "\n"))};
}

Status adopt_fixed(const std::string& about, CrawlOptions& options) {
  const nlohmann::json then = nlohmann::json::parse(about, nullptr, false);
  if (!then.is_object())
    return error("{}: the first record of this crawl has no options: it is corrupt", options.out);
  for (const CrawlOptionRow& row : crawl_option_table()) {
    const auto found = then.find(std::string(row.name));
    if (!row.is(kFixed) || found == then.end()) continue;
    BB_TRY_VOID(row.set(options, text_of(*found)));
  }
  const auto factors = then.find(kPriorities);
  if (factors == then.end() || !factors->is_string() || !options.sites.empty()) return {};
  BB_TRY(options.sites, read_site_priorities(factors->get<std::string>()));
  return {};
}

}  // namespace bowerbird
