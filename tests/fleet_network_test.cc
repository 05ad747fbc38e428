// Two machines, simulated by a network namespace with its own file system; the link between them is cut and
// restored.
#include <gtest/gtest.h>

#include "fleet_judges.h"
#include "fleet_testing.h"

namespace bowerbird {
namespace {

constexpr char kIp[] = "/usr/sbin/ip";

int ip(const std::string& words) {
  return std::system(fmt::format("{} {} > /dev/null 2>&1", kIp, words).c_str());
}

// A namespace behind a pair of virtual devices; removed with the object.
struct OtherMachine {
  std::string name = fmt::format("bb{}", ::getpid());
  std::string link = fmt::format("bb{}a", ::getpid() % 100000);
  std::string far = fmt::format("bb{}b", ::getpid() % 100000);
  std::string net = fmt::format("10.{}.{}", 200 + ::getpid() % 50, ::getpid() / 50 % 250);
  bool good = false;

  OtherMachine() {
    good = ::access(kIp, X_OK) == 0 && ip("netns add " + name) == 0 &&
           ip(fmt::format("link add {} type veth peer name {}", link, far)) == 0 &&
           ip(fmt::format("link set {} netns {}", far, name)) == 0 &&
           ip(fmt::format("addr add {}.1/24 dev {}", net, link)) == 0 &&
           ip(fmt::format("link set {} up", link)) == 0 &&
           ip(fmt::format("-n {} addr add {}.2/24 dev {}", name, net, far)) == 0 &&
           ip(fmt::format("-n {} link set {} up", name, far)) == 0 &&
           ip(fmt::format("-n {} link set lo up", name)) == 0;
  }
  ~OtherMachine() {
    ip("link del " + link);
    ip("netns del " + name);
  }
};

TEST(FleetNetwork, ALinkThatIsCutAndRestoredLosesNothingFull) {
  SKIP_WITHOUT_NATS();
  const OtherMachine other;
  if (!other.good) GTEST_SKIP() << "network namespaces need root and iproute2";
  constexpr PageId kPages = 2000;
  SiteOptions site;
  site.latency_ms = 50;
  FleetBench bench(random_web(kPages, 10, 4), site);
  ServerOptions server_options;
  server_options.port = 0;
  server_options.addresses = {other.net + ".1"};
  server_options.anywhere = true;  // on this machine and in the namespace
  server_options.log = &bench.sink;
  auto server = serve_site(*bench.site, server_options);
  ASSERT_TRUE(server.ok()) << server.error().text;
  bench.options.network.connect_to = (*server)->addresses().front();
  auto nats = LocalServer::start(bench.folder / "nats2", 0, other.net + ".1");
  ASSERT_TRUE(nats.ok()) << nats.error().text;
  bench.nats = std::move(*nats);
  bench.lease = "4";
  bench.policy = "opic";
  // With logs, p1 would be taken over while it is cut off (tools/chaos).
  bench.more = {"--allow-net", "10.0.0.0/8", "--patience", "0.1", "--replicate-state", "none"};
  bench.run("p0", 2);
  // Its folder is on a disk that the first machine cannot read.
  const std::string hidden = bench.dir("far");
  std::filesystem::create_directories(hidden);
  std::string crawl = BOWERBIRD_BINARY;
  for (std::string word : bench.args("p1", 2)) {
    if (word == bench.dir("p1")) word = hidden + "/p1";
    crawl += " '" + word + "'";
  }
  const std::string script =
      fmt::format("mount -t tmpfs none {0} && {1}; code=$?; cp -r {0}/p1 {2}; exit $code", hidden, crawl,
                  bench.dir("p1"));
  Process far({"netns", "exec", other.name, "sh", "-c", script}, bench.dir("p1.log"), kIp);
  bench.wait_for_requests(400);
  std::size_t before = 0;  // since the link was last cut
  for (const auto apart : {std::chrono::seconds(2), std::chrono::seconds(10)}) {
    before = bench.requests();
    ip(fmt::format("link set {} down", other.link));
    std::this_thread::sleep_for(apart);
    ip(fmt::format("link set {} up", other.link));
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }
  EXPECT_EQ(bench.processes["p0"]->wait(), 0) << bench.said("p0");
  EXPECT_EQ(far.wait(), 0) << bench.said("p1");
  std::filesystem::remove_all(hidden);
  cash_is_conserved(bench, {"p0", "p1"}, kPages);
  all_merged(bench, kPages);
  EXPECT_LT(before, kPages);
  EXPECT_GT(bench.stored_by({"p1"}).size(), 100u);
  (*server)->stop();
}

}  // namespace
}  // namespace bowerbird
