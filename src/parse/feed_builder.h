// From the elements of an RSS or Atom feed to entries. See feed.h; sitemap_xml.h uses it too.
//
// It is told about each element below the root, and about text, in the order of the file; an entry goes to
// the sink at its end. Threads: one user.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "parse/feed.h"

namespace bowerbird {

struct FeedRoot {
  FeedKind kind = FeedKind::kNone;
  std::string_view prefix;  // of the elements of the feed, with its colon
};

// What the name of a root element says.
FeedRoot feed_root(std::string_view name);

class FeedBuilder {
 public:
  using Sink = std::function<void(FeedEntry&)>;

  // `attributes`: of the root.
  FeedBuilder(const FeedRoot& root, const char** attributes, const FeedOptions& options, Sink sink);

  // An element below the root.
  void start(std::string_view name, const char** attributes);
  void end();
  void text(std::string_view piece);
  // The file is cut here: an entry that has its link counts.
  void cut();
  std::size_t depth() const { return elements_.size(); }
  const FeedHead& head() const { return head_; }

 private:
  enum class Element : std::uint8_t {
    kOther,
    kChannel,
    kEntry,
    kTitle,
    kLink,
    kId,
    kPublished,
    kUpdated,
    kAuthor,
    kName,
    kCategory,
    kSummary,
    kContent,
    kLanguage,
  };
  struct Name {
    std::string_view name;
    Element element;
  };
  struct Open {
    Element element;
    std::size_t base_size;  // of bases_ before it
  };

  Element meaning(std::string_view name) const;
  Element rss_meaning(std::string_view name) const;
  Element atom_meaning(std::string_view name) const;
  static Element found(std::string_view name, const Name* first, const Name* last);
  bool at_entry_level() const { return entry_depth_ > 0 && elements_.size() == entry_depth_; }
  bool at_feed_level() const;
  static bool is_text(Element element);
  void begin_entry(const char** attributes);
  void begin_text(Element element, const char** attributes);
  void link_element(std::string_view name, const char** attributes);
  void open_markup(std::string_view name, const char** attributes);
  void close_markup();
  void take(Element element);
  void take_text(Element element);
  void take_name(Element element, std::string_view text);
  void take_date(Element element, std::string_view text);
  void finish_entry();

  FeedOptions options_;
  std::string prefix_;
  Sink sink_;
  FeedHead head_;
  std::vector<Open> elements_;      // open ones below the root
  std::vector<std::string> bases_;  // xml:base of open elements, outermost first
  std::size_t entry_depth_ = 0;     // elements open within the entry's own; 0: not in one
  FeedEntry entry_;
  bool taking_ = false;         // an element with text is open
  std::size_t text_depth_ = 0;  // elements open with it
  std::string text_;            // of that element
  bool too_long_ = false;
  bool html_ = false;    // its type
  bool markup_ = false;  // elements within it are part of it, so its text is escaped
  std::vector<std::string> markup_names_;
};

}  // namespace bowerbird
