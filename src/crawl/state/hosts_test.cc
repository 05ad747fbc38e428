#include "crawl/state/hosts.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

PolitenessOptions gate_delays() {
  PolitenessOptions made;
  made.delay_ms = 1000;
  made.ip_ms = 300;
  made.domain_ms = 400;
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
  hosts.set_addresses(hosts[a], {at("192.0.2.1")}, kNoTime, false);
  hosts.set_addresses(hosts[b], {at("192.0.2.2")}, kNoTime, false);
  hosts.set_addresses(hosts[c], {at("192.0.2.1")}, kNoTime, false);
  hosts.started(hosts[a], 10'000);
  EXPECT_EQ(hosts.earliest(a), kNoTime) << "one connection";
  EXPECT_EQ(hosts.earliest(b), 10'400) << "the same domain";
  EXPECT_EQ(hosts.earliest(c), 10'300) << "the same address";
  EXPECT_EQ(hosts.closed_gate(a), kOwnGate);
  EXPECT_NE(hosts.closed_gate(b), kOwnGate);
  EXPECT_NE(hosts.closed_gate(c), kOwnGate);
  EXPECT_NE(hosts.closed_gate(b), hosts.closed_gate(c));
  hosts.ended(hosts[a], 50);
  EXPECT_EQ(hosts.earliest(a), 11'000);
}

TEST(HostTable, ASlowHostIsAskedLessOften) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts.started(hosts[a], 0);
  hosts.ended(hosts[a], 4000);
  EXPECT_EQ(hosts.delay(hosts[a]), 8000);
  hosts.started(hosts[a], 10'000);
  hosts.ended(hosts[a], 1'000'000);
  EXPECT_EQ(hosts.delay(hosts[a]), 30'000) << "but not never";
}

TEST(HostTable, CrawlDelayIsAFloor) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts[a].origins[1].rules = std::make_shared<RobotsRules>(
      RobotsRules::make(parse_robots("user-agent: *\ncrawl-delay: 7\n"), "bowerbird"));
  EXPECT_EQ(hosts.delay(hosts[a]), 7000);
}

TEST(HostTable, CrawlDelayMayBeLongerThanAnHour) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts[a].origins[0].rules = std::make_shared<RobotsRules>(
      RobotsRules::make(parse_robots("user-agent: *\ncrawl-delay: 40000\n"), "bowerbird"));
  EXPECT_EQ(hosts.delay(hosts[a]), 40'000'000);
}

TEST(HostTable, EveryAddressOfAHostHasAGate) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example"), b = hosts.intern("b.test");
  hosts.set_addresses(hosts[a], {at("192.0.2.1"), at("2001:db8::2")}, kNoTime, false);
  hosts.set_addresses(hosts[b], {at("2001:db8::2")}, kNoTime, false);
  hosts.started(hosts[a], 10'000);
  EXPECT_EQ(hosts.earliest(b), 10'300) << "a connection to the other host may go there";
  hosts.started(hosts[b], 20'000);
  hosts.ended(hosts[a], 1);
  EXPECT_EQ(hosts.earliest(a), 20'300);
  EXPECT_EQ(hosts.shared_gates(hosts[a], Partitioning::kSiteHash).size(), 2u);
}

TEST(HostTable, HostsWithoutAUrlKeepTheirGates) {
  HostTable hosts(gate_delays());
  Host& stranger = hosts.any_host("victim.example");
  EXPECT_EQ(hosts.earliest_start(stranger), 0);
  hosts.started(stranger, 10'000);
  EXPECT_EQ(hosts.earliest_start(hosts.any_host("victim.example")), kNoTime);
  hosts.tidy(99'000);
  hosts.ended(hosts.any_host("victim.example"), 10);
  EXPECT_EQ(hosts.earliest_start(hosts.any_host("victim.example")), 11'000);
  const HostId id = hosts.intern("victim.example");
  EXPECT_EQ(hosts.earliest(id), 11'000);
  EXPECT_EQ(&hosts.any_host("victim.example"), &hosts[id]);
  EXPECT_EQ(hosts.take_changed(), std::vector<HostId>{id});
}

TEST(HostTable, AfterAResumeEveryDelayStartsAgain) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts[a].origins[0].rules = std::make_shared<RobotsRules>(
      RobotsRules::make(parse_robots("user-agent: *\ncrawl-delay: 3\n"), "bowerbird"));
  hosts.resume_at(50'000);
  EXPECT_EQ(hosts.earliest(a), 53'000);
  EXPECT_EQ(hosts.own_gate(a), 53'000);
}

TEST(HostTable, AnExplicitDelayAppliesToOwnNetworksToo) {
  PolitenessOptions asked = gate_delays();
  asked.delay_ms = 0;
  asked.adapt = 3;
  HostTable hosts(asked);
  const HostId a = hosts.intern("a.own.test"), b = hosts.intern("b.own.test"), c = hosts.intern("c.test");
  for (const HostId host : {a, b}) hosts.set_addresses(hosts[host], {at("127.0.0.1")}, kNoTime, true);
  hosts.set_addresses(hosts[c], {at("127.0.0.1")}, kNoTime, true);
  hosts.started(hosts[a], 10'000);
  EXPECT_EQ(hosts.earliest(b), 10'400) << "the delay of the domain";
  EXPECT_EQ(hosts.earliest(c), 10'300) << "the delay of the address";
  hosts.ended(hosts[a], 50);
  EXPECT_EQ(hosts.delay(hosts[a]), 150) << "three times the response time";
}

TEST(HostTable, DefaultsDoNotSlowDownOwnNetworks) {
  PolitenessOptions quick;
  quick.delay_ms = 50;
  HostTable hosts(quick);
  const HostId a = hosts.intern("a.own.test"), b = hosts.intern("b.own.test");
  const HostId c = hosts.intern("a.example.org"), d = hosts.intern("b.example.org");
  for (const HostId host : {a, b}) hosts.set_addresses(hosts[host], {at("127.0.0.1")}, kNoTime, true);
  for (const HostId host : {c, d}) hosts.set_addresses(hosts[host], {at("192.0.2.1")}, kNoTime, false);
  hosts.started(hosts[a], 10'000);
  hosts.started(hosts[c], 10'000);
  EXPECT_EQ(hosts.earliest(b), 10'050);
  EXPECT_EQ(hosts.earliest(d), 10'500);
}

TEST(HostTable, NoDelayIsAllowedOnOwnNetworksOnly) {
  PolitenessOptions none;
  none.delay_ms = 0;
  none.per_host = 4;
  HostTable hosts(none);
  const HostId own = hosts.intern("own.test"), other = hosts.intern("www.example.org");
  hosts.set_addresses(hosts[own], {at("127.0.0.1")}, kNoTime, true);
  hosts.set_addresses(hosts[other], {at("192.0.2.1")}, kNoTime, false);
  hosts.started(hosts[own], 5);
  EXPECT_EQ(hosts.earliest(own), 0);
  hosts.started(hosts[other], 5);
  EXPECT_EQ(hosts.earliest(other), kNoTime);
  hosts.ended(hosts[other], 1);
  EXPECT_EQ(hosts.earliest(other), 505) << "the gate of the domain is kept";
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
  for (HostTable* hosts : {&before, &after})
    hosts->set_addresses((*hosts)[b], {at("192.0.2.1")}, kNoTime, false);
  before.set_addresses(before[a], {at("192.0.2.1")}, kNoTime, false);
  before.started(before[a], 10'000);
  before.ended(before[a], 700);
  before.back_off(a, 99'000);
  std::string bytes;
  ByteWriter out(bytes);
  before.save_host(a, out);
  ByteReader in(bytes);
  after.load_host(a, in);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(after.earliest(a), before.earliest(a));
  EXPECT_EQ(after.delay(after[a]), before.delay(before[a]));
  EXPECT_EQ(after.earliest(b), 10'300) << "the gate of the address that both have";
  EXPECT_FALSE(after[a].resolved(0));
}

TEST(HostTable, ARequestWithoutAnAnswerDoesNotShortenTheDelay) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts.started(hosts[a], 0);
  hosts.ended(hosts[a], 10'000);
  const Time slow = hosts.delay(hosts[a]);
  FetchOutcome timeout;
  timeout.started_us = timeout.first_byte_us = 100'000'000;
  timeout.ended_us = 100'000'500;
  for (int i = 0; i < 4; ++i) {
    hosts.started(hosts[a], 100'000);
    hosts.ended(hosts[a], timeout);
  }
  EXPECT_EQ(hosts.delay(hosts[a]), slow);
  timeout.ended_us = 120'000'000;
  hosts.started(hosts[a], 100'000);
  hosts.ended(hosts[a], timeout);
  EXPECT_GT(hosts.delay(hosts[a]), slow);
}

TEST(HostTable, OtherNetworksAlwaysHaveAMinimumDelay) {
  PolitenessOptions none;
  none.delay_ms = 0;
  none.ip_ms = none.domain_ms = 0;
  HostTable hosts(none);
  const HostId a = hosts.intern("a.example.org"), b = hosts.intern("b.example.org"),
               c = hosts.intern("c.test");
  const HostId own = hosts.intern("own.test"), next = hosts.intern("next.own.test");
  for (const HostId host : {a, c}) hosts.set_addresses(hosts[host], {at("192.0.2.1")}, kNoTime, false);
  hosts.set_addresses(hosts[b], {at("192.0.2.2")}, kNoTime, false);
  for (const HostId host : {own, next}) hosts.set_addresses(hosts[host], {at("127.0.0.1")}, kNoTime, true);
  hosts.started(hosts[a], 10'000);
  EXPECT_EQ(hosts.earliest(b), 10'250) << "the same domain";
  EXPECT_EQ(hosts.earliest(c), 10'250) << "the same address";
  hosts.started(hosts[own], 10'000);
  EXPECT_EQ(hosts.earliest(next), 0);
}

}  // namespace
}  // namespace bowerbird
