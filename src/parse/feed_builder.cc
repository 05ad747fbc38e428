#include "parse/feed_builder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/html_escape.h"
#include "parse/xml_text.h"

namespace bowerbird {

namespace {

// HTML writes no end tag for these.
bool is_void_element(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kNames = {"br",  "hr",    "img",    "input",
                                                             "col", "embed", "source", "wbr"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// The names of HTML, its attributes among them; others are not written into it.
bool is_markup_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && is_ascii_alpha(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_ascii_alnum(c) || c == '-'; });
}

// No character is cut in two.
std::string_view cut_utf8(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

std::optional<UnixTime> feed_date(std::string_view text) {
  const auto time = parse_w3c_date(text);
  return time ? time : parse_mail_date(text);
}

}  // namespace

FeedRoot feed_root(std::string_view name) {
  const std::string_view local = xml_local_name(name);
  const std::string_view prefix = name.substr(0, name.size() - local.size());
  if (local == "rss") return {FeedKind::kRss, prefix};
  if (local == "RDF") return {FeedKind::kRss, {}};  // RSS 1.0 is RDF, whose prefix stands at the root alone
  if (local == "feed") return {FeedKind::kAtom, prefix};
  return {};
}

FeedBuilder::FeedBuilder(const FeedRoot& root, const char** attributes, const FeedOptions& options, Sink sink)
    : options_(options), prefix_(root.prefix), sink_(std::move(sink)) {
  head_.kind = root.kind;
  const std::string_view base = xml_attribute(attributes, "xml:base");
  if (!base.empty() && base.size() <= options_.max_name) bases_.emplace_back(base);
  const std::string_view language = xml_attribute(attributes, "xml:lang");
  if (language.size() <= 64) head_.language = language;
}

bool FeedBuilder::is_text(Element element) {
  return element == Element::kTitle || element == Element::kSummary || element == Element::kContent;
}

bool FeedBuilder::at_feed_level() const {
  if (entry_depth_ > 0) return false;
  if (head_.kind == FeedKind::kAtom) return elements_.empty();
  return elements_.size() == 1 && elements_[0].element == Element::kChannel;
}

FeedBuilder::Element FeedBuilder::found(std::string_view name, const Name* first, const Name* last) {
  const Name* const at = std::find_if(first, last, [&](const Name& row) { return row.name == name; });
  return at == last ? Element::kOther : at->element;
}

FeedBuilder::Element FeedBuilder::rss_meaning(std::string_view name) const {
  static constexpr std::array<Name, 13> kItem = {{{"title", Element::kTitle},
                                                  {"link", Element::kLink},
                                                  {"guid", Element::kId},
                                                  {"pubDate", Element::kPublished},
                                                  {"dc:date", Element::kPublished},
                                                  {"dcterms:modified", Element::kUpdated},
                                                  {"atom:updated", Element::kUpdated},
                                                  {"author", Element::kName},
                                                  {"dc:creator", Element::kName},
                                                  {"category", Element::kCategory},
                                                  {"dc:subject", Element::kCategory},
                                                  {"description", Element::kSummary},
                                                  {"content:encoded", Element::kContent}}};
  static constexpr std::array<Name, 6> kChannel = {{{"title", Element::kTitle},
                                                    {"link", Element::kLink},
                                                    {"language", Element::kLanguage},
                                                    {"dc:language", Element::kLanguage},
                                                    {"pubDate", Element::kPublished},
                                                    {"lastBuildDate", Element::kUpdated}}};
  if (entry_depth_ == 0 && name == "item") return Element::kEntry;
  if (elements_.empty() && name == "channel") return Element::kChannel;
  if (at_entry_level()) return found(name, kItem.data(), kItem.data() + kItem.size());
  if (at_feed_level()) return found(name, kChannel.data(), kChannel.data() + kChannel.size());
  return Element::kOther;
}

FeedBuilder::Element FeedBuilder::atom_meaning(std::string_view name) const {
  static constexpr std::array<Name, 10> kEntry = {{{"title", Element::kTitle},
                                                   {"id", Element::kId},
                                                   {"published", Element::kPublished},
                                                   {"issued", Element::kPublished},  // Atom 0.3
                                                   {"updated", Element::kUpdated},
                                                   {"modified", Element::kUpdated},  // Atom 0.3
                                                   {"author", Element::kAuthor},
                                                   {"summary", Element::kSummary},
                                                   {"content", Element::kContent},
                                                   {"dc:subject", Element::kCategory}}};
  static constexpr std::array<Name, 3> kFeed = {
      {{"title", Element::kTitle}, {"updated", Element::kUpdated}, {"modified", Element::kUpdated}}};
  if (entry_depth_ == 0 && name == "entry") return Element::kEntry;
  if (at_entry_level()) return found(name, kEntry.data(), kEntry.data() + kEntry.size());
  if (at_feed_level()) return found(name, kFeed.data(), kFeed.data() + kFeed.size());
  const bool in_author = entry_depth_ > 0 && elements_.size() == entry_depth_ + 1 &&
                         elements_.back().element == Element::kAuthor;
  return in_author && name == "name" ? Element::kName : Element::kOther;
}

FeedBuilder::Element FeedBuilder::meaning(std::string_view name) const {
  if (!name.starts_with(prefix_)) return Element::kOther;
  name.remove_prefix(prefix_.size());
  return head_.kind == FeedKind::kAtom ? atom_meaning(name) : rss_meaning(name);
}

void FeedBuilder::start(std::string_view name, const char** attributes) {
  const std::size_t base_size = bases_.size();
  if (taking_ && is_text(elements_[text_depth_ - 1].element)) {
    open_markup(name, attributes);
    elements_.push_back({Element::kOther, base_size});
    return;
  }
  link_element(name, attributes);
  const Element element = taking_ ? Element::kOther : meaning(name);
  const std::string_view base = xml_attribute(attributes, "xml:base");
  if (!base.empty() && base.size() <= options_.max_name) bases_.emplace_back(base);
  elements_.push_back({element, base_size});
  if (element == Element::kEntry) {
    begin_entry(attributes);
  } else if (element != Element::kOther && element != Element::kChannel && element != Element::kAuthor) {
    begin_text(element, attributes);
  }
}

void FeedBuilder::begin_entry(const char** attributes) {
  entry_ = FeedEntry();
  entry_depth_ = elements_.size();
  const std::string_view about = xml_attribute(attributes, "rdf:about");
  if (about.size() <= options_.max_name) entry_.id = without_blank_ends(about);
  entry_.id_is_link = !entry_.id.empty();
}

void FeedBuilder::begin_text(Element element, const char** attributes) {
  taking_ = true;
  text_depth_ = elements_.size();
  text_.clear();
  too_long_ = markup_ = false;
  markup_names_.clear();
  html_ = head_.kind == FeedKind::kRss;
  if (head_.kind == FeedKind::kAtom) {
    const std::string_view type = xml_attribute(attributes, "type");
    markup_ = equals_ignoring_case(type, "xhtml") || equals_ignoring_case(type, "application/xhtml+xml");
    html_ = markup_ || equals_ignoring_case(type, "html") || equals_ignoring_case(type, "text/html");
    // Content that is elsewhere, or is no text.
    const bool none = element == Element::kContent && !html_ && !type.empty() &&
                      !equals_ignoring_case(type, "text") && !equals_ignoring_case(type, "text/plain");
    if (none) too_long_ = true;
  }
  if (element == Element::kId) {
    const bool link = !equals_ignoring_case(xml_attribute(attributes, "isPermaLink"), "false");
    entry_.id_is_link = link && head_.kind == FeedKind::kRss;
  }
}

// <link href> and <category term> of Atom.
void FeedBuilder::link_element(std::string_view name, const char** attributes) {
  const std::string_view local = xml_local_name(name);
  if (!at_entry_level() && !at_feed_level()) return;
  if (local == "category" && at_entry_level() && entry_.categories.size() < options_.max_list) {
    const std::string_view term = without_blank_ends(xml_attribute(attributes, "term"));
    if (!term.empty() && term.size() <= options_.max_name) entry_.categories.emplace_back(term);
  }
  if (head_.kind != FeedKind::kAtom || name != prefix_ + "link") return;
  const std::string_view href = without_blank_ends(xml_attribute(attributes, "href"));
  const std::string_view rel = xml_attribute(attributes, "rel");
  if (href.empty() || href.size() > options_.max_name) return;
  if (!rel.empty() && !equals_ignoring_case(rel, "alternate")) return;
  std::string& link = at_entry_level() ? entry_.link : head_.link;
  if (!link.empty()) return;
  link = href;
  const std::string_view base = xml_attribute(attributes, "xml:base");
  if (at_entry_level()) {
    if (!base.empty() && base.size() <= options_.max_name) {
      entry_.base = base;
    } else if (!bases_.empty()) {
      entry_.base = bases_.back();
    }
  }
}

void FeedBuilder::open_markup(std::string_view name, const char** attributes) {
  if (!markup_) {
    // HTML that was not escaped, against the rules of RSS: read it as what is meant.
    std::string before = std::exchange(text_, {});
    append_html_escaped(text_, before);
    markup_ = html_ = true;
  }
  name = xml_local_name(name);
  markup_names_.emplace_back(is_markup_name(name) ? name : std::string_view());
  if (markup_names_.back().empty() || text_.size() > options_.max_text) return;
  text_ += '<';
  text_ += name;
  for (; *attributes != nullptr; attributes += 2) {
    if (!is_markup_name(attributes[0])) continue;
    text_ += ' ';
    text_ += attributes[0];
    text_ += "=\"";
    append_html_escaped(text_, attributes[1]);
    text_ += '"';
  }
  text_ += '>';
}

void FeedBuilder::close_markup() {
  const std::string name = std::move(markup_names_.back());
  markup_names_.pop_back();
  if (name.empty() || is_void_element(name) || text_.size() > options_.max_text) return;
  text_ += "</" + name + ">";
}

void FeedBuilder::text(std::string_view piece) {
  if (!taking_ || too_long_) return;
  const bool long_text = is_text(elements_[text_depth_ - 1].element);
  if (!long_text && elements_.size() != text_depth_) return;
  const std::size_t most = long_text ? options_.max_text : options_.max_name;
  if (text_.size() + piece.size() > most) {
    // A name that is cut is another name; a text that is cut is still a text.
    too_long_ = !long_text;
    if (!long_text) return;
    piece = cut_utf8(piece, most - std::min(most, text_.size()));
  }
  if (markup_) {
    append_html_escaped(text_, piece);
  } else {
    text_ += piece;
  }
}

void FeedBuilder::end() {
  if (elements_.empty()) return;
  const Open open = elements_.back();
  elements_.pop_back();
  bases_.resize(open.base_size);
  if (taking_ && elements_.size() >= text_depth_) {
    if (!markup_names_.empty()) close_markup();
    return;
  }
  if (taking_) {
    taking_ = false;
    if (!too_long_) take(open.element);
  }
  if (open.element == Element::kEntry) finish_entry();
}

void FeedBuilder::take(Element element) {
  if (is_text(element)) return take_text(element);
  const std::string_view text = without_blank_ends(text_);
  if (text.empty()) return;
  if (element == Element::kPublished || element == Element::kUpdated) return take_date(element, text);
  take_name(element, text);
}

void FeedBuilder::take_text(Element element) {
  FeedText& to = entry_depth_ == 0              ? head_.title
                 : element == Element::kTitle   ? entry_.title
                 : element == Element::kSummary ? entry_.summary
                                                : entry_.content;
  if (to.text.empty()) to = {std::string(without_blank_ends(text_)), html_};
}

void FeedBuilder::take_name(Element element, std::string_view text) {
  const auto add = [&](std::vector<std::string>& list) {
    if (list.size() < options_.max_list) list.emplace_back(text);
  };
  switch (element) {
    case Element::kLink: {
      std::string& link = entry_depth_ > 0 ? entry_.link : head_.link;
      if (link.empty()) link = text;
      if (entry_depth_ > 0 && !bases_.empty()) entry_.base = bases_.back();
      break;
    }
    case Element::kId:
      entry_.id = text;
      break;
    case Element::kName:
      add(entry_.authors);
      break;
    case Element::kCategory:
      add(entry_.categories);
      break;
    case Element::kLanguage:
      if (text.size() <= 64) head_.language = text;
      break;
    default:
      break;
  }
}

void FeedBuilder::take_date(Element element, std::string_view text) {
  const auto time = feed_date(text);
  if (!time) return;
  if (entry_depth_ == 0) {
    if (element == Element::kUpdated || !head_.updated) head_.updated = time;
    return;
  }
  std::optional<UnixTime>& to = element == Element::kPublished ? entry_.published : entry_.updated;
  if (!to) to = time;
}

void FeedBuilder::finish_entry() {
  entry_depth_ = 0;
  sink_(entry_);
}

void FeedBuilder::cut() {
  taking_ = false;
  if (entry_depth_ > 0 && !entry_url(entry_).empty()) finish_entry();
  entry_depth_ = 0;
}

}  // namespace bowerbird
