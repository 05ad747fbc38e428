#include "crawl/state/hosts.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

PolitenessOptions gate_delays() {
  PolitenessOptions made;
  made.delay_ms = 1000;
  made.ip_ms = 200;
  made.domain_ms = 300;
  return made;
}

NetAddress at(std::string_view text) {
  return NetAddress::parse(text).value();
}

TEST(HostTable, NumbersHostsInTheOrderTheyCome) {
  HostTable hosts(gate_delays());
  EXPECT_EQ(hosts.intern("a.example"), 0u);
  EXPECT_EQ(hosts.intern("b.example:81"), 1u);
  EXPECT_EQ(hosts.intern("a.example"), 0u);
  EXPECT_EQ(hosts.find("b.example:81"), 1u);
  EXPECT_EQ(hosts.find("c.example"), kNoHost);
}

TEST(HostTable, GatesAreIntervalsBetweenStarts) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example.org"), b = hosts.intern("b.example.org"),
               c = hosts.intern("other.example");
  hosts.set_address(a, at("192.0.2.1"), false);
  hosts.set_address(b, at("192.0.2.2"), false);
  hosts.set_address(c, at("192.0.2.1"), false);
  hosts.started(a, 10'000);
  EXPECT_EQ(hosts.earliest(a), kNoTime) << "one connection";
  EXPECT_EQ(hosts.earliest(b), 10'300) << "the same domain";
  EXPECT_EQ(hosts.earliest(c), 10'200) << "the same address";
  hosts.ended(a, 50);
  EXPECT_EQ(hosts.earliest(a), 11'000);
}

TEST(HostTable, ASlowHostIsAskedLessOften) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts.started(a, 0);
  hosts.ended(a, 4000);
  EXPECT_EQ(hosts.delay(hosts[a]), 8000);
  hosts.started(a, 10'000);
  hosts.ended(a, 1'000'000);
  EXPECT_EQ(hosts.delay(hosts[a]), 30'000) << "but not never";
}

TEST(HostTable, CrawlDelayIsAFloor) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts[a].origins[1].rules = std::make_shared<RobotsRules>(
      RobotsRules::make(parse_robots("user-agent: *\ncrawl-delay: 7\n"), "bowerbird"));
  EXPECT_EQ(hosts.delay(hosts[a]), 7000);
}

TEST(HostTable, NoDelayIsForOnesOwnNetworkAlone) {
  PolitenessOptions none = gate_delays();
  none.delay_ms = 0;
  none.per_host = 4;
  HostTable hosts(none);
  const HostId own = hosts.intern("own.test"), other = hosts.intern("www.example.org");
  hosts.set_address(own, at("127.0.0.1"), true);
  hosts.set_address(other, at("192.0.2.1"), false);
  hosts.started(own, 5);
  EXPECT_EQ(hosts.earliest(own), 0);
  hosts.started(other, 5);
  EXPECT_EQ(hosts.earliest(other), kNoTime);
  hosts.ended(other, 1);
  EXPECT_EQ(hosts.earliest(other), 305) << "the gate of the domain is kept";
}

TEST(HostTable, BackingOffOnlyEverDelays) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts.back_off(a, 60'000);
  hosts.back_off(a, 30'000);
  EXPECT_EQ(hosts.earliest(a), 60'000);
}

TEST(HostTable, PolitenessSurvivesARestart) {
  HostTable before(gate_delays()), after(gate_delays());
  const HostId a = before.intern("a.example"), b = before.intern("b.test");
  after.intern("a.example");
  after.intern("b.test");
  for (HostTable* hosts : {&before, &after}) hosts->set_address(b, at("192.0.2.1"), false);
  before.set_address(a, at("192.0.2.1"), false);
  before.started(a, 10'000);
  before.ended(a, 700);
  before.back_off(a, 99'000);
  std::string bytes;
  ByteWriter out(bytes);
  before.save_host(a, out);
  ByteReader in(bytes);
  after.load_host(a, in);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(after.earliest(a), before.earliest(a));
  EXPECT_EQ(after.delay(after[a]), before.delay(before[a]));
  EXPECT_EQ(after.earliest(b), 10'200) << "the gate of the address that both have";
  EXPECT_FALSE(after[a].resolved);
}

}  // namespace
}  // namespace bowerbird
