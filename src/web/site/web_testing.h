// Shared by the tests of this folder: small webs, and helpers to check responses.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/csr.h"
#include "graph/web.h"
#include "web/site/site.h"

namespace bowerbird {

inline Web make_web(std::vector<std::vector<PageId>> rows, const std::vector<HostId>& hosts = {},
                    const std::vector<std::string>& names = {}) {
  CsrBuilder builder;
  for (auto& row : rows) builder.add(row);
  Web web;
  web.graph = std::make_unique<CsrGraph>(std::move(builder).finish());
  if (!hosts.empty()) web.hosts = std::make_unique<StoredHosts>(hosts);
  if (!names.empty()) {
    auto stored = std::make_unique<StoredNames>();
    for (const std::string& name : names) stored->add(name);
    web.names = std::move(stored);
  }
  return web;
}

// `pages` pages on hosts of 10, each page linking to the next three.
inline Web make_ring(PageId pages) {
  std::vector<std::vector<PageId>> rows(pages);
  std::vector<HostId> hosts(pages);
  for (PageId page = 0; page < pages; ++page) {
    hosts[page] = page / 10;
    for (PageId step = 1; step <= 3; ++step) rows[page].push_back((page + step) % pages);
  }
  return make_web(std::move(rows), hosts);
}

inline std::unique_ptr<Site> make_site(const Web& web, const SiteOptions& options = {}) {
  return std::move(Site::make(web, options)).value();
}

// Pages with the faults in this text.
inline SiteOptions with_fault(std::string_view text) {
  SiteOptions options;
  options.page_faults = std::move(parse_faults(text)).value();
  return options;
}

// A Site with everything needed for requests.
struct Asker {
  explicit Asker(const Site& s) : site(s) {}
  const SiteAnswer& ask(std::string_view authority, std::string_view target) {
    SiteRequest request;
    request.authority = authority;
    request.target = target;
    return ask(request);
  }
  // "http://host/path"
  const SiteAnswer& ask(std::string_view url) {
    PageUrl parts;
    parts.text = url;
    parts.split();
    last_authority = parts.authority();
    last_target = parts.target();
    return ask(last_authority, last_target);
  }
  const SiteAnswer& ask(const SiteRequest& request) {
    site.answer(request, moment, memory, scratch, answer);
    return answer;
  }
  const SiteAnswer& ask_page(PageId page) {
    PageUrl url;
    site.addresses().url_of(page, url);
    return ask(url.text);
  }

  const Site& site;
  Moment moment{1'750'000'000'000'000, 0};
  SiteMemory memory;
  SiteScratch scratch;
  SiteAnswer answer;
  std::string last_authority;
  std::string last_target;
};

// The values of href="..." in order, with &amp; resolved.
inline std::vector<std::string> hrefs(std::string_view html) {
  std::vector<std::string> found;
  constexpr std::string_view kMark = "href=\"";
  for (std::size_t at = html.find(kMark); at != html.npos; at = html.find(kMark, at)) {
    at += kMark.size();
    std::string href(html.substr(at, html.find('"', at) - at));
    for (std::size_t amp = href.find("&amp;"); amp != href.npos; amp = href.find("&amp;", amp + 1)) {
      href.erase(amp + 1, 4);
    }
    found.push_back(std::move(href));
  }
  return found;
}

}  // namespace bowerbird
