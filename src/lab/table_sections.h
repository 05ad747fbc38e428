// A lab report's tables as cells of text, independent of their layout: table.h prints them for a terminal,
// latex.h for a paper.
//
// Pure functions; what they return refers to the report, which outlives it.
#pragma once

#include <string>
#include <vector>

#include "lab/experiment.h"

namespace bowerbird {

struct TableColumn {
  std::string head;
  std::vector<std::string> cells;  // one per row; "-" if there is no value
  std::vector<bool> best;          // among the rows that are not baselines; none if all are equally good
};

// Columns side by side under one title.
struct TableSection {
  std::string title;
  std::vector<TableColumn> columns;
};

// Rows are groups: best first by auc, baselines last.
struct Table {
  std::vector<const RunGroup*> rows;
  std::vector<TableSection> sections;  // none of them empty
};

// How early each ordering found the important pages; with repeats also confidence intervals, and the
// differences from the best ordering.
Table quality_table(const LabReport& report);

// The further models and yardsticks.
std::vector<Table> detail_tables(const LabReport& report);

// The cost of sharing the crawl, running it and keeping within a memory budget; without `ideal`, which is not
// a crawl.
std::vector<Table> cost_tables(const LabReport& report);

}  // namespace bowerbird
