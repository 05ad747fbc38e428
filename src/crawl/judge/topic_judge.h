// Decides whether pages are about the topic of the crawl.
//
// The similarity of a page depends on how rare its words are in the pages so far (IS' of [004]). After a
// restart, add() gets the stored words of all pages again. [004]: see docs/policies.md. Threads: one.
#pragma once

#include <utility>

#include "parse/similarity.h"

namespace bowerbird {

struct TopicVerdict {
  double similarity = 0;
  bool on_topic = false;
};

class TopicJudge {
 public:
  // least: minimum similarity of a page on topic; 0: title and number of words decide.
  TopicJudge(Topic topic, double least) : topic_(std::move(topic)), least_(least) {}

  void add(const PageTerms& page) { statistics_.add(page); }
  TopicVerdict judge(const PageTerms& page) {
    add(page);
    const double similarity = statistics_.similarity(topic_, page);
    return {similarity, least_ > 0 ? similarity >= least_ : is_on_topic(topic_, page)};
  }

 private:
  Topic topic_;
  double least_;
  TermStatistics statistics_;
};

}  // namespace bowerbird
