// Whether the pages of a crawl are about its topic, judged as they come in.
//
// The similarity of a page depends on how rare words are among the pages so far (IS' of [004]); after a
// restart these are told again, from the store. Ownership: plain. Threads: one.
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
  // least: the similarity from which on a page is about the topic; 0: by title and number of words.
  TopicJudge(Topic topic, double least) : topic_(std::move(topic)), least_(least) {}

  void heard(const PageTerms& page) { statistics_.add(page); }
  TopicVerdict judge(const PageTerms& page) {
    heard(page);
    const double similarity = statistics_.similarity(topic_, page);
    return {similarity, least_ > 0 ? similarity >= least_ : is_on_topic(topic_, page)};
  }

 private:
  Topic topic_;
  double least_;
  TermStatistics statistics_;
};

}  // namespace bowerbird
