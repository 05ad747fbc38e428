// An experiment file: TOML that names several webs and what to run on each.
//
//   policies = ["fpr", "opic"]        # what the options of `bowerbird lab` say, under the same names
//   seeds = "top:160"
//
//   [[graph]]
//   path = "cnr-2000"                 # relative to this file
//   hosts = "cnr-2000.blocks"
//   seeds = "top:50"                  # for this one alone
//
// A [[graph]] may also have all top-level options, except those for the whole file (kWholeFile). Unknown keys
// and bad values are errors with line and column, all reported at once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/lab_options.h"

namespace bowerbird {

struct GraphExperiment {
  std::string path;
  std::string hosts;  // a file of one host number per page, or empty
  LabOptions options;
};

struct ExperimentFile {
  std::vector<GraphExperiment> graphs;  // at least one
  LabOptions common;                    // top-level options, for all graphs
};

// `name` is used in messages; relative paths in the file are relative to `folder`.
Result<ExperimentFile> parse_experiment(std::string_view text, const std::string& name,
                                        const std::string& folder);

// The default name of a graph: its path without folder and extensions.
std::string graph_name(const std::string& path);

}  // namespace bowerbird
