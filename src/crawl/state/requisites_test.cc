#include "crawl/state/requisites.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

constexpr auto kLeafCode = static_cast<std::uint8_t>(RequisiteKind::kLeaf);
constexpr auto kSheetCode = static_cast<std::uint8_t>(RequisiteKind::kSheet);
constexpr auto kFrameCode = static_cast<std::uint8_t>(RequisiteKind::kFrame);

bool nothing_done(PageId) {
  return false;
}

TEST(Requisites, RequisitesOfAStyleSheetBelongToItsPage) {
  Requisites requisites;
  requisites.apply({.from = 1, .found = {{10, kSheetCode}, {11, kLeafCode}}}, nothing_done);
  requisites.apply({.from = 10, .of_page = false, .found = {{12, kLeafCode}, {13, kFrameCode}}},
                   nothing_done);
  EXPECT_EQ(requisites.find(12)->root, 1u);
  EXPECT_EQ(requisites.find(12)->depth, 2);
  EXPECT_EQ(requisites.find(13)->frames, 1);
  EXPECT_EQ(requisites.counts_of(1).found, 4u);
  requisites.apply(RequisiteEnded{12, RequisiteEnd{}.coded(), 70});
  EXPECT_EQ(requisites.counts_of(1).bytes, 70u);
  EXPECT_EQ(requisites.pending().size(), 3u);
  for (const PageId page : {10u, 11u, 13u}) requisites.apply(RequisiteEnded{page, RequisiteEnd{}.coded(), 0});
  EXPECT_TRUE(requisites.pending().empty());
  EXPECT_EQ(requisites.counts_of(1).found, 0u) << "no page is remembered for which nothing is pending";
}

TEST(Requisites, AreFetchedOnceForAllPages) {
  Requisites requisites;
  requisites.apply({.from = 1, .found = {{10, kLeafCode}}}, nothing_done);
  requisites.apply({.from = 2, .found = {{10, kLeafCode}}}, nothing_done);
  EXPECT_EQ(requisites.pending().size(), 1u);
  requisites.apply(RequisiteEnded{10, RequisiteEnd{false, Outcome::kNotFound}.coded(), 0});
  requisites.apply({.from = 3, .found = {{10, kLeafCode}}}, nothing_done);
  EXPECT_TRUE(requisites.pending().empty());
  RequisiteEnd end;
  ASSERT_TRUE(requisites.ended(10, end));
  EXPECT_EQ(end.outcome, Outcome::kNotFound);
}

TEST(Requisites, OverTheLimitOfOnePageAreFetchedForTheNext) {
  Requisites requisites;
  requisites.apply({.from = 1, .found = {{10, kLeafCode}}}, nothing_done);
  requisites.apply(RequisiteEnded{10, RequisiteEnd{true}.coded(), 0});
  EXPECT_FALSE(requisites.is_pending(10));
  requisites.apply({.from = 2, .found = {{10, kLeafCode}}}, nothing_done);
  EXPECT_EQ(requisites.find(10)->root, 2u);
}

TEST(Requisites, LeavesThatWereFetchedAsPagesAreNotFetchedAgain) {
  Requisites requisites;
  requisites.apply({.from = 1, .found = {{10, kLeafCode}, {11, kSheetCode}}}, [](PageId) { return true; });
  EXPECT_FALSE(requisites.is_pending(10));
  EXPECT_TRUE(requisites.is_pending(11)) << "nobody has read it for what it names";
}

TEST(Requisites, EndsAreCodedInAByte) {
  for (int outcome = 0; outcome < kOutcomes; ++outcome) {
    for (int use = 0; use < 4; ++use) {
      const RequisiteEnd end{false, static_cast<Outcome>(outcome), static_cast<RequisiteEnd::Use>(use)};
      RequisiteEnd read;
      ASSERT_TRUE(RequisiteEnd::decode(end.coded(), read));
      EXPECT_EQ(read.outcome, end.outcome);
      EXPECT_EQ(read.use, end.use);
      EXPECT_FALSE(read.over_limit);
    }
  }
  RequisiteEnd read;
  EXPECT_TRUE(RequisiteEnd::decode(RequisiteEnd{true}.coded(), read) && read.over_limit);
  EXPECT_FALSE(RequisiteEnd::decode(0, read));
  EXPECT_FALSE(RequisiteEnd::decode(1, read));
  EXPECT_FALSE(RequisiteEnd::decode(3 + kOutcomes, read));
}

TEST(Requisites, ForgedEventsDoNotFit) {
  Requisites requisites;
  EXPECT_FALSE(requisites.fits(RequisitesFound{.from = 9, .of_page = true, .found = {}}, 5));
  EXPECT_FALSE(requisites.fits(RequisitesFound{.from = 1, .found = {{9, kLeafCode}}}, 5));
  EXPECT_FALSE(requisites.fits(RequisitesFound{.from = 1, .found = {{2, 5}}}, 5));
  EXPECT_FALSE(requisites.fits(RequisitesFound{.from = 1, .of_page = false, .found = {{2, kLeafCode}}}, 5))
      << "it is not pending";
  EXPECT_FALSE(requisites.fits(RequisiteEnded{1, 0, 0}, 5));
  EXPECT_FALSE(requisites.fits(RequisiteEnded{5, RequisiteEnd{}.coded(), 0}, 5));
  EXPECT_TRUE(requisites.fits(RequisitesFound{.from = 1, .found = {{2, kLeafCode}}}, 5));
}

TEST(Requisites, AreSavedAndLoadedAndDamageIsDetected) {
  Requisites requisites;
  requisites.apply({.from = 1, .found = {{10, kSheetCode}, {11, kLeafCode}}}, nothing_done);
  requisites.apply({.from = 2, .found = {{4, kFrameCode}}}, nothing_done);
  requisites.apply(RequisiteEnded{11, RequisiteEnd{}.coded(), 5});
  std::string saved;
  ByteWriter out(saved);
  requisites.save(out);
  Requisites loaded;
  ByteReader in(saved);
  ASSERT_TRUE(loaded.load(in, 20).ok());
  std::string again;
  ByteWriter second(again);
  loaded.save(second);
  EXPECT_EQ(again, saved);
  EXPECT_EQ(loaded.find(4)->root, 2u);
  ByteReader fewer(saved);
  EXPECT_FALSE(Requisites().load(fewer, 5).ok());
  for (std::size_t cut = 0; cut < saved.size(); ++cut) {
    ByteReader broken(std::string_view(saved).substr(0, cut));
    EXPECT_FALSE(Requisites().load(broken, 20).ok()) << cut;
  }
}

}  // namespace
}  // namespace bowerbird
