#include "parse/text/page_facts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "parse/dates.h"
#include "parse/html_text.h"
#include "parse/http_head.h"
#include "parse/text/block_text.h"
#include "parse/text/json_ld.h"
#include "parse/text/plain_text.h"
#include "parse/text/written_date.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMaxMetas = 1000;
constexpr std::size_t kLongestFact = 4096;
constexpr std::size_t kLongestName = 120;  // of a person

// On one line, without blanks at the ends, and not longer than any fact is.
std::string collapsed(std::string_view text) {
  std::string out;
  TextCollector collector;
  collector.begin(out);
  collector.append(text.substr(0, 4 * kLongestFact), /*references=*/false);
  if (out.size() > kLongestFact) {
    out.resize(kLongestFact);
    out.resize(out.size() - incomplete_utf8_tail(out));
  }
  return out;
}

std::string decoded(const HtmlTree& tree, std::uint32_t node, Attribute name) {
  std::string value;
  append_attribute_value(value, tree.attribute(node, name));
  return collapsed(value);
}

std::string node_text(const HtmlTree& tree, std::uint32_t node) {
  const TreeNode& n = tree.nodes[node];
  return collapsed(std::string_view(tree.text).substr(n.text_begin, n.text_end - n.text_begin));
}

// The date in a value: as written if that is ISO 8601, else its day.
std::string date_in(std::string_view value) {
  value = trimmed(value, kAsciiSpaces);
  if (value.size() >= 10 && value.size() <= 40 && value[4] == '-' && parse_w3c_date(value)) {
    return find_written_date(value.substr(0, 10)).empty() ? std::string() : std::string(value);
  }
  return find_written_date(value.substr(0, 200));
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t size = std::min(list.find_first_of(", \t\n;"), list.size());
    if (equals_ignoring_case(list.substr(0, size), word)) return true;
    list.remove_prefix(std::min(size + 1, list.size()));
  }
  return false;
}

class FactReader {
 public:
  FactReader(const HtmlTree& tree, const Url& own, const Url& base) : tree_(tree), own_(own), base_(base) {}

  DocumentFacts read();

 private:
  struct Meta {
    std::string name;  // lower case
    std::string content;
  };

  void read_metas();
  void read_opt_outs();
  std::string meta(std::initializer_list<std::string_view> names) const;
  std::string item(std::string_view property) const;
  std::string linked(std::string_view rel) const;
  std::string absolute(std::string_view href) const;
  std::string heading(std::string_view title) const;
  std::string lower_heading(std::string_view title) const;
  void read_title();
  void read_authors();
  void add_author(std::string name);
  void read_dates();
  std::string time_element() const;
  std::string date_in_url() const;
  std::string date_near_title() const;
  void read_keywords();

  const HtmlTree& tree_;
  const Url& own_;
  const Url& base_;
  std::vector<Meta> metas_;
  JsonLdFacts json_;
  DocumentFacts facts_;
};

void FactReader::read_metas() {
  for (std::size_t i = 0; i < tree_.attributes.size() && metas_.size() < kMaxMetas; ++i) {
    const NodeAttribute& a = tree_.attributes[i];
    if (tree_.nodes[a.node].tag != TagId::kMeta) continue;
    if (a.name != Attribute::kName && a.name != Attribute::kProperty && a.name != Attribute::kItemprop)
      continue;
    std::string content = decoded(tree_, a.node, Attribute::kContent);
    if (!content.empty()) metas_.push_back({lowered(trimmed(a.raw, kAsciiSpaces)), std::move(content)});
  }
}

std::string FactReader::meta(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    for (const Meta& m : metas_) {
      if (m.name == name) return m.content;
    }
  }
  return {};
}

// The value of the first element with this itemprop (microdata).
std::string FactReader::item(std::string_view property) const {
  for (const NodeAttribute& a : tree_.attributes) {
    if (a.name != Attribute::kItemprop || !has_word(a.raw, property)) continue;
    std::string value;
    switch (tree_.nodes[a.node].tag) {
      case TagId::kMeta:
        value = decoded(tree_, a.node, Attribute::kContent);
        break;
      case TagId::kTime:
        value = decoded(tree_, a.node, Attribute::kDatetime);
        break;
      case TagId::kLink:
        value = decoded(tree_, a.node, Attribute::kHref);
        break;
      default:
        break;
    }
    if (value.empty()) value = node_text(tree_, a.node);
    if (!value.empty()) return value;
  }
  return {};
}

std::string FactReader::absolute(std::string_view href) const {
  Url url;
  if (parse_url(href, base_.empty() ? nullptr : &base_, url) == UrlFault::kNone) return url.text();
  return {};
}

std::string FactReader::linked(std::string_view rel) const {
  for (const NodeAttribute& a : tree_.attributes) {
    if (a.name != Attribute::kRel || !has_word(a.raw, rel)) continue;
    const std::string href = decoded(tree_, a.node, Attribute::kHref);
    std::string url = absolute(href);
    if (url.empty() && base_.empty()) url = href;
    if (!url.empty()) return url;
  }
  return {};
}

constexpr std::array<std::string_view, 8> kSeparators = {" | ", " - ", " – ",  " — ",
                                                         " · ", " » ", " :: ", " • "};

// Whether a title ends with `text` as the name of its site.
bool ends_with_site(std::string_view title, std::string_view text) {
  if (text.size() >= title.size()) return false;
  const std::size_t at = title.size() - text.size();
  return equals_ignoring_case(title.substr(at), text) &&
         std::any_of(kSeparators.begin(), kSeparators.end(),
                     [&](std::string_view separator) { return title.substr(0, at).ends_with(separator); });
}

// The first <h1> that `title` begins with, else the first with words that is not the name of the site: some
// pages have that in one above.
std::string FactReader::heading(std::string_view title) const {
  std::string first;
  for (std::uint32_t n = 0; n < tree_.nodes.size(); ++n) {
    if (tree_.nodes[n].tag != TagId::kH1) continue;
    std::string text = node_text(tree_, n);
    if (!text.empty() && starts_ignoring_case(title, text)) return text;
    if (first.empty() && !ends_with_site(title, text)) first = std::move(text);
  }
  return first;
}

// A heading without the number of its section: "14.2 Objects", "E.2 Objects".
std::string_view without_number(std::string_view heading) {
  const std::size_t blank = std::min(heading.find(' '), heading.size());
  const std::string_view number = heading.substr(0, blank);
  const bool letter = number.size() > 1 && is_ascii_upper(number[0]) && number[1] == '.';
  const bool digits = std::all_of(number.begin() + (letter ? 1 : 0), number.end(),
                                  [](char c) { return is_ascii_digit(c) || c == '.'; });
  return digits ? trimmed(heading.substr(blank), " ") : heading;
}

// On a page without <h1>: the first of the other headings that `title` begins with, up to the name of the
// site. Manuals with chapters on pages of their own begin them with lower headings.
std::string FactReader::lower_heading(std::string_view title) const {
  constexpr int kMostHeadings = 5;
  int seen = 0;
  for (std::uint32_t n = 0; n < tree_.nodes.size() && seen < kMostHeadings; ++n) {
    const TagId tag = tree_.nodes[n].tag;
    if (tag != TagId::kH2 && tag != TagId::kH3 && tag != TagId::kH4) continue;
    ++seen;
    const std::string whole = node_text(tree_, n);
    const std::string_view text = without_number(whole);
    if (text.empty() || text.size() >= title.size() || !starts_ignoring_case(title, text)) continue;
    const std::string_view rest = title.substr(text.size());
    if (rest.starts_with(": ") || rest.starts_with(" (")) return std::string(text);
  }
  return {};
}

// A title without the name of the site at one of its ends.
std::string cut_title(std::string_view title, std::string_view site) {
  constexpr int kMaxParts = 4;
  for (int part = 0; part < kMaxParts; ++part) {
    const std::string_view before = title;
    for (const std::string_view separator : kSeparators) {
      const std::size_t last = title.rfind(separator);
      if (last == title.npos) continue;
      const std::string_view head = title.substr(0, last);
      const std::string_view tail = title.substr(last + separator.size());
      const std::size_t first = title.find(separator);
      const bool short_tail = tail.size() < head.size() && std::count(tail.begin(), tail.end(), ' ') < 5;
      if (!site.empty() && equals_ignoring_case(title.substr(0, first), site)) {
        title = title.substr(first + separator.size());
      } else if (short_tail || equals_ignoring_case(tail, site)) {
        title = head;
      }
    }
    if (title == before) break;
  }
  return std::string(title);
}

void FactReader::read_title() {
  const std::string shown = meta({"og:title", "twitter:title"});
  const std::string whole = shown.empty() ? collapsed(tree_.title) : shown;
  const std::string h1 = heading(whole);
  // A heading that begins the title is the title without the site's name.
  if (!h1.empty() && starts_ignoring_case(whole, h1)) {
    facts_.title = h1;
  } else if (!shown.empty()) {
    facts_.title = cut_title(shown, facts_.site_name);
  } else if (!h1.empty()) {
    facts_.title = h1;
  } else if (std::string lower = lower_heading(whole); !lower.empty()) {
    facts_.title = std::move(lower);
  } else if (!json_.title.empty()) {
    facts_.title = json_.title;
  } else {
    facts_.title = cut_title(collapsed(tree_.title), facts_.site_name);
  }
}

void FactReader::add_author(std::string name) {
  for (const std::string_view prefix : {"written by ", "by ", "posted by "}) {
    if (starts_ignoring_case(name, prefix)) name.erase(0, prefix.size());
  }
  const bool is_url = name.find("://") != name.npos || name.starts_with('@');
  if (name.empty() || name.size() > kLongestName || is_url) return;
  if (std::find(facts_.authors.begin(), facts_.authors.end(), name) == facts_.authors.end())
    facts_.authors.push_back(std::move(name));
}

void FactReader::read_authors() {
  for (const std::string& name : json_.authors) add_author(name);
  if (facts_.authors.empty()) {
    for (const Meta& m : metas_) {
      if (m.name == "twitter:data1" && starts_ignoring_case(meta({"twitter:label1"}), "written by"))
        add_author(m.content);
    }
  }
  if (facts_.authors.empty())
    add_author(meta({"author", "article:author", "byl", "dc.creator", "dcterms.creator", "parsely-author",
                     "sailthru.author"}));
  for (const NodeAttribute& a : tree_.attributes) {
    if (!facts_.authors.empty()) break;
    if (a.name == Attribute::kRel && tree_.nodes[a.node].tag == TagId::kA && has_word(a.raw, "author"))
      add_author(node_text(tree_, a.node));
  }
  if (facts_.authors.empty()) add_author(item("author"));
}

// The first <time> with a date.
std::string FactReader::time_element() const {
  for (const NodeAttribute& a : tree_.attributes) {
    if (a.name != Attribute::kDatetime) continue;
    std::string date = date_in(decoded(tree_, a.node, Attribute::kDatetime));
    if (!date.empty()) return date;
  }
  return {};
}

// ".../2025/09/04/..." or ".../2025-09-04-..."
std::string FactReader::date_in_url() const {
  const std::string_view path = own_.empty() ? std::string_view() : own_.path();
  for (std::size_t at = path.find("/20"); at != path.npos; at = path.find("/20", at + 1)) {
    std::string date = find_written_date(path.substr(at + 1, 10));
    if (!date.empty()) return date;
  }
  return {};
}

// In one of the short blocks around the first heading.
std::string FactReader::date_near_title() const {
  constexpr std::size_t kMaxBytes = 120;
  constexpr std::size_t kBlocks = 25;
  std::size_t title = 0;
  while (title < tree_.blocks.size() && tree_.nodes[tree_.blocks[title].node].tag != TagId::kH1) ++title;
  if (title == tree_.blocks.size()) title = 0;
  const std::size_t first = title > 5 ? title - 5 : 0;
  for (std::size_t i = first; i < tree_.blocks.size() && i < title + kBlocks; ++i) {
    const std::string_view text = tree_.text_of(tree_.blocks[i]);
    if (text.size() > kMaxBytes) continue;
    std::string date = find_written_date(text);
    if (!date.empty()) return date;
  }
  return {};
}

void FactReader::read_dates() {
  const auto first = [](std::initializer_list<std::string> values) {
    for (const std::string& value : values) {
      std::string date = date_in(value);
      if (!date.empty()) return date;
    }
    return std::string();
  };
  facts_.published =
      first({json_.published,
             meta({"article:published_time", "og:published_time", "datepublished", "date", "pubdate",
                   "publishdate", "publish-date", "publish_date", "dc.date", "dc.date.issued", "dcterms.date",
                   "dcterms.created", "parsely-pub-date", "sailthru.date", "article.published",
                   "citation_publication_date", "og:article:published_time"}),
             item("datePublished")});
  if (facts_.published.empty()) facts_.published = time_element();
  if (facts_.published.empty()) facts_.published = date_in_url();
  if (facts_.published.empty()) facts_.published = date_near_title();
  facts_.modified =
      first({json_.modified,
             meta({"article:modified_time", "og:updated_time", "og:modified_time", "datemodified",
                   "last-modified", "dcterms.modified", "dc.date.modified", "revised"}),
             item("dateModified")});
}

void FactReader::read_keywords() {
  constexpr std::size_t kMaxKeywords = 100;
  facts_.keywords = json_.keywords;
  const auto add = [&](std::string_view word) {
    word = trimmed(word, kAsciiSpaces);
    const bool known =
        std::find(facts_.keywords.begin(), facts_.keywords.end(), word) != facts_.keywords.end();
    if (!word.empty() && !known && facts_.keywords.size() < kMaxKeywords) facts_.keywords.emplace_back(word);
  };
  for (const Meta& m : metas_) {
    if (m.name == "article:tag") add(m.content);
    if (m.name != "keywords" && m.name != "news_keywords") continue;
    for (std::size_t at = 0; at <= m.content.size();) {
      const std::size_t end = std::min(m.content.find(',', at), m.content.size());
      add(std::string_view(m.content).substr(at, end - at));
      at = end + 1;
    }
  }
}

void add_robots_words(std::string_view words, OptOuts& opt_outs) {
  opt_outs.noindex |= has_word(words, "noindex") || has_word(words, "none");
  opt_outs.noarchive |= has_word(words, "noarchive");
  opt_outs.noai |= has_word(words, "noai") || has_word(words, "noimageai");
}

// "otherbot: noindex". A few words of the field have values of their own: "max-snippet: 20".
bool names_robot(std::string_view value) {
  const std::string_view word = value.substr(0, value.find_first_of(":, "));
  return word.size() < value.size() && value[word.size()] == ':' &&
         !equals_ignoring_case(word, "unavailable_after") && !equals_ignoring_case(word.substr(0, 4), "max-");
}

void FactReader::read_opt_outs() {
  for (const Meta& m : metas_) {
    if (m.name == "robots") {
      add_robots_words(m.content, facts_.opt_outs);
    } else if (m.name == "tdm-reservation") {
      facts_.opt_outs.tdm_reserved |= m.content == "1";
    } else if (m.name == "tdm-policy" && facts_.opt_outs.tdm_policy.empty()) {
      facts_.opt_outs.tdm_policy = absolute(m.content);
    }
  }
}

DocumentFacts FactReader::read() {
  read_metas();
  json_ = read_json_ld(tree_.scripts);
  facts_.language = decoded(tree_, 0, Attribute::kLang);
  facts_.site_name = meta({"og:site_name", "application-name", "al:android:app_name"});
  if (facts_.site_name.empty()) facts_.site_name = json_.site_name;
  read_title();
  read_authors();
  read_dates();
  facts_.description = meta({"og:description", "description", "twitter:description", "dc.description"});
  if (facts_.description.empty()) facts_.description = json_.description;
  facts_.canonical = linked("canonical");
  if (facts_.canonical.empty()) facts_.canonical = absolute(meta({"og:url"}));
  facts_.section = json_.section;
  if (facts_.section.empty()) facts_.section = meta({"article:section", "og:article:section", "section"});
  read_keywords();
  facts_.license = linked("license");
  if (facts_.license.empty()) facts_.license = json_.license;
  if (facts_.license.empty()) facts_.license = meta({"dc.rights", "dcterms.license", "dcterms.rights"});
  read_opt_outs();
  return std::move(facts_);
}

}  // namespace

DocumentFacts read_facts(const HtmlTree& tree, const Url& own, const Url& base) {
  return FactReader(tree, own, base).read();
}

bool repeats_title(std::string_view heading, std::string_view title) {
  if (title.empty()) return false;
  return equals_ignoring_case(heading, title) || equals_ignoring_case(without_number(heading), title);
}

void add_header_opt_outs(std::string_view head, OptOuts& opt_outs) {
  each_field(head, "x-robots-tag", [&](std::string_view value) {
    if (!names_robot(value)) add_robots_words(value, opt_outs);
  });
  opt_outs.tdm_reserved |= head_field(head, "tdm-reservation") == "1";
  if (opt_outs.tdm_policy.empty()) opt_outs.tdm_policy = collapsed(head_field(head, "tdm-policy"));
}

}  // namespace bowerbird
