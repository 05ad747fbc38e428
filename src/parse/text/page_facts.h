// Facts that a page states about itself: title, author, dates, description and such.
//
// From JSON-LD, OpenGraph and other <meta> elements, microdata, <link>, <time> and the URL, in this order for
// each fact (docs/text.md has the table). What is not stated is empty; nothing is guessed but the date, which
// may come from a short line near the title. Strings are valid UTF-8 on one line. Pure; threads: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parse/text/html_tree.h"
#include "url/url.h"

namespace bowerbird {

// What the page asks of those who use it (directives of <meta name=robots> and the TDM Reservation Protocol).
struct OptOuts {
  bool noindex = false;
  bool noarchive = false;
  bool noai = false;          // noai or noimageai
  bool tdm_reserved = false;  // tdm-reservation is 1
  std::string tdm_policy;     // URL
};

struct DocumentFacts {
  std::string title;
  std::string language;  // as the page says: its lang attribute
  std::vector<std::string> authors;
  std::string published;  // "2025-09-04", or with time as the page writes it (ISO 8601)
  std::string modified;
  std::string description;
  std::string canonical;  // absolute where the base is known
  std::string site_name;
  std::string section;
  std::vector<std::string> keywords;
  std::string license;
  OptOuts opt_outs;
};

// `own` is the page's URL, `base` what its links are relative to; each may be empty.
DocumentFacts read_facts(const HtmlTree& tree, const Url& own, const Url& base);

// Whether a heading is a title, perhaps behind the number of a section.
bool repeats_title(std::string_view heading, std::string_view title);

// Adds what the head of the response says: X-Robots-Tag, tdm-reservation and tdm-policy. Words for another
// robot ("otherbot: noindex") do not count.
void add_header_opt_outs(std::string_view head, OptOuts& opt_outs);

}  // namespace bowerbird
