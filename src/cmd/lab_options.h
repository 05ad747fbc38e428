// The options of `bowerbird lab`, and what they ask for on one graph.
#pragma once

#include <cstdint>
#include <string>

#include "cmd/command_line.h"
#include "cmd/graph_options.h"
#include "lab/experiment.h"

namespace bowerbird {

// The command line as it is written; what must be parsed further is parsed by lab_subject().
struct LabCommand {
  GraphArgument graph;
  std::string policies = "all";
  std::string strategies = "all";
  std::string seeds;
  std::string importance = "pagerank";
  std::string weights = "similarity=1,backlink=1";
  std::string threshold = "10%";
  std::string buffer;
  std::string pages;
  std::string memory;
  std::string location_suffixes = ".com";
  std::string location_strings = "home";
  double location_bonus = 0.5;
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
// How a graph is called where nobody gave it a name.
std::string graph_name(const std::string& path);

}  // namespace bowerbird
