#include "replay/rewritten.h"

#include "parse/css.h"
#include "parse/http_head.h"
#include "parse/mime_sniff.h"
#include "parse/page_reader.h"

namespace bowerbird {

RewrittenBody rewritten_body(ArchivedResponse& response, const Url& url, const UrlMapper& map) {
  RewrittenBody out;
  const ContentType type = content_type_of(response.head);
  out.content_type = joined_fields(response.head, "Content-Type");
  out.type = type.type;
  if (is_unknown_type(type.type)) {
    out.type = sniff_type(response.body, says_nosniff(response.head));
    out.content_type = out.type;
  }
  RewriteContext context;
  context.page = &url;
  context.map = &map;
  const bool html = out.type == "text/html";
  const bool xml = out.type == "application/xhtml+xml" || out.type == "image/svg+xml";
  if (html || xml) {
    HtmlOptions options;
    PageReader reader(options);
    HtmlPage page;
    ReadingHints hints;
    hints.header_charset = type.charset;
    hints.xhtml = xml;
    context.encoding = reader.read(response.body, hints, page).encoding;
    out.body = html ? rewrite_html(reader.utf8(), context) : rewrite_xml(reader.utf8(), context);
    out.content_type = out.type + "; charset=utf-8";
    out.changed = true;
  } else if (out.type == "text/css") {
    std::string storage;
    out.body = rewrite_css(css_text(response.body, type.charset, storage), context);
    out.content_type = "text/css; charset=utf-8";
    out.changed = true;
  } else {
    out.body = std::move(response.body);
  }
  return out;
}

}  // namespace bowerbird
