#include "parse/topic.h"

#include <algorithm>

#include "url/percent.h"

namespace bowerbird {

Result<Topic> Topic::parse(std::string_view text) {
  Topic topic;
  TextWords words(text);
  while (words.next()) topic.terms_.push_back(term_of(words));
  if (topic.terms_.empty())
    return error("'{}' contains no word: a topic is a few words, such as \"rose garden\"", text);
  std::sort(topic.terms_.begin(), topic.terms_.end());
  topic.terms_.erase(std::unique(topic.terms_.begin(), topic.terms_.end()), topic.terms_.end());
  return topic;
}

bool Topic::holds(Term term) const {
  return std::find(terms_.begin(), terms_.end(), term) != terms_.end();
}

bool Topic::found_in(std::string_view text) const {
  TextWords words(text);
  while (words.next()) {
    if (holds(term_of(words))) return true;
  }
  return false;
}

bool Topic::found_in_url(std::string_view url) const {
  if (url.find('%') == url.npos) return found_in(url);
  return found_in(percent_decoded(url));
}

}  // namespace bowerbird
