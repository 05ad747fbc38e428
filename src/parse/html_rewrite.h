// Replaces the URLs of a page or a style sheet, so that it can be shown from an archive or from a folder.
//
// Every attribute that makes a browser load or open something is replaced: href, src, srcset, action, poster
// and their kind, meta refresh, style attributes, <style>, the pages in srcdoc. <base> is resolved and
// removed. What would keep a changed page from working or lead outside is removed too: integrity, nonce,
// ping, referrer and content security policies of the page itself. All other bytes stay as they are. Input is
// UTF-8 or taken for it; the meta elements that name an encoding are changed to UTF-8.
//
// Only http and https URLs are replaced. Others (data:, mailto:) stay, and so do references to a place in the
// page itself ("#top"). A reference that cannot be read becomes about:invalid. Scripts are not changed.
// Linear in the input. Pure; threads: any.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "encoding/encoding.h"
#include "url/url.h"

namespace bowerbird {

enum class UrlUse : unsigned char {
  kPage,       // is opened: links, forms, frames
  kRequisite,  // is loaded with the page
};

// The address that stands for an absolute URL, without its fragment, which is kept.
using UrlMapper = std::function<std::string(const Url& url, UrlUse use)>;

struct RewriteContext {
  const Url* page = nullptr;            // its own URL
  const UrlMapper* map = nullptr;       // not owned
  Encoding encoding = Encoding::kUtf8;  // of the page as it came: of the queries of its links
};

std::string rewrite_html(std::string_view html, const RewriteContext& context);
// XHTML and SVG: documents of XML, read without judging whether they are well-formed.
std::string rewrite_xml(std::string_view xml, const RewriteContext& context);
std::string rewrite_css(std::string_view css, const RewriteContext& context);
// A single reference, as in Location; as described above.
std::string rewrite_reference(std::string_view reference, UrlUse use, const RewriteContext& context);
// The value of a Refresh field or of a meta refresh: "5; url=next.html".
std::string rewrite_refresh(std::string_view value, const RewriteContext& context);

}  // namespace bowerbird
