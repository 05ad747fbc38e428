#include "replay/rewritten.h"

#include "parse/css.h"
#include "parse/http_head.h"
#include "parse/mime_sniff.h"
#include "parse/page_reader.h"

namespace bowerbird {

namespace {

constexpr std::size_t kSniffed = std::size_t{64} << 10;

// The media type of a response, and its Content-Type field.
RewrittenBody typed_body(std::string_view head, std::string_view first) {
  RewrittenBody out;
  out.type = content_type_of(head).type;
  out.content_type = joined_fields(head, "Content-Type");
  if (is_unknown_type(out.type)) {
    out.type = sniff_type(first, says_nosniff(head));
    out.content_type = out.type;
  }
  return out;
}

bool is_xml_page(std::string_view type) {
  return type == "application/xhtml+xml" || type == "image/svg+xml";
}

// first: the beginning of the body.
bool is_rewritten(std::string_view head, std::string_view first) {
  const std::string type = typed_body(head, first).type;
  return type == "text/html" || type == "text/css" || is_xml_page(type);
}

}  // namespace

Status read_to_rewrite(CapturedBody& from, std::size_t most, ArchivedResponse& to) {
  to.status = from.status();
  to.head = from.head();
  BB_TRY_VOID(from.append(to.body, kSniffed));
  if (to.body.size() < kSniffed) return {};
  const bool whole = is_rewritten(to.head, to.body);
  if (whole) most = kLargestRewritten + 1;
  if (most > to.body.size()) BB_TRY_VOID(from.append(to.body, most - to.body.size()));
  if (whole && to.body.size() > kLargestRewritten)
    return error("it is larger than {} MiB, which is too large to show", kLargestRewritten >> 20);
  return {};
}

RewrittenBody rewritten_body(ArchivedResponse& response, const Url& url, const UrlMapper& map) {
  RewrittenBody out = typed_body(response.head, response.body);
  const std::string charset = content_type_of(response.head).charset;
  RewriteContext context;
  context.page = &url;
  context.map = &map;
  const bool html = out.type == "text/html";
  const bool xml = is_xml_page(out.type);
  if (html || xml) {
    HtmlOptions options;
    PageReader reader(options);
    HtmlPage page;
    ReadingHints hints;
    hints.header_charset = charset;
    hints.xhtml = xml;
    context.encoding = reader.read(response.body, hints, page).encoding;
    out.body = html ? rewrite_html(reader.utf8(), context) : rewrite_xml(reader.utf8(), context);
    out.content_type = out.type + "; charset=utf-8";
    out.changed = true;
  } else if (out.type == "text/css") {
    std::string storage;
    out.body = rewrite_css(css_text(response.body, charset, storage), context);
    out.content_type = "text/css; charset=utf-8";
    out.changed = true;
  } else {
    out.body = std::move(response.body);
  }
  return out;
}

}  // namespace bowerbird
