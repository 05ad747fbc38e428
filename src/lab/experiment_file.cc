#include "lab/experiment_file.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "base/suggest.h"
#include "base/units.h"
#include "policy/spec.h"
#include "sys/file.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace bowerbird {
namespace {

class Reader {
 public:
  Reader(std::string name, std::string folder) : name_(std::move(name)), folder_(std::move(folder)) {}

  Result<ExperimentFile> read(std::string_view text) {
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
      const toml::parse_error& e = parsed.error();
      return error("{}:{}:{}: {}", name_, e.source().begin.line, e.source().begin.column, e.description());
    }
    GraphExperiment common;
    read_keys(parsed.table(), common, true);
    if (const toml::node* graphs = parsed.table().get("graph")) {
      read_graphs(*graphs, common);
    } else {
      complaints_.push_back(
          fmt::format("{}: no [[graph]] in it; name at least one, with path = \"...\"", name_));
    }
    if (!complaints_.empty()) return Error{fmt::format("{}", fmt::join(complaints_, "\n"))};
    return std::move(file_);
  }

 private:
  using Handler = std::function<void(const toml::node&)>;

  template <typename... Args>
  void complain(const toml::node& at, fmt::format_string<Args...> format, Args&&... args) {
    complaints_.push_back(fmt::format("{}:{}:{}: {}", name_, at.source().begin.line, at.source().begin.column,
                                      fmt::format(format, std::forward<Args>(args)...)));
  }

  void read_graphs(const toml::node& graphs, const GraphExperiment& common) {
    const toml::array* list = graphs.as_array();
    if (list == nullptr || !list->is_array_of_tables() || list->empty()) {
      complain(graphs, "graph must be a list of tables, each begun by [[graph]]");
      return;
    }
    for (const toml::node& node : *list) {
      GraphExperiment graph = common;
      read_keys(*node.as_table(), graph, false);
      if (graph.path.empty()) complain(node, "this [[graph]] has no path");
      if (auto teams = all_teams(graph.teams); teams.ok()) {
        graph.plan.teams = std::move(teams).value();
      } else {
        complain(node, "{}", teams.error().text);
      }
      file_.graphs.push_back(std::move(graph));
    }
  }

  void read_keys(const toml::table& table, GraphExperiment& into, bool top) {
    std::map<std::string, Handler> handlers = common_handlers(into);
    if (top) {
      add_top_handlers(handlers, into);
    } else {
      add_graph_handlers(handlers, into);
    }
    for (const auto& [key, node] : table) {
      const std::string word(key.str());
      if (top && word == "graph") continue;
      if (const auto handler = handlers.find(word); handler != handlers.end()) {
        handler->second(node);
        continue;
      }
      std::vector<std::string> names;
      for (const auto& [known, unused] : handlers) names.push_back(known);
      complaints_.push_back(fmt::format("{}:{}:{}: unknown key '{}'{}{}", name_, key.source().begin.line,
                                        key.source().begin.column, word, top ? "" : " in [[graph]]",
                                        did_you_mean(word, names)));
    }
  }

  std::map<std::string, Handler> common_handlers(GraphExperiment& into) {
    return {
        {"policies", [&](const toml::node& node) { read_specs(node, into.plan.policies); }},
        {"strategies", [&](const toml::node& node) { read_specs(node, into.plan.strategies); }},
        {"seeds", parsed_by(SeedSpec::parse, into.setting.seeds)},
        {"importance", parsed_by(parse_importance, into.setting.importance)},
        {"weights", parsed_by(parse_weights, into.setting.weights)},
        {"topic", [&](const toml::node& node) { read_text(node, into.topic); }},
        {"threshold", parsed_by(Threshold::parse, into.setting.threshold)},
        {"buffer", [&](const toml::node& node) { read_buffers(node, into.setting.buffers); }},
        {"pages", [&](const toml::node& node) { read_count(node, into.setting.page_budget); }},
        {"seed",
         [&](const toml::node& node) {
           read_count(node, into.setting.random_seed);
           into.plan.random_seed = into.setting.random_seed;
         }},
        {"location-suffixes",
         [&](const toml::node& node) { read_list(node, into.setting.location.host_suffixes); }},
        {"location-strings", [&](const toml::node& node) { read_list(node, into.setting.location.strings); }},
        {"location-bonus",
         [&](const toml::node& node) { read_number(node, 0, 1000, into.setting.location.bonus); }},
        {"procs", [&](const toml::node& node) { read_list(node, into.teams.procs); }},
        {"mode", [&](const toml::node& node) { read_list(node, into.teams.modes); }},
        {"partition", [&](const toml::node& node) { read_list(node, into.teams.partitions); }},
        {"partition-rules", [&](const toml::node& node) { read_text(node, into.teams.common.rules); }},
        {"coordination", parsed_by(parse_coordination, into.teams.common.coordination)},
        {"batch",
         [&](const toml::node& node) {
           std::uint64_t batch = 0;
           if (!read_count(node, batch)) return;
           if (batch == 0 || batch > 1'000'000'000)
             return complain(node, "a number from 1 to 1,000,000,000 is expected");
           into.teams.common.batch = static_cast<std::uint32_t>(batch);
         }},
        {"replicate", [&](const toml::node& node) { read_count(node, into.teams.common.replicate); }},
        {"learn", [&](const toml::node& node) { read_flag(node, into.teams.common.learn); }},
        {"scores", [&](const toml::node& node) { read_flag(node, into.teams.common.scores); }},
        {"memory", parsed_by(parse_bytes, into.plan.memory)},
        {"baselines", [&](const toml::node& node) { read_flag(node, into.plan.baselines); }},
    };
  }

  void add_top_handlers(std::map<std::string, Handler>& handlers, GraphExperiment& into) {
    handlers["repeat"] = [&](const toml::node& node) { read_small(node, into.plan.repeat); };
    handlers["threads"] = [&](const toml::node& node) { read_small(node, file_.threads); };
    handlers["out"] = [&](const toml::node& node) { read_path(node, file_.out); };
  }

  void add_graph_handlers(std::map<std::string, Handler>& handlers, GraphExperiment& into) {
    handlers["name"] = [&](const toml::node& node) { read_text(node, into.setting.name); };
    handlers["path"] = [&](const toml::node& node) { read_path(node, into.path); };
    handlers["hosts"] = [&](const toml::node& node) { read_path(node, into.hosts); };
  }

  bool read_text(const toml::node& node, std::string& into) {
    const auto text = node.value_exact<std::string>();
    if (!text || text->empty()) {
      complain(node, "a text in quotes is expected");
      return false;
    }
    into = *text;
    return true;
  }

  void read_path(const toml::node& node, std::string& into) {
    std::string path;
    if (!read_text(node, path)) return;
    // "synthetic:pages=1M" is a web without a file.
    const bool computed = path.find(':') != std::string::npos && path.find('/') == std::string::npos;
    into = computed ? path : (std::filesystem::path(folder_) / path).string();
  }

  // A number, or a text such as "10%", for what the command line would parse.
  bool read_word(const toml::node& node, std::string& into) {
    if (const auto number = node.value_exact<std::int64_t>()) {
      into = fmt::format("{}", *number);
    } else if (const auto real = node.value_exact<double>()) {
      into = fmt::format("{}", *real);
    } else {
      return read_text(node, into);
    }
    return true;
  }

  template <typename Parse, typename T>
  Handler parsed_by(Parse parse, T& into) {
    return [this, parse, &into](const toml::node& node) {
      std::string word;
      if (!read_word(node, word)) return;
      auto value = parse(word);
      if (value.ok()) {
        into = std::move(value).value();
      } else {
        complain(node, "{}", value.error().text);
      }
    };
  }

  // A list, or one word.
  void read_list(const toml::node& node, std::vector<std::string>& into) {
    into.clear();
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) {
        if (!read_word(item, into.emplace_back())) into.pop_back();
      }
    } else if (std::string text; read_word(node, text)) {
      into.push_back(std::move(text));
    }
  }

  // A list, or one text as on the command line.
  void read_specs(const toml::node& node, std::vector<std::string>& into) {
    read_list(node, into);
    if (node.is_array() || into.empty()) return;
    auto specs = split_specs(into.front());
    if (specs.ok()) {
      into = std::move(specs).value();
    } else {
      complain(node, "{}", specs.error().text);
    }
  }

  void read_buffers(const toml::node& node, std::vector<BufferSize>& into) {
    std::vector<std::string> words;
    read_list(node, words);
    auto sizes = parse_buffers(words);
    if (sizes.ok()) {
      into = std::move(sizes).value();
    } else {
      complain(node, "{}", sizes.error().text);
    }
  }

  bool read_count(const toml::node& node, std::uint64_t& into) {
    std::string word;
    if (!read_word(node, word)) return false;
    const auto count = parse_count(word);
    if (!count.ok()) {
      complain(node, "{}", count.error().text);
      return false;
    }
    into = *count;
    return true;
  }

  void read_small(const toml::node& node, unsigned& into) {
    std::uint64_t count = 0;
    if (!read_count(node, count)) return;
    if (count == 0 || count > 10'000) {
      complain(node, "a number from 1 to 10,000 is expected");
    } else {
      into = static_cast<unsigned>(count);
    }
  }

  void read_number(const toml::node& node, double low, double high, double& into) {
    const auto number = node.value<double>();
    if (number && *number >= low && *number <= high) {
      into = *number;
    } else {
      complain(node, "a number from {} to {} is expected", low, high);
    }
  }

  void read_flag(const toml::node& node, bool& into) {
    if (const auto flag = node.value_exact<bool>()) {
      into = *flag;
    } else {
      complain(node, "true or false is expected");
    }
  }

  std::string name_;
  std::string folder_;
  ExperimentFile file_;
  std::vector<std::string> complaints_;
};

}  // namespace

Result<ExperimentFile> parse_experiment(std::string_view text, const std::string& name,
                                        const std::string& folder) {
  return Reader(name, folder).read(text);
}

Result<ExperimentFile> read_experiment(const std::string& path) {
  BB_TRY(const auto file, MappedFile::open(path));
  return parse_experiment(file->text(), path, std::filesystem::path(path).parent_path().string());
}

}  // namespace bowerbird
