#include "lab/lab_options.h"

#include <gtest/gtest.h>

#include <set>

#include "base/option_row_testing.h"
#include "lab/experiment_file.h"

namespace bowerbird {
namespace {

TEST(LabOptions, EveryRowIsReadFromAnExperimentFile) {
  std::set<std::string_view> names;
  for (const LabOptionRow& row : lab_option_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    const std::string value = other_value(row, {{"policies", "bfs,fpr@100"},
                                                {"strategies", "sydney@4"},
                                                {"seeds", "random:3"},
                                                {"importance", "backlink"},
                                                {"weights", "location=2"},
                                                {"threshold", "0.5"},
                                                {"buffer", "5%,100"},
                                                {"procs", "2,4"},
                                                {"mode", "firewall"},
                                                {"partition", "url-hash"}});
    LabOptions expected;
    ASSERT_TRUE(row.set(expected, value).ok()) << row.name;
    ASSERT_NE(row.texts(expected), row.texts(LabOptions())) << row.name;
    const std::string quote = row.is_switch() ? "" : "\"";
    const auto file = parse_experiment(
        fmt::format("{} = {}{}{}\n[[graph]]\npath = \"toy\"\n", row.name, quote, value, quote), "e.toml", "");
    ASSERT_TRUE(file.ok()) << file.error().text;
    EXPECT_EQ(row.texts(file->common), row.texts(expected)) << row.name;
    EXPECT_EQ(row.texts(file->graphs.front().options), row.texts(expected)) << row.name;
  }
}

TEST(LabOptions, EveryDefaultIsAValueThatCanBeGiven) {
  for (const LabOptionRow& row : lab_option_table()) {
    LabOptions options;
    const Status set = row.set(options, row.texts(LabOptions()));
    EXPECT_TRUE(set.ok()) << row.name << ": " << set.error().text;
    EXPECT_EQ(row.texts(options), row.texts(LabOptions())) << row.name;
  }
}

}  // namespace
}  // namespace bowerbird
