// The options of `bowerbird lab`, and what they ask for on one graph; those about importance and where a
// crawl began are also those of `bowerbird lab refresh`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cmd/command_line.h"
#include "cmd/graph_options.h"
#include "lab/experiment.h"

namespace bowerbird {

// What counts as important.
struct ImportanceChoice {
  std::string metric = "pagerank";
  std::string weights = "similarity=1,backlink=1";
  std::string location_suffixes = ".com";
  std::string location_strings = "home";
  double location_bonus = 0.5;
};
// topic: the words that --topic takes.
void add_importance_options(CLI::App& app, ImportanceChoice& choice, std::string& topic);
Status set_importance(const ImportanceChoice& choice, SettingOptions& setting);

// The command line as it is written; what must be parsed further is parsed by lab_subject().
struct LabCommand {
  GraphArgument graph;
  std::string policies = "all";
  std::string strategies = "all";
  std::string seeds;
  ImportanceChoice importance;
  std::string threshold = "10%";
  std::string buffer;
  std::string pages;
  std::string memory;
  unsigned repeat = 1;
  std::uint64_t random_seed = 1;
  unsigned threads = default_threads();
  std::string procs;
  std::string coordination = "static";
  std::string partition = "site-hash";
  std::string mode = "exchange";
  std::string rules;
  TeamOptions team;
  bool no_scores = false;
  std::string out;
  bool details = false;
  bool no_baselines = false;
};

// One graph of an experiment, with how to open it.
struct Subject {
  GraphArgument graph;
  SettingOptions setting;
  PlanOptions plan;
};

void add_lab_options(CLI::App& app, LabCommand& command);
Result<Subject> lab_subject(const LabCommand& command);
// If the graph is a crawl folder: only the links that the crawl followed, and its seeds unless others are
// set.
Status use_own_crawl(GraphArgument& graph, std::optional<SeedSpec>& seeds);
// How a graph is called where nobody gave it a name.
std::string graph_name(const std::string& path);

}  // namespace bowerbird
