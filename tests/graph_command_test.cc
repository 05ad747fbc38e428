// `bowerbird graph` as a user runs it.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/rng.h"
#include "process.h"

namespace bowerbird {
namespace {

using Json = nlohmann::json;

constexpr const char* kToy = "5\n1 2\n3 4\n1 4\n\n4\n";

TEST(GraphCommand, InfoCountsPagesAndLinksAsOneLineOfJson) {
  TemporaryFolder folder;
  write_text(folder / "toy.graph-txt", kToy);
  write_text(folder / "toy.urls", "http://a/\nhttp://a/1\nhttp://a/2\nhttp://b/\nhttp://b/1\n");
  const Json info = json_of(run_bowerbird({"graph", "info", folder / "toy", "--json"}));
  EXPECT_EQ(info.at("pages"), 5);
  EXPECT_EQ(info.at("links"), 7);
  EXPECT_EQ(info.at("dangling"), 1);
  EXPECT_EQ(info.at("hosts"), 2);
  EXPECT_NEAR(info.at("interhost").get<double>(), 3.0 / 7, 1e-12);
}

TEST(GraphCommand, EveryFormatRestoresTheGraph) {
  TemporaryFolder folder;
  const std::string first = folder / "web.graph-txt";
  ASSERT_EQ(run_bowerbird({"graph", "generate", first, "--pages", "3000", "--no-names"}).code, 0);
  std::string last = first;
  for (const char* name : {"a.bbg", "b.graph", "c.edges.zst", "d.bbg", "e.edges.gz", "f.graph-txt.gz"}) {
    const Finished converted = run_bowerbird({"graph", "convert", last, folder / name});
    ASSERT_EQ(converted.code, 0) << name << ": " << converted.err;
    last = folder / name;
  }
  const Finished text = run_bowerbird({"graph", "convert", last, "-", "--to", "ascii"});
  ASSERT_EQ(text.code, 0) << text.err;
  EXPECT_TRUE(text.out == read_text(first));
}

TEST(GraphCommand, RankFindsThePageThatAllLinkTo) {
  TemporaryFolder folder;
  write_text(folder / "toy.graph-txt", kToy);
  const Json rank =
      json_of(run_bowerbird({"graph", "rank", folder / "toy.graph-txt", "--top", "2", "--json"}));
  EXPECT_EQ(rank.at("top").at(0).at("page"), 4);
  EXPECT_TRUE(rank.at("converged").get<bool>());
}

TEST(GraphCommand, RankWritesAVectorThatOtherSoftwareCanRead) {
  TemporaryFolder folder;
  write_text(folder / "toy.graph-txt", kToy);
  ASSERT_EQ(run_bowerbird({"graph", "rank", folder / "toy.graph-txt", "--out", folder / "r.f64", "-q"}).code,
            0);
  const std::string bytes = read_text(folder / "r.f64");
  ASSERT_EQ(bytes.size(), 5 * sizeof(double));
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    double value = 0;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    sum += value;
  }
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(GraphCommand, BadInputIsReportedOnStderrWithFileAndLine) {
  TemporaryFolder folder;
  write_text(folder / "bad.graph-txt", "3\n1 2\n7\n\n");
  const Finished bad = run_bowerbird({"graph", "info", folder / "bad.graph-txt", "--json"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_EQ(bad.out, "");
  EXPECT_NE(bad.err.find("bad.graph-txt"), std::string::npos) << bad.err;
  EXPECT_NE(bad.err.find("3"), std::string::npos) << bad.err;
}

TEST(GraphCommand, StandardInputIsAGraphToo) {
  const Json info = json_of(run_bowerbird({"graph", "info", "-", "--json"}, kToy));
  EXPECT_EQ(info.at("links"), 7);
}

TEST(GraphCommand, ABillionPagesNeedNoFile) {
  const Finished rank = run_bowerbird({"graph", "rank", "synthetic:pages=4G", "--json"});
  EXPECT_EQ(rank.code, 1);
  EXPECT_NE(rank.err.find("memory"), std::string::npos) << rank.err;
  const Finished info = run_bowerbird({"graph", "info", "synthetic:pages=1G", "--json"});
  EXPECT_EQ(json_of(info).at("pages"), 1'000'000'000);
}

TEST(GraphCommand, GenerateReportsTheNumberOfLinks) {
  TemporaryFolder folder;
  for (const char* name : {"web.bbg", "web.graph", "web.edges"}) {
    const Json made =
        json_of(run_bowerbird({"graph", "generate", folder / name, "--pages", "2k", "--no-names", "--json"}));
    const Json info = json_of(run_bowerbird({"graph", "info", folder / name, "--json"}));
    EXPECT_EQ(made.at("links"), info.at("links")) << name;
  }
}

TEST(GraphCommand, ConvertReportsWhatTheNewFormatCannotStore) {
  TemporaryFolder folder;
  write_text(folder / "heavy.graph-txt", "2\n1:5\n0:7\n");
  write_text(folder / "numbers", "0\n1\n");
  const Finished weights =
      run_bowerbird({"graph", "convert", folder / "heavy.graph-txt", folder / "light.graph"});
  EXPECT_EQ(weights.code, 0);
  EXPECT_NE(weights.err.find("weights"), std::string::npos) << weights.err;
  const Finished hosts = run_bowerbird(
      {"graph", "convert", folder / "heavy.graph-txt", folder / "x.edges", "--hosts", folder / "numbers"});
  EXPECT_NE(hosts.err.find("host numbers"), std::string::npos) << hosts.err;
  const Finished whole = run_bowerbird(
      {"graph", "convert", folder / "heavy.graph-txt", folder / "x.bbg", "--hosts", folder / "numbers"});
  EXPECT_EQ(whole.code, 0);
  EXPECT_EQ(whole.err, "");
}

// After kill -9 the file is complete: the old or the new one.
TEST(GraphCommand, AKilledConversionLeavesTheOldFileOrTheNewOne) {
  TemporaryFolder folder;
  ASSERT_EQ(run_bowerbird({"graph", "generate", folder / "old.bbg", "--pages", "1000"}).code, 0);
  ASSERT_EQ(run_bowerbird({"graph", "generate", folder / "new.bbg", "--pages", "60000"}).code, 0);
  const std::string old = read_text(folder / "old.bbg");
  const std::string fresh = read_text(folder / "new.bbg");
  Rng rng(7);
  int killed = 0;
  for (int i = 0; i < 20; ++i) {
    std::filesystem::copy_file(folder / "old.bbg", folder / "out.bbg",
                               std::filesystem::copy_options::overwrite_existing);
    killed += run_and_kill({"graph", "convert", folder / "new.bbg", folder / "out.bbg", "-q"},
                           std::chrono::microseconds(rng.below(60'000)))
                  ? 1
                  : 0;
    const std::string found = read_text(folder / "out.bbg");
    ASSERT_TRUE(found == old || found == fresh) << "after " << i << " kills: " << found.size() << " bytes";
  }
  EXPECT_GT(killed, 0);
}

}  // namespace
}  // namespace bowerbird
