#include "parse/feed.h"

#include <expat.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "base/ascii.h"
#include "encoding/decoder.h"
#include "parse/charset.h"
#include "parse/feed_builder.h"
#include "parse/xml_repair.h"

namespace bowerbird {

namespace {

struct FreeFeedParser {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};

// Drives Expat over one feed.
class FeedReading {
 public:
  explicit FeedReading(const FeedOptions& options) : options_(options), parser_(XML_ParserCreate("UTF-8")) {
    if (parser_ == nullptr) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(parser_.get(), on_text);
    XML_SetEntityDeclHandler(parser_.get(), on_entity);
  }

  Feed run(std::string_view utf8) {
    XmlRepair repair;
    std::string repaired;
    repair.push(utf8, repaired, /*last=*/true);
    // In pieces, since sizes must fit an int.
    constexpr std::size_t kPiece = 1 << 20;
    std::string_view rest = repaired;
    while (!rest.empty() && !stopped()) {
      parse(rest.substr(0, kPiece), rest.size() <= kPiece);
      rest.remove_prefix(std::min(rest.size(), kPiece));
    }
    if (!builder_) return {};
    if (stopped() && feed_.problem != FeedProblem::kTooManyEntries) builder_->cut();
    static_cast<FeedHead&>(feed_) = builder_->head();
    return std::move(feed_);
  }

 private:
  static FeedReading& self(void* data) { return *static_cast<FeedReading*>(data); }
  static void on_start(void* data, const char* name, const char** attributes) {
    self(data).start(name, attributes);
  }
  static void on_end(void* data, const char*) {
    if (!self(data).stopped() && self(data).builder_) self(data).builder_->end();
  }
  static void on_text(void* data, const char* text, int size) {
    if (!self(data).stopped() && self(data).builder_)
      self(data).builder_->text({text, static_cast<std::size_t>(size)});
  }
  static void on_entity(void* data, const char*, int, const char*, int, const char*, const char*, const char*,
                        const char*) {
    self(data).stop(FeedProblem::kEntities);
  }

  bool stopped() const { return feed_.problem != FeedProblem::kNone; }

  void stop(FeedProblem problem) {
    if (!stopped()) feed_.problem = problem;
    XML_StopParser(parser_.get(), XML_FALSE);
  }

  void parse(std::string_view piece, bool last) {
    const XML_Status status =
        XML_Parse(parser_.get(), piece.data(), static_cast<int>(piece.size()), last ? XML_TRUE : XML_FALSE);
    if (status == XML_STATUS_ERROR && !stopped()) feed_.problem = FeedProblem::kMalformed;
  }

  void start(std::string_view name, const char** attributes) {
    if (stopped()) return;
    if (!builder_) {
      const FeedRoot root = feed_root(name);
      if (root.kind == FeedKind::kNone) return stop(FeedProblem::kNotAFeed);
      builder_.emplace(root, attributes, options_, [this](FeedEntry& entry) { take(entry); });
      return;
    }
    if (builder_->depth() >= options_.max_depth) return stop(FeedProblem::kTooDeep);
    builder_->start(name, attributes);
  }

  void take(FeedEntry& entry) {
    if (feed_.entries.size() == options_.max_entries) return stop(FeedProblem::kTooManyEntries);
    feed_.entries.push_back(std::move(entry));
  }

  const FeedOptions& options_;
  std::unique_ptr<std::remove_pointer_t<XML_Parser>, FreeFeedParser> parser_;
  std::optional<FeedBuilder> builder_;
  Feed feed_;
};

}  // namespace

bool is_feed_type(std::string_view type) {
  return equals_ignoring_case(type, "application/rss+xml") ||
         equals_ignoring_case(type, "application/atom+xml") ||
         equals_ignoring_case(type, "application/rdf+xml");
}

Feed read_feed(std::string_view bytes, std::string_view header_charset, const FeedOptions& options) {
  // XML itself allows nothing before its declaration.
  bytes.remove_prefix(std::min(bytes.find_first_not_of(kAsciiSpaces), bytes.size()));
  const CharsetChoice choice = choose_xml_charset(bytes, header_charset);
  std::string utf8;
  append_decoded(utf8, choice.encoding, bytes.substr(choice.mark));
  Feed feed = FeedReading(options).run(utf8);
  if (feed.kind == FeedKind::kNone) feed.problem = FeedProblem::kNotAFeed;
  return feed;
}

std::string_view entry_url(const FeedEntry& entry) {
  if (!entry.link.empty()) return entry.link;
  return entry.id_is_link ? std::string_view(entry.id) : std::string_view();
}

}  // namespace bowerbird
