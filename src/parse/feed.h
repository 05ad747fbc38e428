// Reads RSS (0.9x, 1.0, 2.0) and Atom (0.3, 1.0; RFC 4287) feeds: what a site says is new, and its texts.
//
// Problem: feeds are XML made by strangers, often not well-formed. What can be read counts: common mistakes
// are repaired (xml_repair.h), and the entries before an error are kept. A feed that declares entities is not
// read on, so that none can explode; nothing outside the feed is fetched. Elements are known by their names:
// those of the feed have the prefix of the root element, and those of well-known modules (Dublin Core,
// content:encoded) their usual one. Time and memory are linear in the feed.
// Ownership: everything is copied out. Pure; threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parse/dates.h"

namespace bowerbird {

enum class FeedKind : std::uint8_t { kNone, kRss, kAtom };

// HTML where `html` is set, else plain text. Valid UTF-8.
struct FeedText {
  std::string text;
  bool html = false;
};

struct FeedEntry {
  std::string link;         // of the page, as written: may be relative, to `base` or to the feed's URL
  std::string base;         // the innermost xml:base, as written
  std::string id;           // guid, atom:id or rdf:about: the same entry has the same id in a later feed
  bool id_is_link = false;  // RSS: a guid is the page's URL unless it says that it is none
  FeedText title;
  FeedText summary;
  FeedText content;  // the whole text, where the feed has it
  std::vector<std::string> authors;
  std::vector<std::string> categories;
  std::optional<UnixTime> published;
  std::optional<UnixTime> updated;
};

// Why reading ended before the end of the feed. The entries before count.
enum class FeedProblem : std::uint8_t {
  kNone,
  kNotAFeed,
  kMalformed,  // not well-formed XML
  kEntities,   // declares entities
  kTooManyEntries,
  kTooDeep,
};

// What a feed says about itself.
struct FeedHead {
  FeedKind kind = FeedKind::kNone;
  FeedText title;
  std::string link;      // of the site, as written
  std::string language;  // as written: "en-us"
  std::optional<UnixTime> updated;
};

struct Feed : FeedHead {
  std::vector<FeedEntry> entries;
  FeedProblem problem = FeedProblem::kNone;
};

struct FeedOptions {
  std::size_t max_entries = 10'000;
  std::size_t max_depth = 256;       // of XML elements
  std::size_t max_name = 8192;       // bytes of a link, an id, a date, a name; longer ones are left out
  std::size_t max_text = 16u << 20;  // bytes of a title, a summary, a content; longer ones are cut
  std::size_t max_list = 100;        // authors and categories of one entry
};

// Whether a media type is that of a feed: RSS, Atom or RDF.
bool is_feed_type(std::string_view type);

// `bytes` is a feed without content coding, in any encoding; `header_charset` is the charset parameter of its
// Content-Type.
Feed read_feed(std::string_view bytes, std::string_view header_charset = {}, const FeedOptions& options = {});

// The URL of an entry as written: its link, else an id that is a URL. Empty if there is none.
std::string_view entry_url(const FeedEntry& entry);

}  // namespace bowerbird
