#include "parse/sitemap_xml.h"

#include <algorithm>
#include <array>
#include <new>

#include "base/ascii.h"
#include "base/units.h"
#include "parse/xml_text.h"

namespace bowerbird {

namespace {

// We need no element or attribute that is longer than this; Expat would keep all of it.
constexpr std::uint64_t kLongestToken = 1 << 20;

ChangeFrequency change_of(std::string_view text) {
  static constexpr std::array<std::string_view, 7> kNames = {"always",  "hourly", "daily", "weekly",
                                                             "monthly", "yearly", "never"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (equals_ignoring_case(text, kNames[i])) return static_cast<ChangeFrequency>(i + 1);
  }
  return ChangeFrequency::kUnknown;
}

}  // namespace

void SitemapParser::State::emit(const SitemapEntry& entry) {
  if (stopped()) return;
  if (outcome.entries == options.max_entries) return stop(SitemapProblem::kTooManyEntries);
  ++outcome.entries;
  sink(entry);
}

SitemapParser::Xml::Xml(State& state) : state_(state), parser_(XML_ParserCreate("UTF-8")) {
  if (parser_ == nullptr) throw std::bad_alloc();
  XML_SetUserData(parser_, this);
  XML_SetElementHandler(parser_, on_start, on_end);
  XML_SetCharacterDataHandler(parser_, on_text);
  XML_SetEntityDeclHandler(parser_, on_entity);
}

SitemapParser::Xml::~Xml() {
  XML_ParserFree(parser_);
}

void SitemapParser::Xml::on_start(void* self, const char* name, const char** attributes) {
  static_cast<Xml*>(self)->start(name, attributes);
}

void SitemapParser::Xml::on_end(void* self, const char*) {
  static_cast<Xml*>(self)->end();
}

void SitemapParser::Xml::on_text(void* self, const char* text, int size) {
  auto& xml = *static_cast<Xml*>(self);
  if (xml.feed_) return xml.feed_->text({text, static_cast<std::size_t>(size)});
  if (xml.elements_.empty() || xml.elements_.back() == Element::kOther || xml.text_too_long_) return;
  if (xml.text_.size() + static_cast<std::size_t>(size) > xml.state_.options.max_text) {
    xml.text_too_long_ = true;
  } else {
    xml.text_.append(text, static_cast<std::size_t>(size));
  }
}

void SitemapParser::Xml::on_entity(void* self, const char*, int, const char*, int, const char*, const char*,
                                   const char*, const char*) {
  static_cast<Xml*>(self)->stop(SitemapProblem::kEntities);
}

void SitemapParser::Xml::stop(SitemapProblem problem) {
  take_cut_entry();
  if (!state_.stopped()) state_.outcome.line = XML_GetCurrentLineNumber(parser_);
  state_.stop(problem);
  XML_StopParser(parser_, XML_FALSE);
}

bool SitemapParser::Xml::push(std::string_view text, bool last) {
  repaired_.clear();
  repair_.push(text, repaired_, last);
  // In pieces, so that sizes fit an int and an endless token is noticed early.
  constexpr std::size_t kPiece = 1 << 16;
  std::string_view rest = repaired_;
  while (!rest.empty() && !state_.stopped()) {
    parse(rest.substr(0, kPiece), /*last=*/false);
    rest.remove_prefix(std::min(rest.size(), kPiece));
    const auto parsed = static_cast<std::uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_)));
    if (!state_.stopped() && pushed_ > parsed + kLongestToken) stop(SitemapProblem::kMalformed);
  }
  if (last && !state_.stopped()) parse({}, /*last=*/true);
  return !state_.stopped();
}

void SitemapParser::Xml::parse(std::string_view piece, bool last) {
  pushed_ += piece.size();
  const XML_Status status = XML_Parse(parser_, piece.data(), static_cast<int>(piece.size()), last);
  if (status != XML_STATUS_ERROR || state_.stopped()) return;
  take_cut_entry();
  state_.outcome.line = XML_GetCurrentLineNumber(parser_);
  state_.stop(SitemapProblem::kMalformed);
}

void SitemapParser::Xml::take_cut_entry() {
  if (state_.stopped()) return;
  if (feed_) feed_->cut();
  if (entry_depth_ > 0) finish_entry();
}

void SitemapParser::Xml::start(std::string_view name, const char** attributes) {
  if (state_.stopped()) return;
  if (elements_.size() >= state_.options.max_depth) return stop(SitemapProblem::kTooDeep);
  if (elements_.empty()) {
    root(name, attributes);
    elements_.push_back(Element::kOther);
    return;
  }
  if (feed_) {
    elements_.push_back(Element::kOther);
    return feed_->start(name, attributes);
  }
  link_element(name, attributes);
  const Element element = meaning(name);
  if (element == Element::kEntry) {
    entry_ = SitemapEntry();
    entry_.is_sitemap = state_.outcome.kind == SitemapKind::kIndex;
    entry_depth_ = elements_.size() + 1;
  }
  elements_.push_back(element);
  text_.clear();
  text_too_long_ = false;
}

void SitemapParser::Xml::root(std::string_view name, const char** attributes) {
  const std::string_view local = xml_local_name(name);
  prefix_ = name.substr(0, name.size() - local.size());
  const FeedRoot root = feed_root(name);
  if (local == "urlset") {
    state_.outcome.kind = SitemapKind::kUrls;
  } else if (local == "sitemapindex") {
    state_.outcome.kind = SitemapKind::kIndex;
  } else if (root.kind != FeedKind::kNone) {
    state_.outcome.kind = root.kind == FeedKind::kRss ? SitemapKind::kRss : SitemapKind::kAtom;
    FeedOptions options;
    options.max_name = state_.options.max_text;
    options.max_text = 0;  // titles and contents are not wanted
    options.max_list = 0;
    feed_.emplace(root, attributes, options, [this](const FeedEntry& entry) { take_feed_entry(entry); });
  } else {
    stop(SitemapProblem::kNotASitemap);
  }
}

SitemapParser::Xml::Element SitemapParser::Xml::meaning(std::string_view name) const {
  if (!name.starts_with(prefix_)) return Element::kOther;
  name.remove_prefix(prefix_.size());
  if (entry_depth_ == 0) {
    const std::string_view entry = state_.outcome.kind == SitemapKind::kUrls ? "url" : "sitemap";
    return name == entry ? Element::kEntry : Element::kOther;
  }
  if (elements_.size() != entry_depth_) return Element::kOther;
  if (name == "loc") return Element::kUrl;
  if (name == "lastmod") return Element::kDate;
  if (name == "priority") return Element::kPriority;
  if (name == "changefreq") return Element::kChange;
  return Element::kOther;
}

// <xhtml:link rel="alternate" hreflang href> of sitemaps.
void SitemapParser::Xml::link_element(std::string_view name, const char** attributes) {
  if (entry_depth_ == 0 || elements_.size() != entry_depth_ || xml_local_name(name) != "link") return;
  const std::string_view href = without_blank_ends(xml_attribute(attributes, "href"));
  const std::string_view rel = xml_attribute(attributes, "rel");
  if (href.empty() || href.size() > state_.options.max_text) return;
  const std::string_view language = xml_attribute(attributes, "hreflang");
  if (state_.outcome.kind != SitemapKind::kUrls || language.empty() ||
      !equals_ignoring_case(rel, "alternate"))
    return;
  if (entry_.alternates.size() < state_.options.max_alternates && language.size() < 64) {
    entry_.alternates.push_back({std::string(language), std::string(href)});
  }
}

void SitemapParser::Xml::end() {
  if (state_.stopped() || elements_.empty()) return;
  const Element element = elements_.back();
  elements_.pop_back();
  if (feed_) return feed_->end();
  if (element == Element::kEntry) {
    finish_entry();
  } else if (element != Element::kOther && !text_too_long_) {
    take_text(element);
  }
}

void SitemapParser::Xml::take_text(Element element) {
  const std::string_view text = without_blank_ends(text_);
  switch (element) {
    case Element::kUrl:
      if (entry_.url.empty()) entry_.url = text;
      break;
    case Element::kDate: {
      if (entry_.last_modified) break;
      const auto time = parse_w3c_date(text);
      entry_.last_modified = time ? time : parse_mail_date(text);
      break;
    }
    case Element::kPriority: {
      const auto number = parse_number(text);
      if (number.ok() && *number >= 0 && *number <= 1) entry_.priority = static_cast<float>(*number);
      break;
    }
    case Element::kChange:
      entry_.change = change_of(text);
      break;
    case Element::kOther:
    case Element::kEntry:
      break;
  }
}

void SitemapParser::Xml::take_feed_entry(const FeedEntry& entry) {
  entry_ = SitemapEntry();
  entry_.url = entry_url(entry);
  entry_.last_modified = entry.updated ? entry.updated : entry.published;
  finish_entry();
}

void SitemapParser::Xml::finish_entry() {
  entry_depth_ = 0;
  if (entry_.url.empty()) {
    ++state_.outcome.unreadable;
    return;
  }
  state_.emit(entry_);
  if (state_.stopped()) stop(state_.outcome.problem);
}

}  // namespace bowerbird
