// A small Web on loopback, and crawls of it in this process.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/rng.h"
#include "crawl/loop/crawler.h"
#include "fetch/network_fetcher.h"
#include "process.h"
#include "stored_urls.h"
#include "web/site/site_service.h"
#include "web/site/web_testing.h"

namespace bowerbird {

// `pages` pages on hosts of `per_host`, with about `degree` links per page, all reachable from page 0.
inline Web random_web(PageId pages, PageId per_host, unsigned degree, std::uint64_t seed = 7) {
  Rng rng(seed);
  std::vector<std::vector<PageId>> rows(pages);
  std::vector<HostId> hosts(pages);
  for (PageId page = 0; page < pages; ++page) {
    hosts[page] = page / per_host;
    std::set<PageId> targets;
    for (unsigned i = 0; i < degree; ++i) targets.insert(static_cast<PageId>(rng.below(pages)));
    rows[page].assign(targets.begin(), targets.end());
  }
  // Includes a tree, so that every page is reachable.
  for (PageId page = 1; page < pages; ++page) {
    auto& row = rows[rng.below(page)];
    row.insert(std::lower_bound(row.begin(), row.end(), page), page);
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return make_web(std::move(rows), hosts);
}

class CrawlBench {
 public:
  explicit CrawlBench(Web made, const SiteOptions& site_options = {})
      : web(std::move(made)), site(make_site(web, site_options)), sink([this](std::string_view lines) {
          const std::lock_guard lock(mutex);
          text += lines;
        }) {
    ServerOptions server_options;
    server_options.port = 0;
    server_options.addresses = {"127.0.0.1"};
    server_options.log = &sink;
    server_options.tls = site_options.https;
    server = std::move(serve_site(*site, server_options)).value();
    if (site_options.https) {
      write_text(folder / "authority.pem", server->authority_pem());
      options.network.certificates = folder / "authority.pem";
    }
    options.start.seeds = {page_url(0)};
    options.out = folder / "crawl";
    options.identity.contact = "tests@bowerbird.example";
    options.order.policy = "bfs";
    options.scope.mode = ScopeMode::kAny;
    options.network.connect_to = server->addresses().front();
    options.network.allow_net = {"127.0.0.0/8"};
    options.politeness.delay = Seconds(0);
    options.storage.durable = false;
    options.selection.traps = false;
    options.fetch.timeout = Seconds(2);
    options.politeness.patience = 0.001;
    options.politeness.connections = 16;
    options.politeness.connections_per_host = 4;
  }

  std::string page_url(PageId page) const {
    PageUrl url;
    site->addresses().url_of(page, url);
    return std::string(url.text);
  }
  // The command that crawls this Web.
  std::vector<std::string> command(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"crawl",        page_url(0),
                                      "--out",        options.out,
                                      "--scope",      "any",
                                      "--delay",      "0",
                                      "--connect-to", options.network.connect_to,
                                      "--contact",    "tests@bowerbird.example",
                                      "--allow-net",  "127.0.0.0/8",
                                      "--no-durable"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Opens, runs and closes.
  CrawlEnd crawl(std::unique_ptr<Fetcher> fetcher = nullptr) {
    auto opened = Crawler::open(options, std::move(fetcher));
    EXPECT_TRUE(opened.ok()) << opened.error().text;
    Crawler& crawler = **opened;
    const auto end = crawler.run();
    EXPECT_TRUE(end.ok()) << end.error().text;
    last = crawler.status();
    const Status closed = crawler.close();
    EXPECT_TRUE(closed.ok()) << closed.error().text;
    return *end;
  }
  // The pages of the graph in the order in which they were requested; stops the server.
  std::vector<AccessEntry> log() {
    server->stop();
    std::vector<AccessEntry> entries;
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      entries.push_back(std::move(parse_access_line(line)).value());
      rest.remove_prefix(line.size() + 1);
    }
    std::sort(entries.begin(), entries.end(),
              [](const AccessEntry& a, const AccessEntry& b) { return a.start_us < b.start_us; });
    return entries;
  }
  std::multiset<std::string> stored() const { return stored_urls(options.out); }
  std::uint64_t outcome(Outcome kind) const { return last.counts.outcomes[static_cast<std::size_t>(kind)]; }

  Web web;
  std::unique_ptr<Site> site;
  std::mutex mutex;
  std::string text;
  AccessSink sink;
  std::unique_ptr<Server> server;
  TemporaryFolder folder;
  CrawlOptions options;
  CrawlStatus last;
};

}  // namespace bowerbird
