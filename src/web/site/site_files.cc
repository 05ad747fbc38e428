// robots.txt, sitemaps and feeds, which every host has next to its pages.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <vector>

#include "base/html_escape.h"
#include "parse/dates.h"
#include "web/site/site_call.h"

namespace bowerbird {

namespace {

// The protocol allows 50,000 URLs in a file.
constexpr PageId kUrlsPerFile = 10'000;
// A feed shows this many of the first pages of its host.
constexpr std::size_t kFeedItems = 20;
constexpr PageId kFeedPages = 10'000;

void append_xml(std::string_view text, std::string& out) {
  append_html_escaped(out, text);
}

// "/sitemap-12.xml.gz" -> 12 and ".xml.gz".
bool parse_part(std::string_view target, PageId& part, std::string_view& form) {
  constexpr std::string_view kPrefix = "/sitemap-";
  if (!target.starts_with(kPrefix)) return false;
  const char* begin = target.data() + kPrefix.size();
  const char* end = target.data() + target.size();
  const auto [rest, fault] = std::from_chars(begin, end, part);
  if (fault != std::errc()) return false;
  form = std::string_view(rest, static_cast<std::size_t>(end - rest));
  return form == ".xml" || form == ".xml.gz" || form == ".txt";
}

}  // namespace

void Site::answer_robots(Call& call) const {
  if (!robots_faults_.empty() && !call.moved &&
      answer_fault(call, robots_fault(call.host_key), call.host_key ^ robots_fault_seed_)) {
    return;
  }
  std::string& body = call.answer.body;
  body += "User-agent: *\n";
  if (disallows(call.host_key)) {
    body += "Disallow: /*3$\nAllow: /*33$\n";
  } else {
    body += "Disallow:\n";
  }
  if (options_.files.crawl_delay_s > 0)
    body += fmt::format("Crawl-delay: {}\n", options_.files.crawl_delay_s);
  if (options_.files.sitemaps) {
    body += "\nSitemap: ";
    call.style.append(call.https, call.authority, "/sitemap.xml", body);
    body += '\n';
  }
  call.answer.add_field("content-type") = "text/plain; charset=utf-8";
}

bool Site::answer_sitemap(Call& call, HostId host) const {
  const HostPages pages = addresses_->pages_of(host);
  const PageId parts = (pages.count + kUrlsPerFile - 1) / kUrlsPerFile;
  std::string& body = call.answer.body;
  PageId part = 0;
  std::string_view form = ".xml";
  if (call.target == "/sitemap.xml") {
    if (parts > 1) {
      body +=
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
      constexpr std::string_view kForms[] = {".xml", ".xml.gz", ".txt"};
      for (PageId i = 0; i < parts; ++i) {
        body += "<sitemap><loc>";
        call.style.append(call.https, call.authority, fmt::format("/sitemap-{}{}", i, kForms[i % 3]), body);
        body += "</loc></sitemap>\n";
      }
      body += "</sitemapindex>\n";
      call.answer.add_field("content-type") = "application/xml";
      return true;
    }
  } else if (!parse_part(call.target, part, form) || part >= parts) {
    return false;
  }
  const bool text = form == ".txt";
  const PageId first = part * kUrlsPerFile;
  const PageId last = std::min(pages.count, first + kUrlsPerFile);
  if (!text) {
    body +=
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
  }
  PageUrl& url = call.scratch.other;
  std::string location;
  for (PageId i = first; i < last; ++i) {
    if (born_us(pages.at(i)) > call.moment.web_us) continue;
    addresses_->url_of(pages.at(i), url);
    location.clear();
    call.style.append(url.https(), url.authority(), url.target(), location);
    if (text) {
      body.append(location).append("\n");
      continue;
    }
    body += "<url><loc>";
    append_xml(location, body);
    body += "</loc><lastmod>";
    body += format_iso_date(claimed_change_us(call, pages.at(i)) / 1'000'000);
    body += "</lastmod></url>\n";
  }
  if (!text) body += "</urlset>\n";
  if (form == ".xml.gz") call.scratch.encoder.encode(Coding::kGzip, body);
  call.answer.add_field("content-type") = text             ? "text/plain; charset=utf-8"
                                          : form == ".xml" ? "application/xml"
                                                           : "application/gzip";
  return true;
}

// When a page changed or appeared, according to its host.
std::int64_t Site::claimed_change_us(const Call& call, PageId page) const {
  if (has_false_dates(call.host_key)) return call.moment.web_us;
  return std::max(born_us(page), changes_.at(page, call.moment.web_us).since_us);
}

// The pages that changed or appeared last, latest first.
void Site::answer_feed(Call& call, HostId host) const {
  const HostPages pages = addresses_->pages_of(host);
  std::vector<std::pair<std::int64_t, PageId>> news;
  for (PageId i = 0; i < std::min(pages.count, kFeedPages); ++i) {
    const PageId page = pages.at(i);
    if (born_us(page) <= call.moment.web_us) news.emplace_back(claimed_change_us(call, page), page);
  }
  const auto shown = news.begin() + static_cast<std::ptrdiff_t>(std::min(news.size(), kFeedItems));
  std::partial_sort(news.begin(), shown, news.end(), std::greater<>());
  const bool atom = call.host_key % 2 == 0;
  std::string& body = call.answer.body;
  body += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  body += atom ? "<feed xmlns=\"http://www.w3.org/2005/Atom\">\n" : "<rss version=\"2.0\"><channel>\n";
  PageUrl& url = call.scratch.other;
  for (auto item = news.begin(); item != shown; ++item) {
    addresses_->url_of(item->second, url);
    std::string location;
    call.style.append(url.https(), url.authority(), url.target(), location);
    body += atom ? "<entry><link href=\"" : "<item><link>";
    append_xml(location, body);
    body += atom ? "\"/><updated>" : "</link><pubDate>";
    const UnixTime changed = item->first / 1'000'000;
    body += atom ? format_iso_date(changed) : format_http_date(changed);
    body += atom ? "</updated></entry>\n" : "</pubDate></item>\n";
  }
  body += atom ? "</feed>\n" : "</channel></rss>\n";
  call.answer.add_field("content-type") = atom ? "application/atom+xml" : "application/rss+xml";
}

}  // namespace bowerbird
