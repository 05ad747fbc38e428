// Exit codes and error messages of the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crawl_testing.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

std::vector<std::string> on_test_web(const CrawlBench& bench, const std::vector<std::string>& words) {
  std::vector<std::string> all = {"crawl",
                                  "--out",
                                  bench.options.out,
                                  "--connect-to",
                                  bench.options.network.connect_to,
                                  "--allow-net",
                                  "127.0.0.0/8",
                                  "--contact",
                                  "tests@bowerbird.example",
                                  "--no-durable"};
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

TEST(Usage, ChangedFixedOptionsAndBadUrlsAreUsageErrors) {
  CrawlBench bench(random_web(20, 5, 3));
  ASSERT_EQ(run_bowerbird(on_test_web(bench, {bench.page_url(0), "--scope", "any", "--delay", "0"})).code, 0);
  const Finished fixed = run_bowerbird({"crawl", "--out", bench.options.out, "--policy", "bfs"});
  EXPECT_EQ(fixed.code, 2);
  EXPECT_THAT(fixed.err, HasSubstr("--policy cannot change"));
  const Finished url = run_bowerbird({"why", bench.options.out, "nonsense"});
  EXPECT_EQ(url.code, 2);
  EXPECT_THAT(url.err, HasSubstr("'nonsense' is not a URL"));
}

TEST(Usage, AFileThatCannotBeReadIsAFailure) {
  const TemporaryFolder folder;
  const Finished seeds = run_bowerbird(
      {"crawl", "--seed-file", folder / "none.txt", "--out", folder / "x", "--contact", "me@example.org"});
  EXPECT_EQ(seeds.code, 1) << seeds.err;
  EXPECT_THAT(seeds.err, HasSubstr("none.txt"));
}

TEST(Usage, ExtractingNothingIsAFailure) {
  CrawlBench bench(random_web(5, 1, 2));
  ASSERT_EQ(run_bowerbird(on_test_web(bench, {bench.page_url(0), "--delay", "0"})).code, 0);
  const Finished none = run_bowerbird({"warc", "extract", bench.options.out, "--out", bench.folder / "pages",
                                       "--url", "http://nosuch.test/"});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("no page matches"));
}

TEST(Usage, EveryLineOfAWarningIsMarked) {
  CrawlBench bench(random_web(5, 1, 2));
  const std::string path = bench.folder / "seeds.txt";
  write_text(path, bench.page_url(0) + "\nftp://a.test/\nftp://b.test/\n");
  const Finished done =
      run_bowerbird(on_test_web(bench, {"--seed-file", path, "--skip-bad-seeds", "--delay", "0"}));
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("warning: " + path + ":2: "));
  EXPECT_THAT(done.err, HasSubstr("warning: " + path + ":3: "));
  EXPECT_THAT(done.err, HasSubstr("warning: " + path + ": 2 bad lines: skipped"));
}

TEST(Usage, DryRunShowsTheValuesThatAreUsed) {
  CrawlBench bench(random_web(5, 1, 2));
  const Finished done = run_bowerbird(on_test_web(bench, {bench.page_url(0), "--delay", "0", "--dry-run"}));
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("  delay-ip              auto: 0s  (default)\n"));
  EXPECT_THAT(done.out,
              HasSubstr("  delay-domain          auto: 0.5s; on --allow-net networks 0s  (default)\n"));
  EXPECT_THAT(done.out, HasSubstr("  user-agent            Bowerbird/"));
  EXPECT_THAT(done.out, HasSubstr("  seed-file             -  (default)\n"));
}

TEST(Usage, AResumeThatFetchesNothingHasNoRate) {
  CrawlBench bench(random_web(20, 5, 3));
  const Finished first =
      run_bowerbird(on_test_web(bench, {bench.page_url(0), "--scope", "any", "--delay", "0"}));
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("pages/s"));
  const Finished again = run_bowerbird({"crawl", "--out", bench.options.out});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, Not(HasSubstr("pages/s")));
}

// Port 1 of this machine refuses connections.
TEST(Usage, ACrawlThatFetchedNothingSaysWhy) {
  const TemporaryFolder folder;
  const Finished done =
      run_bowerbird({"crawl", "http://127.0.0.1:1/", "--allow-net", "127.0.0.0/8", "--contact",
                     "me@example.org", "--time", "1", "--no-durable", "--out", folder / "crawl"});
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.err, HasSubstr("last problem: 127.0.0.1:1: connection failed"));
}

}  // namespace
}  // namespace bowerbird
