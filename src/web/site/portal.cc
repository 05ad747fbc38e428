// The portal: what a browser sees at the server's own address. A directory of the hosts, some pages to start
// with, and the whole Web as paths of this one site, /~/www.a.org/x.
#include <fmt/format.h>

#include <charconv>
#include <set>

#include "base/hash.h"
#include "base/html_escape.h"
#include "base/units.h"
#include "web/site/site_call.h"

namespace bowerbird {

namespace {

constexpr HostId kHostsPerList = 100;
constexpr int kSuggestions = 12;

constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"robots\" "
    "content=\"noindex,nofollow\">\n"
    "<title>Test Web</title>\n"
    "<style>body{font:1rem/1.5 Georgia,serif;max-width:60rem;margin:0 auto;padding:1rem;color:#222}"
    "ul.hosts{columns:16rem;padding-left:1.2rem}li{margin:.15rem 0;overflow-wrap:anywhere}"
    "p.more a{margin-right:1rem}code{background:#eef2f7;padding:0 .3rem}</style>\n</head>\n<body>\n";

void append_link(const LinkStyle& style, bool https, std::string_view authority, std::string_view target,
                 std::string& out) {
  std::string href;
  style.append(https, authority, target, href);
  out += "<li><a href=\"";
  append_html_escaped(out, href);
  out += "\">";
}

}  // namespace

void Site::answer_portal(Call& call) const {
  call.style = LinkStyle::portal();
  const std::string_view target = call.target;
  const bool plain = target.starts_with("/~/");
  if (plain || target.starts_with("/~s/")) {
    const std::size_t begin = plain ? 3 : 4;
    const std::size_t slash = target.find_first_of("/?", begin);
    const std::string_view name = target.substr(begin, slash - begin);
    if (slash == target.npos || target[slash] == '?') {
      // "/~/www.a.org" means its home page.
      return redirect(call, 302, !plain, name, "/");
    }
    call.scratch.authority = name;
    call.authority = call.scratch.authority;
    call.target = target.substr(slash);
    call.https = !plain;
    return answer_host(call);
  }
  if (target == "/" || target.starts_with("/?from=")) return answer_directory(call);
  if (target == "/robots.txt") {
    call.answer.body = "User-agent: *\nDisallow: /\n";
    call.answer.add_field("content-type") = "text/plain; charset=utf-8";
    return;
  }
  answer_error(call, 404, "This is the portal of a test Web; it begins at /.");
}

// Of a few random pages the one with the most links: a good start.
PageId Site::suggestion(std::uint64_t number, LinkBuffer& buffer) const {
  PageId best = 0;
  std::size_t most = 0;
  for (std::uint64_t i = 0; i < 4; ++i) {
    const auto page = static_cast<PageId>(to_below(draw(page_seed_ + 9, number * 4 + i), pages()));
    const std::size_t links = web_.graph->out(page, buffer).size();
    if (i == 0 || links > most) {
      best = page;
      most = links;
    }
  }
  return best;
}

void Site::answer_directory(Call& call) const {
  std::uint64_t from = 0;
  if (call.target.size() > 7)
    std::from_chars(call.target.data() + 7, call.target.data() + call.target.size(), from);
  std::string& body = call.answer.body;
  const HostId hosts = addresses_->hosts();
  body += kHead;
  fmt::format_to(std::back_inserter(body),
                 "<h1>Test Web</h1>\n"
                 "<p>{} {} on {} {}, generated from a graph. Nothing here is real.</p>\n",
                 format_count(pages()), pages() == 1 ? "page" : "pages", format_count(hosts),
                 hosts == 1 ? "host" : "hosts");
  PageUrl& url = call.scratch.url;
  if (pages() > 0) body += "<h2>Some pages to begin with</h2>\n<ul>\n";
  std::set<PageId> shown;
  for (int i = 0; i < kSuggestions && pages() > 0; ++i) {
    const PageId page = suggestion(from + static_cast<std::uint64_t>(i), call.scratch.links);
    if (!shown.insert(page).second) continue;
    addresses_->url_of(page, url);
    append_link(call.style, url.https(), url.authority(), url.target(), body);
    html_.append_title(page, hash64(url.authority()), body);
    body += "</a></li>\n";
  }
  body += pages() > 0 ? "</ul>\n<h2>Hosts</h2>\n<ul class=\"hosts\">\n"
                      : "<h2>Hosts</h2>\n<ul class=\"hosts\">\n";
  HostId host = static_cast<HostId>(std::min<std::uint64_t>(from, hosts));
  const HostId last = hosts - host > kHostsPerList ? host + kHostsPerList : hosts;
  for (; host < last; ++host) {
    const std::string name = addresses_->host_name(host);
    append_link(call.style, false, name, "/", body);
    append_html_escaped(body, name);
    body += "</a></li>\n";
  }
  body += "</ul>\n<p class=\"more\">";
  if (from > 0) {
    body +=
        fmt::format("<a href=\"/?from={}\">← earlier</a>", from > kHostsPerList ? from - kHostsPerList : 0);
  }
  if (last < hosts) body += fmt::format("<a href=\"/?from={}\">more hosts →</a>", last);
  body += "</p>\n</body>\n</html>\n";
  call.answer.add_field("content-type") = "text/html; charset=utf-8";
}

}  // namespace bowerbird
