#include "crawl/config/kept_options.h"

#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "crawl/config/policy_choice.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr char kOptionsFile[] = "options.toml";

// The options on which the state depends, with what follows from the others.
nlohmann::json fixed_json(CrawlOptions options) {
  options.order.expected_pages = expected_pages_of(options);
  options.budget.bound = keeps_bound(options);
  options.storage.terms |= !options.order.topic.empty();
  nlohmann::json json;
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.fixed) json[std::string(row.name)] = row.field.get(options).front();
  }
  return json;
}

}  // namespace

Status recall_options(const std::string& folder, CrawlOptions& options) {
  const std::string path = folder + "/" + kOptionsFile;
  if (!std::filesystem::exists(path)) return {};
  BB_TRY(const auto file, MappedFile::open(path));
  const Status read = read_crawl_options(file->text(), path, options);
  if (read.ok()) return {};
  return error("{}\nMend it, or remove it and give the options again", read.error().text);
}

Status remember_options(const CrawlOptions& options) {
  // It may hold a password.
  return write_file(options.out + "/" + kOptionsFile, write_crawl_options(options), 0600);
}

std::string fixed_options(const CrawlOptions& options) {
  return fixed_json(options).dump();
}

Status check_unchanged(const CrawlOptions& options, const std::string& about) {
  const nlohmann::json then = nlohmann::json::parse(about, nullptr, false);
  if (!then.is_object())
    return error("{}: the crawl in this folder does not say how it was begun", options.out);
  nlohmann::json now = fixed_json(options);
  // Without a number of its own it goes by the page budget, which may change.
  if (options.order.expected_pages == 0) now.erase("expected-pages");
  if (options.order.policy == kAutoPolicy) now.erase("policy");
  std::vector<std::string> complaints;
  for (const auto& [key, value] : now.items()) {
    const auto found = then.find(key);
    if (found == then.end() || !found->is_string() || *found == value) continue;
    if (key == "bound" && options.budget.stop_at_importance > 0) {
      complaints.emplace_back(
          "--stop-at-importance, or --bound, must be given when a crawl is begun: what this one has fetched "
          "was not counted. Begin a new crawl in another folder");
      continue;
    }
    complaints.push_back(
        fmt::format("--{} was {} when this crawl was begun and cannot become {}: its state depends "
                    "on it. Leave it as it was, or begin a new crawl in another folder",
                    key, found->get<std::string>(), value.get<std::string>()));
  }
  if (complaints.empty()) return {};
  return Error{fmt::format("{}: {}", options.out, fmt::join(complaints, "\n"))};
}

Status adopt_fixed(const std::string& about, CrawlOptions& options) {
  const nlohmann::json then = nlohmann::json::parse(about, nullptr, false);
  if (!then.is_object())
    return error("{}: the crawl in this folder does not say how it was begun", options.out);
  for (const CrawlOptionRow& row : crawl_option_table()) {
    const auto found = then.find(std::string(row.name));
    if (!row.fixed || found == then.end() || !found->is_string()) continue;
    BB_TRY_VOID(row.set(options, found->get<std::string>()));
  }
  return {};
}

}  // namespace bowerbird
