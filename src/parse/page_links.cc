#include "parse/page_links.h"

namespace bowerbird {

const Url& document_base(const HtmlPage& page, const Url& own, Url& storage) {
  if (!page.has_base) return own;
  const Url* outer = own.empty() ? nullptr : &own;
  return parse_url(page.string(page.base), outer, storage, page.encoding) == UrlFault::kNone ? storage : own;
}

}  // namespace bowerbird
