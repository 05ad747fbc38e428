#include "store/terms.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace bowerbird {
namespace {

PageTerms random_terms(Rng& rng) {
  PageTerms page;
  for (std::uint64_t term = rng.below(1000); term <= kMaxTerm;
       term += 1 + rng.below(1 << (10 + rng.below(18)))) {
    page.terms.push_back({static_cast<Term>(term), static_cast<std::uint32_t>(rng.below(3)),
                          static_cast<std::uint32_t>(rng.below(4) == 0 ? rng.below(300) : 0)});
  }
  for (std::uint32_t link = 0; link < rng.below(50); ++link) {
    for (std::uint32_t place = 0; place < page.terms.size(); ++place) {
      if (rng.below(40) == 0) page.anchors.push_back({link, place});
    }
  }
  return page;
}

TEST(Terms, AreReadAsTheyWereWritten) {
  Rng rng(1);
  for (int round = 0; round < 200; ++round) {
    const PageTerms page = round == 0 ? PageTerms() : random_terms(rng);
    std::string bytes;
    put_terms_record(bytes, 77, page);
    put_terms_record(bytes, 78, {});
    VarintReader in(bytes);
    PageTerms read;
    EXPECT_EQ(get_terms_record(in, read), 77u);
    EXPECT_EQ(read, page);
    EXPECT_EQ(get_terms_record(in, read), 78u);
    EXPECT_TRUE(in.ok() && in.at_end() && read.terms.empty());
  }
}

TEST(Terms, DamagedRecordsAreRefusedOrHarmless) {
  Rng rng(2);
  std::string bytes;
  put_terms_record(bytes, 5, random_terms(rng));
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = bytes.substr(0, 1 + rng.below(bytes.size()));
    damaged[rng.below(damaged.size())] = static_cast<char>(rng.next());
    VarintReader in(damaged);
    PageTerms read;
    get_terms_record(in, read);
    if (!in.ok()) continue;
    for (const AnchorWord& word : read.anchors) ASSERT_LT(word.place, read.terms.size());
    for (std::size_t i = 1; i < read.terms.size(); ++i) ASSERT_LT(read.terms[i - 1].term, read.terms[i].term);
  }
}

}  // namespace
}  // namespace bowerbird
