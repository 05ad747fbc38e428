#include "fleet/takeover.h"

#include <gtest/gtest.h>

#include "fleet/rig_testing.h"

namespace bowerbird {
namespace {

// "a" looks; "b" has a record and no lease.
struct TakeoverRig : FleetRig {
  FleetOptions options = FleetRig::options("a");
  Mailbox mailbox;
  Result<bool> here = true;
  Result<ReadOrphan> found = ReadOrphan();
  int reads = 0;
  std::vector<std::string> withdrawn;
  Takeover takeover{*records,
                    *leases,
                    options,
                    mailbox,
                    {[this](const LostMember&) { return here; },
                     [this](const LostMember&) {
                       ++reads;
                       return found;
                     },
                     [this](const std::string& name) { withdrawn.push_back(name); }}};

  TakeoverRig() {
    const Heartbeat alive;
    add_member("b", record_of("b"), &alive);
    look();
    EXPECT_TRUE(leases->remove(FleetNames::member("b")).ok());
  }
  void look() {
    EXPECT_TRUE(takeover.look(members(), now_ms()).ok());
    takeover.wait();
  }
  // Looks often enough for `ms`.
  void look_for(std::int64_t ms) {
    for (std::int64_t end = now_ms() + ms; now_ms() < end; pass_ms(1000)) look();
  }
  FleetNews news() {
    FleetNews taken;
    mailbox.take(taken);
    return taken;
  }
};

TEST(Takeover, WhoIsSilentForSomeSecondsIsReadAndGivenToTheCrawl) {
  TakeoverRig rig;
  rig.found->orphan.member = "b";
  rig.found->given = {{2, 5}};
  rig.found->counts.pages = 9;
  rig.look();
  rig.pass_ms(2900);
  rig.look();
  EXPECT_EQ(rig.reads, 0) << "it may come back";
  rig.pass_ms(200);
  rig.look();
  EXPECT_EQ(rig.reads, 1);
  EXPECT_TRUE(rig.takeover.busy());
  const FleetNews news = rig.news();
  ASSERT_EQ(news.orphans.size(), 1u);
  EXPECT_EQ(news.orphans[0].member, "b");
  MemberRecord record = rig.record("b");
  EXPECT_EQ(record.state, MemberRecord::State::kAbsorbing);
  EXPECT_EQ(record.by, "a");
  EXPECT_EQ(record.given, (Epochs{{2, 5}}));
  EXPECT_EQ(record.pages, 9u);

  rig.mailbox.absorbed("b");  // committed
  ASSERT_TRUE(rig.takeover.close_claims().ok());
  EXPECT_EQ(rig.record("b").state, MemberRecord::State::kAbsorbed);
  EXPECT_FALSE(rig.takeover.busy());
  EXPECT_TRUE(rig.mailbox.absorbed().empty());
}

TEST(Takeover, WhoeverIsHeardAgainIsNotTakenOver) {
  TakeoverRig rig;
  rig.look();
  rig.pass_ms(2000);
  const Heartbeat alive;
  rig.add_member("b", FleetRig::record_of("b"), &alive);
  rig.look();
  ASSERT_TRUE(rig.leases->remove(FleetNames::member("b")).ok());
  rig.pass_ms(2000);
  rig.look();
  EXPECT_EQ(rig.reads, 0) << "the waiting time starts again";
  rig.pass_ms(2000);
  rig.takeover.forget_missing();
  rig.look();
  EXPECT_EQ(rig.reads, 0) << "we could not hear";
}

TEST(Takeover, ACorruptFolderIsReportedOnceAndLeft) {
  TakeoverRig rig;
  rig.found = error("the journal is damaged");
  rig.look_for(600'000);
  EXPECT_EQ(rig.reads, 1);
  EXPECT_FALSE(rig.takeover.busy());
  const FleetNews news = rig.news();
  EXPECT_TRUE(news.orphans.empty());
  ASSERT_EQ(news.warnings.size(), 1u);
  EXPECT_NE(news.warnings[0].find("the journal is damaged"), std::string::npos);
  const MemberRecord record = rig.record("b");
  EXPECT_EQ(record.state, MemberRecord::State::kIn);
  EXPECT_EQ(record.problem, "the journal is damaged");
  EXPECT_TRUE(record.given_up);

  Takeover another(*rig.records, *rig.leases, rig.options, rig.mailbox,
                   {[](const LostMember&) { return Result<bool>(true); },
                    [&](const LostMember&) {
                      ADD_FAILURE() << "read by another process";
                      return Result<ReadOrphan>(ReadOrphan());
                    }});
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(another.look(rig.members(), rig.now_ms()).ok());
    another.wait();
    rig.pass_ms(1000);
  }
}

TEST(Takeover, AFolderThatCannotEvenBeOpenedIsReportedOnceAndLeft) {
  TakeoverRig rig;
  rig.here = error("written in another format");
  rig.look_for(600'000);
  EXPECT_EQ(rig.reads, 0);
  EXPECT_EQ(rig.news().warnings.size(), 1u);
  EXPECT_TRUE(rig.record("b").given_up);
}

TEST(Takeover, ABusyFolderIsRetriedSilentlyUntilItCanBeRead) {
  TakeoverRig rig;
  rig.found = error(ErrorKind::kRetry, "a process still works there");
  rig.look_for(60'000);
  EXPECT_GT(rig.reads, 5);
  EXPECT_LT(rig.reads, 20) << "not at every look";
  EXPECT_EQ(rig.record("b").state, MemberRecord::State::kIn) << "others may try";
  EXPECT_EQ(rig.record("b").problem, "");
  EXPECT_TRUE(rig.news().warnings.empty());
  rig.found = ReadOrphan();
  rig.look_for(10'000);
  EXPECT_EQ(rig.record("b").state, MemberRecord::State::kAbsorbing);
  EXPECT_EQ(rig.news().orphans.size(), 1u);
}

TEST(Takeover, WhatNeedsTheUserIsReportedOnceAndTriedAgainNowAndThen) {
  TakeoverRig rig;
  rig.found = error(ErrorKind::kNeedsUser, "permission denied");
  rig.look_for(300'000);
  EXPECT_GE(rig.reads, 4);
  EXPECT_LE(rig.reads, 6);
  EXPECT_EQ(rig.news().warnings.size(), 1u);
  EXPECT_EQ(rig.record("b").problem, "permission denied");
  EXPECT_FALSE(rig.record("b").given_up);
  rig.found = ReadOrphan();
  rig.look_for(61'000);
  EXPECT_EQ(rig.record("b").state, MemberRecord::State::kAbsorbing);
  EXPECT_EQ(rig.record("b").problem, "");
}

TEST(Takeover, AFolderOfAnotherMachineIsLeftToOthers) {
  TakeoverRig rig;
  rig.here = false;
  rig.look_for(60'000);
  EXPECT_EQ(rig.reads, 0);
  EXPECT_TRUE(rig.news().warnings.empty());
  EXPECT_EQ(rig.record("b").problem, "");
}

TEST(Takeover, OneClaimsAndTheOtherDoesNot) {
  TakeoverRig rig;
  rig.look();
  rig.pass_ms(4000);
  const Members stale = rig.members();
  rig.set_record("b", MemberRecord::State::kAbsorbing, "c");
  EXPECT_TRUE(rig.takeover.look(stale, rig.now_ms()).ok());
  rig.takeover.wait();
  EXPECT_EQ(rig.reads, 0);
  EXPECT_EQ(rig.record("b").by, "c");
}

TEST(Takeover, ClaimsOfTheLostProcessAreResolvedByWhatItHadCommitted) {
  TakeoverRig rig;
  rig.add_member("c", FleetRig::record_of("c"));
  rig.set_record("c", MemberRecord::State::kAbsorbing, "b");
  rig.add_member("d", FleetRig::record_of("d"));
  rig.set_record("d", MemberRecord::State::kAbsorbing, "b");
  rig.found->absorbed = {"c"};
  rig.look();
  rig.pass_ms(4000);
  rig.look();
  EXPECT_EQ(rig.record("c").state, MemberRecord::State::kAbsorbed);
  EXPECT_EQ(rig.record("d").state, MemberRecord::State::kIn) << "to be claimed again";
}

TEST(Takeover, OurOwnClaimsBeforeARestartAreResolvedByOurReport) {
  TakeoverRig rig;
  rig.set_record("b", MemberRecord::State::kAbsorbing, "a");
  EXPECT_TRUE(rig.takeover.resolve_claims(rig.members()).ok());
  EXPECT_EQ(rig.record("b").state, MemberRecord::State::kAbsorbing) << "no report yet";
  MemberReport report;
  report.absorbed = {"b"};
  rig.mailbox.report(report);
  EXPECT_TRUE(rig.takeover.resolve_claims(rig.members()).ok());
  EXPECT_EQ(rig.record("b").state, MemberRecord::State::kAbsorbed);
}

TEST(Takeover, AStateThatEndedTwoTakersIsSetAsideAndNamed) {
  TakeoverRig rig;
  rig.look();
  rig.pass_ms(4000);
  rig.look();
  EXPECT_EQ(rig.record("b").takers, std::vector<std::string>{"a"}) << "if we end now, others know";
  rig.takeover.withdraw();
  MemberRecord record = rig.record("b");
  EXPECT_EQ(record.state, MemberRecord::State::kIn);
  EXPECT_TRUE(record.takers.empty()) << "we ended in good order";

  record.takers = {"c"};
  ASSERT_TRUE(rig.records->put(FleetNames::member("b"), record.to_json()).ok());
  rig.look();
  EXPECT_EQ(rig.reads, 2) << "a second process may try";
  record = rig.record("b");
  EXPECT_EQ(record.takers, (std::vector<std::string>{"c", "a"}));
  rig.takeover.withdraw();
  record = rig.record("b");
  record.takers = {"c", "d"};
  ASSERT_TRUE(rig.records->put(FleetNames::member("b"), record.to_json()).ok());
  rig.news();
  rig.look_for(10'000);
  EXPECT_EQ(rig.reads, 2);
  EXPECT_TRUE(rig.record("b").given_up);
  EXPECT_NE(rig.record("b").problem.find("c and d"), std::string::npos) << rig.record("b").problem;
  EXPECT_EQ(rig.news().warnings.size(), 1u);
}

TEST(Takeover, AFolderThatCannotBeReadCountsNoTaker) {
  TakeoverRig rig;
  rig.found = error(ErrorKind::kRetry, "a process still works there");
  rig.look_for(60'000);
  EXPECT_TRUE(rig.record("b").takers.empty());
}

TEST(Takeover, WhatIsNotTakenOverIsWithdrawn) {
  TakeoverRig rig;
  rig.found = error(ErrorKind::kRetry, "a process still works there");
  rig.look_for(5000);
  EXPECT_EQ(rig.withdrawn, std::vector<std::string>{"b"}) << "it was not handed over";
  rig.found = ReadOrphan();
  rig.look_for(10'000);
  EXPECT_EQ(rig.withdrawn.size(), 1u);
  rig.takeover.withdraw();
  EXPECT_EQ(rig.withdrawn.size(), 2u);
}

TEST(Takeover, WhatTheCrawlHasCommittedIsNotWithdrawn) {
  TakeoverRig rig;
  rig.look();
  rig.pass_ms(4000);
  rig.look();
  rig.mailbox.absorbed("b");
  rig.takeover.withdraw();
  EXPECT_EQ(rig.record("b").state, MemberRecord::State::kAbsorbed);
}

TEST(Takeover, AProcessThatWasStoppedMayBeRestartedWithoutHurry) {
  TakeoverRig rig;
  MemberRecord stopped = FleetRig::record_of("b");
  stopped.stopped = true;
  rig.add_member("b", stopped);
  rig.look_for(599'000);
  EXPECT_EQ(rig.reads, 0);
  rig.look_for(3000);
  EXPECT_EQ(rig.reads, 1);
}

TEST(Takeover, ProcessesThatWereAllDownMayStartOneAfterTheOther) {
  TakeoverRig rig;
  rig.add_member("c", FleetRig::record_of("c"));
  rig.add_member("b", [] {
    MemberRecord left = FleetRig::record_of("b");
    left.state = MemberRecord::State::kLeft;
    return left;
  }());
  rig.look_for(29'000);
  EXPECT_EQ(rig.reads, 0) << "we have never seen c";
  rig.look_for(3000);
  EXPECT_EQ(rig.reads, 1);
}

TEST(Takeover, AClaimOfALostProcessIsClaimedAgain) {
  TakeoverRig rig;
  const Heartbeat alive;
  rig.set_record("b", MemberRecord::State::kAbsorbing, "c");
  rig.add_member("c", FleetRig::record_of("c"), &alive);
  rig.here = false;
  rig.look_for(9000);
  rig.look_for(60'000);
  EXPECT_EQ(rig.reads, 0) << "neither folder is here";
  rig.here = true;
  rig.set_record("c", MemberRecord::State::kAbsorbing, "d");
  rig.add_member("d", FleetRig::record_of("d"), &alive);
  rig.look();
  EXPECT_EQ(rig.reads, 0) << "whoever takes c over knows";
  rig.set_record("c", MemberRecord::State::kLeft);
  rig.set_record("d", MemberRecord::State::kLeft);
  rig.look_for(32'000);
  EXPECT_EQ(rig.reads, 1);
  EXPECT_EQ(rig.record("b").by, "a");
}

}  // namespace
}  // namespace bowerbird
