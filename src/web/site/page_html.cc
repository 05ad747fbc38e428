#include "web/site/page_html.h"

#include <fmt/format.h>

#include <cmath>

#include "base/hash.h"
#include "base/html_escape.h"

namespace bowerbird {

namespace {

constexpr std::string_view kStyle =
    "<style>body{font:1rem/1.5 Georgia,serif;max-width:46rem;margin:0 auto;padding:1rem;color:#222}"
    "header,footer{color:#666;font-size:.85rem}.banner{font:.85rem "
    "sans-serif;background:#eef2f7;padding:.5rem .8rem;"
    "border-radius:6px;overflow-wrap:anywhere}h1{font-size:1.6rem}li{margin:.15rem 0}</style>\n";

// Text for an attribute; URLs seldom need escaping.
void append_attribute(std::string_view text, std::string& out) {
  if (text.find_first_of("&\"<>") == text.npos) {
    out.append(text);
  } else {
    append_html_escaped(out, text);
  }
}

}  // namespace

void PageHtml::append(const PageView& view, PageUrl& scratch, std::string& out) const {
  append_head(view, scratch, out);
  if (view.style->for_people()) append_banner(view, out);
  append_text(view, out);
  if (!view.refresh) append_links(view, scratch, out);
  append_copies(view, scratch, out);
  if (traps_.any()) traps_.append_entrances(view.host_key, *view.url, *view.style, out);
  out += "<footer><p>";
  text_.append_sentences(view.host_key + 1, PageText::topic_of(view.host_key), 18, out);
  out += "</p></footer>\n</body>\n</html>\n";
}

void PageHtml::append_title(PageId page, std::uint64_t host_key, std::string& out) const {
  text_.append_title(page_key(page), PageText::topic_of(host_key), out);
}

void PageHtml::append_head(const PageView& view, PageUrl& scratch, std::string& out) const {
  out += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>";
  append_title(view.page, view.host_key, out);
  out += "</title>\n";
  if (view.refresh && !view.links.empty()) {
    addresses_.url_of(view.links.front(), scratch);
    out += "<meta http-equiv=\"refresh\" content=\"0; url=";
    append_href(view, scratch, out);
    out += "\">\n";
  }
  if (view.feed) {
    scratch.text.assign(view.url->text, 0, view.url->target_begin).append(kFeedPath);
    scratch.split();
    out += "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"";
    append_href(view, scratch, out);
    out += "\">\n";
  }
  if (view.style->for_people()) out += kStyle;
  out += "</head>\n<body>\n<header><p>";
  text_.append_sentences(view.host_key, PageText::topic_of(view.host_key), 12, out);
  out += "</p></header>\n<h1>";
  append_title(view.page, view.host_key, out);
  out += "</h1>\n";
}

void PageHtml::append_banner(const PageView& view, std::string& out) const {
  out += "<p class=\"banner\">";
  if (view.style->is_portal()) out += "<a href=\"/\">Test Web</a> · ";
  fmt::format_to(std::back_inserter(out), "page {} · {} links · <code>", view.page, view.links.size());
  append_html_escaped(out, view.url->text);
  out += "</code></p>\n";
}

// About half of the pages have fewer than 0.7 times the mean, a few have many times more.
unsigned PageHtml::words_of(std::uint64_t key) const {
  const double factor = std::min(6.0, -std::log(1 - to_unit(mix64(key ^ 0x776f726473u))));
  return 12 + static_cast<unsigned>(factor * (mean_words_ > 12 ? mean_words_ - 12 : 0));
}

void PageHtml::append_text(const PageView& view, std::string& out) const {
  const std::uint64_t key = page_key(view.page);
  const int topic = PageText::topic_of(view.host_key);
  const unsigned words = words_of(key);
  const unsigned news = words / 5;  // changes when the page does
  text_.append_paragraphs(key, topic, words - news, out);
  text_.append_paragraphs(view.version.key, topic, news, out);
  if (view.visit > 0) {
    fmt::format_to(std::back_inserter(out), "<p>Visit {}, token {:016x}.</p>\n", view.visit,
                   mix64(key + view.visit));
  }
  if (view.near_copy) {
    out += "<p>";
    text_.append_sentences(key + view.copy, topic, 4, out);
    out += "</p>\n";
  }
}

void PageHtml::append_href(const PageView& view, const PageUrl& to, std::string& out) const {
  const std::size_t start = out.size();
  view.style->append_link(*view.url, to.https(), to.authority(), to.target(), out);
  if (!view.session.empty() && to.authority() == view.url->authority()) {
    out += to.target().find('?') == std::string_view::npos ? '?' : '&';
    out.append("sid=").append(view.session);
  }
  if (std::string_view(out).substr(start).find_first_of("&\"<>") != std::string_view::npos) {
    const std::string href = out.substr(start);
    out.resize(start);
    append_attribute(href, out);
  }
}

void PageHtml::append_links(const PageView& view, PageUrl& scratch, std::string& out) const {
  if (view.links.empty()) return;
  out += "<ul>\n";
  for (const PageId target : view.links) {
    addresses_.url_of(target, scratch);
    out += "<li><a href=\"";
    append_href(view, scratch, out);
    out += "\">";
    append_title(target, hash64(scratch.authority()), out);
    out += "</a></li>\n";
  }
  out += "</ul>\n";
}

void PageHtml::append_copies(const PageView& view, PageUrl& scratch, std::string& out) const {
  const auto add = [&](std::string_view kind, unsigned count) {
    for (unsigned i = 1; i <= count; ++i) {
      scratch.text.assign(view.url->text, 0, view.url->target_begin);
      fmt::format_to(std::back_inserter(scratch.text), "/-/{}/{}{}", kind, i, view.url->target());
      scratch.split();
      out += "<a href=\"";
      append_href(view, scratch, out);
      fmt::format_to(std::back_inserter(out), "\">{} {}</a>\n", kind, i);
    }
  };
  add("copy", view.copies);
  add("near", view.near_copies);
}

}  // namespace bowerbird
