// Feeds. Properties: limits hold, and all texts are valid UTF-8 whose size is linear in the feed.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/utf8.h"
#include "parse/feed.h"

using namespace bowerbird;

namespace {

void check_name(const std::string& text, const FeedOptions& options) {
  CHECK(is_valid_utf8(text));
  CHECK(text.size() <= options.max_name);
}

// Escaping and markup make a text longer, but only so much.
void check_feed_text(const FeedText& text, std::size_t size) {
  CHECK(is_valid_utf8(text.text));
  CHECK(text.text.size() <= 10 * size + 1000);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  FeedOptions options;
  options.max_entries = 50;
  options.max_name = 300;
  options.max_list = 3;
  const Feed feed = read_feed(bytes, {}, options);
  CHECK((feed.kind == FeedKind::kNone) == (feed.problem == FeedProblem::kNotAFeed));
  CHECK(feed.entries.size() <= options.max_entries);
  check_feed_text(feed.title, size);
  check_name(feed.link, options);
  check_name(feed.language, options);
  for (const FeedEntry& entry : feed.entries) {
    for (const std::string* name : {&entry.link, &entry.base, &entry.id}) check_name(*name, options);
    for (const FeedText* text : {&entry.title, &entry.summary, &entry.content}) check_feed_text(*text, size);
    for (const auto* list : {&entry.authors, &entry.categories}) {
      CHECK(list->size() <= options.max_list);
      for (const std::string& name : *list) check_name(name, options);
    }
  }
  return 0;
}
