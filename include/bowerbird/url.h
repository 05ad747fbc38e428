// URLs, robots.txt and pages, parsed as the crawler does. Pure functions; threads: any.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bowerbird/error.h"

BOWERBIRD_BEGIN

// The canonical form (docs/urls.md) of a link found on the page `base`. Throws Error with the reason.
BOWERBIRD_API std::string canonical_url(std::string_view link, std::string_view base = {});
// The host of a URL, with the port if it is not the default; and its registrable domain.
BOWERBIRD_API std::string url_host(std::string_view url);
BOWERBIRD_API std::string url_site(std::string_view url);

// The rules of a robots.txt for a crawler with this name (RFC 9309). Immutable.
class BOWERBIRD_API Robots {
 public:
  Robots(std::string_view text, std::string_view user_agent);
  bool allows(std::string_view url) const;
  std::optional<double> crawl_delay() const;  // seconds
  const std::vector<std::string>& sitemaps() const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

struct PageLink {
  std::string url;     // canonical
  std::string anchor;  // link text
  std::string kind;    // a, area, link, frame, iframe, refresh, img ...
  bool nofollow = false;
};

struct ParsedPage {
  std::string title, language, charset;
  std::string text;       // main text; all text if there is none
  std::string markdown;   // `text` as Markdown
  std::string canonical;  // of <link rel=canonical>, or empty
  bool noindex = false, nofollow = false;
  std::vector<PageLink> links;  // in the order of the page
};

// Parses an HTML page. content_type: of the response, for the charset. with_text: also extract text,
// markdown and language.
BOWERBIRD_API ParsedPage parse_page(std::string_view html, std::string_view url,
                                    std::string_view content_type = {}, bool with_text = true);

BOWERBIRD_END
