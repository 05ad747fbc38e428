#include "crawl/state/complete_pages.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/rng.h"

namespace bowerbird {
namespace {

constexpr PageId kPages = 60;
using RequisiteNeed = CompletePages::Need;

// Requisites and their pages, counted from scratch each time.
struct NaiveCount {
  struct Row {
    std::vector<PageId> needs;
    bool lacks = false;
  };
  std::map<PageId, Row> pages, parts;
  std::map<PageId, RequisiteNeed> states;

  RequisiteNeed need_of(PageId page) const {
    const auto found = states.find(page);
    return found == states.end() ? RequisiteNeed::kThere : found->second;
  }
  std::pair<std::uint64_t, std::uint64_t> counts() const {
    std::uint64_t incomplete = 0, waiting = 0;
    for (const auto& [page, row] : pages) {
      std::set<PageId> seen = {page};
      std::vector<const Row*> left = {&row};
      bool lacks = false, waits = false;
      while (!left.empty()) {
        const Row* const next = left.back();
        left.pop_back();
        lacks = lacks || next->lacks;
        for (const PageId one : next->needs) {
          if (!seen.insert(one).second) continue;
          const RequisiteNeed need = need_of(one);
          waits = waits || need == RequisiteNeed::kPending;
          lacks = lacks || need == RequisiteNeed::kMissing || need == RequisiteNeed::kOverLimit;
          if (const auto part = parts.find(one); part != parts.end()) left.push_back(&part->second);
        }
      }
      incomplete += lacks ? 1 : 0;
      waiting += waits && !lacks ? 1 : 0;
    }
    return {incomplete, waiting};
  }
};

// Pages, style sheets that refer to each other in cycles, and all kinds of ends, in random order.
TEST(CompletePages, AreCountedAsByTheNaiveCount) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    CompletePages counted;
    NaiveCount naive;
    const auto need_of = [&](PageId page) { return naive.need_of(page); };
    const auto change = [&](PageId page, RequisiteNeed to) {
      const RequisiteNeed before = naive.need_of(page);
      naive.states[page] = to;
      counted.changed(page, before, to);
    };
    for (int step = 0; step < 120; ++step) {
      const auto page = static_cast<PageId>(rng.below(kPages));
      if (rng.below(2) == 0) {
        // As a requisite: pending ones end; those over a limit are requested again.
        const RequisiteNeed need = naive.need_of(page);
        if (need == RequisiteNeed::kPending) {
          constexpr RequisiteNeed kEnds[] = {RequisiteNeed::kThere, RequisiteNeed::kThere,
                                             RequisiteNeed::kOverLimit, RequisiteNeed::kMissing};
          change(page, kEnds[rng.below(4)]);
        }
      } else {
        NaiveCount::Row row;
        for (auto count = rng.below(5); count > 0; --count) {
          const auto one = static_cast<PageId>(rng.below(kPages));
          row.needs.push_back(one);
          if (!naive.states.contains(one) || naive.need_of(one) == RequisiteNeed::kOverLimit)
            change(one, RequisiteNeed::kPending);
        }
        row.lacks = rng.below(8) == 0;
        // A part is parsed once.
        if (rng.below(3) == 0 && naive.need_of(page) == RequisiteNeed::kPending &&
            !naive.parts.contains(page)) {
          naive.parts[page] = row;
          counted.part_found(page, row.needs, row.lacks, need_of);
        } else {
          naive.pages[page] = row;
          counted.page_found(page, row.needs, row.lacks, need_of);
        }
      }
      const auto [incomplete, waiting] = naive.counts();
      ASSERT_EQ(counted.incomplete(), incomplete) << "seed " << seed << " step " << step;
      ASSERT_EQ(counted.waiting(), waiting) << "seed " << seed << " step " << step;
    }
    // A loaded snapshot gives the same counts, and is written with the same bytes.
    std::string bytes, again;
    ByteWriter out(bytes);
    counted.save(out);
    CompletePages loaded;
    ByteReader in(bytes);
    loaded.load(in, kPages, need_of);
    ASSERT_TRUE(in.ok());
    EXPECT_EQ(loaded.incomplete(), counted.incomplete());
    EXPECT_EQ(loaded.waiting(), counted.waiting());
    ByteWriter out_again(again);
    loaded.save(out_again);
    EXPECT_EQ(again, bytes);
  }
}

TEST(CompletePages, AForgedSnapshotIsRejected) {
  CompletePages counted;
  const auto pending = [](PageId) { return RequisiteNeed::kPending; };
  const std::vector<PageId> needs = {1, 2};
  counted.page_found(0, needs, false, pending);
  counted.part_found(1, needs, true, pending);
  std::string bytes;
  ByteWriter out(bytes);
  counted.save(out);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CompletePages loaded;
    ByteReader in(std::string_view(bytes).substr(0, size));
    loaded.load(in, 3, pending);
    EXPECT_FALSE(in.ok()) << size;
  }
  CompletePages loaded;
  ByteReader few(bytes);
  loaded.load(few, 2, pending);
  EXPECT_FALSE(few.ok()) << "there is no page 2";
  CompletePages other;
  ByteReader in(bytes);
  other.load(in, 3, [](PageId) { return RequisiteNeed::kThere; });
  EXPECT_FALSE(in.ok()) << "nobody waits for what is there";
}

}  // namespace
}  // namespace bowerbird
