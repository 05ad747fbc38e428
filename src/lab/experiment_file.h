// An experiment written down: a TOML file that names several webs and what to run on each.
//
//   policies = ["fpr", "opic"]        # what the options of `bowerbird lab` say, under the same names
//   seeds = "top:160"
//
//   [[graph]]
//   path = "cnr-2000"                 # relative to this file
//   hosts = "cnr-2000.blocks"
//   seeds = "top:50"                  # for this one alone
//
// Whatever may stand at the top may stand in a [[graph]] as well, where it counts for that graph, except out,
// threads and repeat. Unknown keys and bad values are errors with line and column; all of them come at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/plan.h"
#include "lab/setting.h"

namespace bowerbird {

struct GraphExperiment {
  std::string path;
  std::string hosts;  // a file of one number a page, or empty
  std::string topic;  // words, where the path is the folder of a crawl, or empty
  SettingOptions setting;
  TeamLists teams;
  PlanOptions plan;
};

struct ExperimentFile {
  std::vector<GraphExperiment> graphs;  // at least one
  std::string out;                      // folder for the results, or empty
  unsigned threads = 0;                 // 0 = as many as there are cores
};

// `name` is for the messages; relative paths in it are made relative to `folder`.
Result<ExperimentFile> parse_experiment(std::string_view text, const std::string& name,
                                        const std::string& folder);
Result<ExperimentFile> read_experiment(const std::string& path);

}  // namespace bowerbird
