#include "policy/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(Spec, IsTakenApart) {
  const Spec plain = *Spec::parse("bfs");
  EXPECT_EQ(plain.name, "bfs");
  EXPECT_FALSE(plain.at.has_value());
  const Spec full = *Spec::parse("sydney@8:budget=5%,x=y");
  EXPECT_EQ(full.name, "sydney");
  EXPECT_EQ(full.at, "8");
  EXPECT_THAT(full.options, ElementsAre(Pair("budget", "5%"), Pair("x", "y")));
}

TEST(Spec, KeysMayBeSpecsInBrackets) {
  const Spec spec = *Spec::parse("combined:(ieca:k=50,expected=9)=2,fpr@100=1");
  EXPECT_THAT(spec.options, ElementsAre(Pair("ieca:k=50,expected=9", "2"), Pair("fpr@100", "1")));
}

TEST(Spec, NonsenseIsRefused) {
  for (const char* bad : {"", "@3", ":k=1", "fpr@", "ieca:", "ieca:k", "ieca:k=", "ieca:=3", "ieca:k=1,k=2",
                          "combined:(bfs=1", "combined:bfs)=1", "ieca:k=1=2"}) {
    EXPECT_FALSE(Spec::parse(bad).ok()) << bad;
  }
}

TEST(Spec, ListsKeepTheParametersWithTheirNames) {
  EXPECT_THAT(*split_specs("bfs,ieca:k=50,expected=2000,fpr@100"),
              ElementsAre("bfs", "ieca:k=50,expected=2000", "fpr@100"));
  EXPECT_THAT(*split_specs("combined:fpr@100=1,backlink=0.5,dfs"),
              ElementsAre("combined:fpr@100=1,backlink=0.5", "dfs"));
  EXPECT_FALSE(split_specs("bfs,,dfs").ok());
  EXPECT_FALSE(split_specs("k=3").ok());
}

TEST(SpecReader, NamesWhatNobodyTook) {
  const Spec spec = *Spec::parse("fica:gama=1");
  SpecReader reader(spec);
  EXPECT_FALSE(reader.number("gamma", 0, 1).has_value());
  const Status status = reader.finish();
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().text, HasSubstr("no parameter 'gama'"));
  EXPECT_THAT(status.error().text, HasSubstr("did you mean 'gamma'?"));
}

TEST(SpecReader, NamesWhatIsOutOfRange) {
  const Spec spec = *Spec::parse("x@-1:k=0");
  SpecReader at(spec);
  EXPECT_FALSE(at.at(0, 5).has_value());
  EXPECT_THAT(at.finish().error().text, HasSubstr("from 0 to 5, not '-1'"));
  SpecReader count(spec);
  count.at(-5, 5);
  EXPECT_FALSE(count.count("k").has_value());
  EXPECT_THAT(count.finish().error().text, HasSubstr("at least 1, not '0'"));
}

TEST(SpecReader, RefusesAValueWhereNoneIsTaken) {
  const Spec spec = *Spec::parse("bfs@3");
  EXPECT_THAT(SpecReader(spec).finish().error().text, HasSubstr("takes no value after '@'"));
}

}  // namespace
}  // namespace bowerbird
