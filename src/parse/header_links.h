// Links in the fields of a response: Link (RFC 8288), equivalent to <link>, and Refresh, equivalent to <meta
// http-equiv=refresh>.
//
// Both are relative to the URL of the response, not to the page's <base>, so they are added to the page as
// absolute URLs. A Link field whose anchor is another page is not a link of this one. Pure; threads: any.
#pragma once

#include <string_view>

#include "parse/html_page.h"
#include "url/url.h"

namespace bowerbird {

// Inserts the links of `head` before those of `page`, which came from `own`.
void add_header_links(std::string_view head, const Url& own, HtmlPage& page);

}  // namespace bowerbird
