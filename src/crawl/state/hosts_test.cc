#include "crawl/state/hosts.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

PolitenessOptions gate_delays() {
  PolitenessOptions made;
  made.delay = 1s;
  made.ip_delay = 300ms;
  made.domain_delay = 400ms;
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
  hosts.set_addresses(hosts[a], {at("192.0.2.1")}, kNever, false);
  hosts.set_addresses(hosts[b], {at("192.0.2.2")}, kNever, false);
  hosts.set_addresses(hosts[c], {at("192.0.2.1")}, kNever, false);
  hosts.started(hosts[a], Time(10s));
  EXPECT_EQ(hosts.earliest(a), kNever) << "one connection";
  EXPECT_EQ(hosts.earliest(b), Time(10'400ms)) << "the same domain";
  EXPECT_EQ(hosts.earliest(c), Time(10'300ms)) << "the same address";
  EXPECT_EQ(hosts.closed_gate(a), kOwnGate);
  EXPECT_NE(hosts.closed_gate(b), kOwnGate);
  EXPECT_NE(hosts.closed_gate(c), kOwnGate);
  EXPECT_NE(hosts.closed_gate(b), hosts.closed_gate(c));
  hosts.ended(hosts[a], 50ms);
  EXPECT_EQ(hosts.earliest(a), Time(11s));
}

TEST(HostTable, ASlowHostIsAskedLessOften) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts.started(hosts[a], Time{});
  hosts.ended(hosts[a], 4s);
  EXPECT_EQ(hosts.delay(hosts[a]), 8s);
  hosts.started(hosts[a], Time(10s));
  hosts.ended(hosts[a], 1000s);
  EXPECT_EQ(hosts.delay(hosts[a]), 30s) << "but not never";
}

TEST(HostTable, CrawlDelayIsAFloor) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts[a].origins[1].rules = std::make_shared<RobotsRules>(
      RobotsRules::make(parse_robots("user-agent: *\ncrawl-delay: 7\n"), "bowerbird"));
  EXPECT_EQ(hosts.delay(hosts[a]), 7s);
}

TEST(HostTable, CrawlDelayMayBeLongerThanAnHour) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts[a].origins[0].rules = std::make_shared<RobotsRules>(
      RobotsRules::make(parse_robots("user-agent: *\ncrawl-delay: 40000\n"), "bowerbird"));
  EXPECT_EQ(hosts.delay(hosts[a]), 40'000s);
}

TEST(HostTable, EveryAddressOfAHostHasAGate) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example"), b = hosts.intern("b.test");
  hosts.set_addresses(hosts[a], {at("192.0.2.1"), at("2001:db8::2")}, kNever, false);
  hosts.set_addresses(hosts[b], {at("2001:db8::2")}, kNever, false);
  hosts.started(hosts[a], Time(10s));
  EXPECT_EQ(hosts.earliest(b), Time(10'300ms)) << "a connection to the other host may go there";
  hosts.started(hosts[b], Time(20s));
  hosts.ended(hosts[a], 1ms);
  EXPECT_EQ(hosts.earliest(a), Time(20'300ms));
  EXPECT_EQ(hosts.shared_gates(hosts[a], Partitioning::kSiteHash).size(), 2u);
}

TEST(HostTable, HostsWithoutAUrlKeepTheirGates) {
  HostTable hosts(gate_delays());
  Host& stranger = hosts.any_host("victim.example");
  EXPECT_EQ(hosts.earliest_start(stranger), Time{});
  hosts.started(stranger, Time(10s));
  EXPECT_EQ(hosts.earliest_start(hosts.any_host("victim.example")), kNever);
  hosts.tidy(Time(99s));
  hosts.ended(hosts.any_host("victim.example"), 10ms);
  EXPECT_EQ(hosts.earliest_start(hosts.any_host("victim.example")), Time(11s));
  const HostId id = hosts.intern("victim.example");
  EXPECT_EQ(hosts.earliest(id), Time(11s));
  EXPECT_EQ(&hosts.any_host("victim.example"), &hosts[id]);
  EXPECT_EQ(hosts.take_changed(), std::vector<HostId>{id});
}

TEST(HostTable, AfterAResumeEveryDelayStartsAgain) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts[a].origins[0].rules = std::make_shared<RobotsRules>(
      RobotsRules::make(parse_robots("user-agent: *\ncrawl-delay: 3\n"), "bowerbird"));
  hosts.resume_at(Time(50s));
  EXPECT_EQ(hosts.earliest(a), Time(53s));
  EXPECT_EQ(hosts.own_gate(a), Time(53s));
}

TEST(HostTable, AnExplicitDelayAppliesToOwnNetworksToo) {
  PolitenessOptions asked = gate_delays();
  asked.delay = 0ms;
  asked.adapt = 3;
  HostTable hosts(asked);
  const HostId a = hosts.intern("a.own.test"), b = hosts.intern("b.own.test"), c = hosts.intern("c.test");
  for (const HostId host : {a, b}) hosts.set_addresses(hosts[host], {at("127.0.0.1")}, kNever, true);
  hosts.set_addresses(hosts[c], {at("127.0.0.1")}, kNever, true);
  hosts.started(hosts[a], Time(10s));
  EXPECT_EQ(hosts.earliest(b), Time(10'400ms)) << "the delay of the domain";
  EXPECT_EQ(hosts.earliest(c), Time(10'300ms)) << "the delay of the address";
  hosts.ended(hosts[a], 50ms);
  EXPECT_EQ(hosts.delay(hosts[a]), 150ms) << "three times the response time";
}

TEST(HostTable, DefaultsDoNotSlowDownOwnNetworks) {
  PolitenessOptions quick;
  quick.delay = 50ms;
  HostTable hosts(quick);
  const HostId a = hosts.intern("a.own.test"), b = hosts.intern("b.own.test");
  const HostId c = hosts.intern("a.example.org"), d = hosts.intern("b.example.org");
  for (const HostId host : {a, b}) hosts.set_addresses(hosts[host], {at("127.0.0.1")}, kNever, true);
  for (const HostId host : {c, d}) hosts.set_addresses(hosts[host], {at("192.0.2.1")}, kNever, false);
  hosts.started(hosts[a], Time(10s));
  hosts.started(hosts[c], Time(10s));
  EXPECT_EQ(hosts.earliest(b), Time(10'050ms));
  EXPECT_EQ(hosts.earliest(d), Time(10'500ms));
}

TEST(HostTable, NoDelayIsAllowedOnOwnNetworksOnly) {
  PolitenessOptions none;
  none.delay = 0ms;
  none.per_host = 4;
  HostTable hosts(none);
  const HostId own = hosts.intern("own.test"), other = hosts.intern("www.example.org");
  hosts.set_addresses(hosts[own], {at("127.0.0.1")}, kNever, true);
  hosts.set_addresses(hosts[other], {at("192.0.2.1")}, kNever, false);
  hosts.started(hosts[own], Time(5ms));
  EXPECT_EQ(hosts.earliest(own), Time{});
  hosts.started(hosts[other], Time(5ms));
  EXPECT_EQ(hosts.earliest(other), kNever);
  hosts.ended(hosts[other], 1ms);
  EXPECT_EQ(hosts.earliest(other), Time(505ms)) << "the gate of the domain is kept";
}

TEST(HostTable, BackingOffOnlyEverDelays) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts.back_off(a, Time(60s));
  hosts.back_off(a, Time(30s));
  EXPECT_EQ(hosts.earliest(a), Time(60s));
}

TEST(HostTable, PolitenessSurvivesARestart) {
  HostTable before(gate_delays()), after(gate_delays());
  const HostId a = before.intern("a.example"), b = before.intern("b.test");
  after.intern("a.example");
  after.intern("b.test");
  for (HostTable* hosts : {&before, &after})
    hosts->set_addresses((*hosts)[b], {at("192.0.2.1")}, kNever, false);
  before.set_addresses(before[a], {at("192.0.2.1")}, kNever, false);
  before.started(before[a], Time(10s));
  before.ended(before[a], 700ms);
  before.back_off(a, Time(99s));
  std::string bytes;
  ByteWriter out(bytes);
  before.save_host(a, out);
  ByteReader in(bytes);
  after.load_host(a, in);
  EXPECT_TRUE(in.ok());
  EXPECT_EQ(after.earliest(a), before.earliest(a));
  EXPECT_EQ(after.delay(after[a]), before.delay(before[a]));
  EXPECT_EQ(after.earliest(b), Time(10'300ms)) << "the gate of the address that both have";
  EXPECT_FALSE(after[a].resolved(Time{}));
}

TEST(HostTable, ARequestWithoutAnAnswerDoesNotShortenTheDelay) {
  HostTable hosts(gate_delays());
  const HostId a = hosts.intern("a.example");
  hosts.started(hosts[a], Time{});
  hosts.ended(hosts[a], 10s);
  const Duration slow = hosts.delay(hosts[a]);
  FetchOutcome timeout;
  timeout.started_us = timeout.first_byte_us = 100'000'000;
  timeout.ended_us = 100'000'500;
  for (int i = 0; i < 4; ++i) {
    hosts.started(hosts[a], Time(100s));
    hosts.ended(hosts[a], timeout);
  }
  EXPECT_EQ(hosts.delay(hosts[a]), slow);
  timeout.ended_us = 120'000'000;
  hosts.started(hosts[a], Time(100s));
  hosts.ended(hosts[a], timeout);
  EXPECT_GT(hosts.delay(hosts[a]), slow);
}

TEST(HostTable, OtherNetworksAlwaysHaveAMinimumDelay) {
  PolitenessOptions none;
  none.delay = 0ms;
  none.ip_delay = none.domain_delay = 0ms;
  HostTable hosts(none);
  const HostId a = hosts.intern("a.example.org"), b = hosts.intern("b.example.org"),
               c = hosts.intern("c.test");
  const HostId own = hosts.intern("own.test"), next = hosts.intern("next.own.test");
  for (const HostId host : {a, c}) hosts.set_addresses(hosts[host], {at("192.0.2.1")}, kNever, false);
  hosts.set_addresses(hosts[b], {at("192.0.2.2")}, kNever, false);
  for (const HostId host : {own, next}) hosts.set_addresses(hosts[host], {at("127.0.0.1")}, kNever, true);
  hosts.started(hosts[a], Time(10s));
  EXPECT_EQ(hosts.earliest(b), Time(10'250ms)) << "the same domain";
  EXPECT_EQ(hosts.earliest(c), Time(10'250ms)) << "the same address";
  hosts.started(hosts[own], Time(10s));
  EXPECT_EQ(hosts.earliest(next), Time{});
}

}  // namespace
}  // namespace bowerbird
