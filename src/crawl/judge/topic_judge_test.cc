#include "crawl/judge/topic_judge.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

PageTerms page_of(std::string_view title, std::string_view text) {
  TermCounter counter;
  counter.begin();
  counter.add_title(title);
  counter.add_text(text);
  return counter.finish();
}

TEST(TopicJudge, JudgesByTitleUnlessASimilarityIsGiven) {
  const Topic topic = Topic::parse("rose").value();
  const PageTerms titled = page_of("The rose", "words about something else entirely");
  const PageTerms mentioned = page_of("News", "a rose");
  TopicJudge by_title(topic, 0), by_similarity(topic, 0.1), strict(topic, 1.5);
  EXPECT_TRUE(by_title.judge(titled).on_topic);
  EXPECT_FALSE(by_title.judge(mentioned).on_topic);
  EXPECT_TRUE(by_similarity.judge(mentioned).on_topic);
  EXPECT_FALSE(strict.judge(titled).on_topic);
}

TEST(TopicJudge, WordsThatManyPagesHaveSayLittle) {
  const Topic topic = Topic::parse("rose").value();
  const PageTerms page = page_of("", "rose thorn");
  TopicJudge rare(topic, 0.5), common(topic, 0.5);
  for (int i = 0; i < 50; ++i) {
    rare.add(page_of("", "thorn"));
    common.add(page_of("", "rose"));
  }
  EXPECT_GT(rare.judge(page).similarity, common.judge(page).similarity);
}

}  // namespace
}  // namespace bowerbird
