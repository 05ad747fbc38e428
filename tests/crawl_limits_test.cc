// A crawl within the limits of its process.
#include <gtest/gtest.h>

#include "fleet_testing.h"

namespace bowerbird {
namespace {

// Connections to visited hosts are kept for a while, but never more than the limit of open files allows.
TEST(CrawlLimits, ManyHostsAreCrawledWithFewOpenFiles) {
  CrawlBench bench(random_web(300, 1, 4));
  const std::string log = bench.folder / "log";
  const std::string command = fmt::format(
      "ulimit -n 96; exec {} crawl {} --out {} --contact tests@bowerbird.example --scope any --policy bfs "
      "--connect-to {} --allow-net 127.0.0.0/8 --delay 0 --no-durable --no-traps",
      BOWERBIRD_BINARY, bench.page_url(0), bench.options.out, bench.options.network.connect_to);
  Process crawl({"-c", command}, log, "/bin/sh");
  EXPECT_EQ(crawl.wait(), 0) << read_text(log);
  const auto reader = CrawlReader::open(bench.options.out);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ((*reader)->crawled(), 300u) << read_text(log);
}

}  // namespace
}  // namespace bowerbird
