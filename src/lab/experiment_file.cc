#include "lab/experiment_file.h"

#include <filesystem>

#include "sys/toml.h"

namespace bowerbird {
namespace {

constexpr std::string_view kGraph = "graph";

class Reader {
 public:
  Reader(const std::string& name, std::string folder) : errors_(name), folder_(std::move(folder)) {}

  Result<ExperimentFile> read(const TomlTable& top, const std::string& name) {
    read_options(top, file_.common, true);
    if (!file_.common.out.empty()) file_.common.out = in_folder(file_.common.out);
    const auto graphs = std::ranges::find(top.entries, kGraph, &TomlTable::Entry::key);
    if (graphs == top.entries.end()) {
      BB_TRY_VOID(errors_.status());
      return error("{}: contains no [[graph]]; name at least one, with path = \"...\"", name);
    }
    if (graphs->tables.empty() || !graphs->values.empty()) {
      errors_.add(graphs->value_position, "graph must be a list of tables, each with the header [[graph]]");
    }
    for (const TomlTable& table : graphs->tables) read_graph(table);
    BB_TRY_VOID(errors_.status());
    return std::move(file_);
  }

 private:
  void read_graph(const TomlTable& table) {
    GraphExperiment& graph = file_.graphs.emplace_back();
    graph.options = file_.common;
    for (const TomlTable::Entry& entry : table.entries) {
      if (entry.key == "path") graph.path = in_folder(text_of(entry));
      if (entry.key == "hosts") graph.hosts = in_folder(text_of(entry));
      if (entry.key == "name") graph.options.setting.name = text_of(entry);
    }
    read_options(table, graph.options, false);
    if (graph.path.empty()) errors_.add(table.position, "this [[graph]] has no path");
    if (graph.options.setting.name.empty()) graph.options.setting.name = graph_name(graph.path);
    const Status completed = graph.options.complete();
    if (!completed.ok()) errors_.add(table.position, completed.error().text);
  }

  void read_options(const TomlTable& table, LabOptions& options, bool top) {
    std::vector<std::string> known = top ? std::vector<std::string>{std::string(kGraph)}
                                         : std::vector<std::string>{"path", "hosts", "name"};
    const std::size_t own = known.size();
    for (const LabOptionRow& row : lab_option_table()) {
      if (top || !row.is(kWholeFile)) known.emplace_back(row.name);
    }
    for (const TomlTable::Entry& entry : table.entries) {
      const auto found = std::ranges::find(known, entry.key);
      if (found == known.end()) {
        errors_.add_unknown(entry, top ? "" : " in [[graph]]", known);
      } else if (found - known.begin() >= static_cast<std::ptrdiff_t>(own)) {
        read_entry(*find_row(lab_option_table(), entry.key), entry, options, errors_);
      }
    }
  }

  std::string text_of(const TomlTable::Entry& entry) {
    if (!entry.is_list && entry.values.front().kind == TomlValue::Kind::kText)
      return entry.values.front().text;
    errors_.add(entry.value_position, "expected a text in quotes");
    return "";
  }

  // "synthetic:pages=1M" is a web without a file.
  std::string in_folder(const std::string& path) {
    const bool computed = path.find(':') != std::string::npos && path.find('/') == std::string::npos;
    return computed || path.empty() ? path : (std::filesystem::path(folder_) / path).string();
  }

  TomlErrors errors_;
  std::string folder_;
  ExperimentFile file_;
};

}  // namespace

Result<ExperimentFile> parse_experiment(std::string_view text, const std::string& name,
                                        const std::string& folder) {
  BB_TRY(const TomlTable table, parse_toml(text, name));
  return Reader(name, folder).read(table, name);
}

std::string graph_name(const std::string& path) {
  if (path.find(':') != std::string::npos) return path;  // synthetic:...
  std::string name = std::filesystem::path(path).filename().string();
  for (const std::string_view ending :
       {".gz", ".zst", ".graph-txt", ".hostgraph-txt", ".graph", ".bbg", ".edges", ".txt"}) {
    if (name.ends_with(ending) && name.size() > ending.size()) name.resize(name.size() - ending.size());
  }
  return name;
}

}  // namespace bowerbird
