// Links in the fields of a response: Link (RFC 8288), which says what <link> says, and Refresh, which says
// what <meta http-equiv=refresh> says.
//
// Both are relative to the URL of the response, not to the page's <base>, so they enter the page as absolute
// URLs. A Link field whose anchor names another page is not a link of this one. Pure; threads: any.
#pragma once

#include <string_view>

#include "parse/html_page.h"
#include "url/url.h"

namespace bowerbird {

// Puts the links of `head` in front of those of `page`, which came from `own`.
void add_header_links(std::string_view head, const Url& own, HtmlPage& page);

}  // namespace bowerbird
