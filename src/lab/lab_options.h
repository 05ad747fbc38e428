// The options of the lab, and their table, which the command line, its help, experiment files and
// docs/options.md use.
//
// Plain data; threads: as a struct. The table is immutable; threads: any.
#pragma once

#include <span>
#include <string>

#include "base/option_row.h"
#include "lab/plan.h"
#include "lab/setting.h"

namespace bowerbird {

struct LabOptions {
  SettingOptions setting;
  TeamLists teams;
  PlanOptions plan;
  std::string topic;     // words, for the folder of a crawl; empty: none
  unsigned threads = 0;  // 0: all cores
  std::string out;       // folder for the results; empty: none
  bool details = false;

  // Sets the values that follow from others: the teams of the plan, the random seed of the setting.
  Status complete();
};

using LabOptionRow = OptionRow<LabOptions>;
std::span<const LabOptionRow> lab_option_table();

// The group of the options that only make sense with --procs.
inline constexpr std::string_view kLabProcesses = "Several processes";

}  // namespace bowerbird
