// The XML part of SitemapParser: converts elements of sitemaps to entries; feed_builder.h reads RSS and Atom.
// See sitemap.h.
#pragma once

#include <expat.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parse/feed_builder.h"
#include "parse/sitemap.h"
#include "parse/xml_repair.h"

namespace bowerbird {

struct SitemapParser::State {
  Sink sink;
  SitemapOptions options;
  SitemapOutcome outcome;

  bool stopped() const { return outcome.problem != SitemapProblem::kNone; }
  void stop(SitemapProblem problem) {
    if (!stopped()) outcome.problem = problem;
  }
  // Passes the entry to the sink, or stops if there were enough.
  void emit(const SitemapEntry& entry);
};

class SitemapParser::Xml {
 public:
  explicit Xml(State& state);
  ~Xml();
  Xml(const Xml&) = delete;
  Xml& operator=(const Xml&) = delete;

  // The next piece of UTF-8; false if no more is needed.
  bool push(std::string_view text, bool last);
  // The file is truncated here: an entry whose URL is complete counts.
  void take_cut_entry();

 private:
  // What an element means to us.
  enum class Element : std::uint8_t { kOther, kEntry, kUrl, kDate, kPriority, kChange };

  static void on_start(void* self, const char* name, const char** attributes);
  static void on_end(void* self, const char* name);
  static void on_text(void* self, const char* text, int size);
  static void on_entity(void* self, const char*, int, const char*, int, const char*, const char*, const char*,
                        const char*);

  void start(std::string_view name, const char** attributes);
  void end();
  void root(std::string_view name, const char** attributes);
  void take_feed_entry(const FeedEntry& entry);
  Element meaning(std::string_view name) const;
  void link_element(std::string_view name, const char** attributes);
  void take_text(Element element);
  void finish_entry();
  void stop(SitemapProblem problem);
  void parse(std::string_view piece, bool last);

  State& state_;
  XML_Parser parser_;
  XmlRepair repair_;
  std::string repaired_;           // the piece just pushed
  std::string prefix_;             // of the root element, with its colon
  std::vector<Element> elements_;  // open ones, from the root
  std::size_t entry_depth_ = 0;    // elements open when the entry began; 0: not in one
  SitemapEntry entry_;
  std::optional<FeedBuilder> feed_;  // of RSS and Atom
  std::string text_;                 // of the innermost element that means something
  bool text_too_long_ = false;
  std::uint64_t pushed_ = 0;
};

}  // namespace bowerbird
