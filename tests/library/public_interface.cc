// Every part of the public interface, used as a program of its own does: with the installed headers and
// library only. Built and run by tests/interfaces.
#include <bowerbird/bowerbird.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace bb = bowerbird;

#define EXPECT(what)                                                            \
  do {                                                                          \
    if (!(what)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #what); \
      std::exit(1);                                                             \
    }                                                                           \
  } while (false)

// The text of the Error that the call throws.
template <typename Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const bb::Error& error) {
    return error.what();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void graphs(const std::string& folder) {
  const std::vector<std::uint32_t> from{0, 0, 1, 2}, to{1, 2, 2, 0};
  const std::vector<std::string> urls{"http://a/", "http://a/1", "http://b/"};
  const auto graph = bb::Graph::from_links(from, to, 0, {}, urls);
  EXPECT(graph.pages() == 3 && graph.links() == 4 && graph.hosts() == 2 && graph.has_urls() &&
         graph.has_hosts());
  EXPECT(graph.host(0) == graph.host(1) && graph.host(0) != graph.host(2) && graph.url(2) == "http://b/");
  EXPECT(graph.offsets()[1] == 2 && graph.targets()[0] == 1);
  double sum = 0;
  for (const double rank : graph.pagerank()) sum += rank;
  EXPECT(std::abs(sum - 1) < 1e-9);
  graph.save(folder + "/graph.bbg");
  const auto again = bb::Graph::open(folder + "/graph.bbg");
  EXPECT(again.pages() == 3 && again.url(1) == "http://a/1");
  EXPECT(has(error_of([] { bb::Graph::open("/no/such/graph.bbg"); }), "/no/such/graph.bbg"));
  EXPECT(!error_of([&] { bb::Graph::from_links(from, std::vector<std::uint32_t>{1}); }).empty());
  EXPECT(!error_of([&] {
            bb::Graph::from_links(from, to, 0, {}, std::vector<std::string>{"http://a/"});
          }).empty());
  bool stopped = false;
  try {
    bb::Graph::open("synthetic:pages=300000", [](const std::string&, double) {
      return false;
    }).pagerank(0.85, 1e-10, 1, [](const std::string&, double) { return false; });
  } catch (const bb::Stopped&) {
    stopped = true;
  }
  EXPECT(stopped);
}

struct Failing : bb::Ordering {
  double seed(std::uint32_t, double) override { return 1; }
  void score(const bb::Visit&, std::span<bb::Link>) const override {
    throw std::runtime_error("out of ideas");
  }
};

void lab() {
  const auto graph = bb::Graph::open("synthetic:pages=2000,seed=3");
  bb::LabOptions options;
  options.policies = {"bfs", "lipr"};
  options.baselines = true;
  const auto rows = bb::run_lab(graph, options);
  EXPECT(rows.size() == 5);
  for (const bb::LabRow& row : rows)
    EXPECT(row.crawled == row.reachable && row.at.size() == row.importance.size());
  options.policies = {"no-such-ordering"};
  EXPECT(has(error_of([&] { bb::run_lab(graph, options); }), "no-such-ordering"));
  options.policies = {"bfs"};
  options.seeds = "ids:5000";
  EXPECT(!error_of([&] { bb::run_lab(graph, options); }).empty());
  bb::add_ordering("failing", "a test",
                   [](const bb::OrderingContext&) { return std::make_unique<Failing>(); });
  options.policies = {"failing"};
  options.seeds = "top:1";
  EXPECT(has(error_of([&] { bb::run_lab(graph, options); }), "out of ideas"));
  EXPECT(!error_of([] { bb::add_ordering("bfs", "", {}); }).empty());
  EXPECT(!error_of([] { bb::load_plugin("/no/such/plugin.so"); }).empty());
  bool found = false;
  for (const bb::OrderingInfo& one : bb::orderings()) found = found || one.name == "failing";
  EXPECT(found);
}

void frontier(const std::string& folder) {
  bb::FrontierOptions options;
  options.folder = folder + "/frontier";
  options.policy = "backlink";
  {
    bb::Frontier frontier(options);
    EXPECT(frontier.add({{.url = "http://a/"}, {.url = "not a URL"}}, 0) ==
           (std::vector{bb::Put::added, bb::Put::rejected}));
    EXPECT(has(error_of([&] { frontier.complete("http://a/", {}, 0); }), "queued"));
    EXPECT(has(error_of([&] { bb::Frontier{options}; }), "in use"));
    EXPECT(!error_of([&] { frontier.next(-1); }).empty());
    EXPECT(frontier.next(0)->url == "http://a/");
    frontier.complete("http://a/",
                      {{.url = "http://a/1", .payload = "one"}, {.url = "http://b/"}, {.url = "http://b/2"}},
                      0, 100);
    frontier.discover("http://a/", {{.url = "http://b/"}}, 0);
    EXPECT(frontier.next_many(2, 0, 30, 1).size() == 2);
    EXPECT(frontier.status("http://b/")->state == "leased");
    EXPECT(!frontier.status("http://nobody/"));
    frontier.retry("http://b/", 50, 1);
    frontier.set_priority("http://b/2", 9, 1);
    frontier.set_delay("b", 50, 1);
    frontier.block_until("b", 60, 1);
    EXPECT(frontier.next_opening() == 30);
    EXPECT(frontier.stats().urls == 4 && frontier.stats().links == 4);
  }  // like a kill
  bb::Frontier frontier({.folder = options.folder});
  EXPECT(frontier.policy() == "backlink" && frontier.now() == 1 && frontier.stats().urls == 4);
  EXPECT(frontier.next(30)->payload == "one");  // its lease has ended
  EXPECT(frontier.next(60)->url == "http://b/2");
  EXPECT(!frontier.next(60));  // the delay of b
  EXPECT(frontier.next(100)->again);
  EXPECT(frontier.remove("http://a/1", 100) && !frontier.remove("http://a/1", 100));
  frontier.set_payload("http://b/", "two", 100);
  std::vector<std::string> urls;
  frontier.for_each([&](const bb::UrlFacts& one) {
    urls.push_back(one.url + one.payload);
    return true;
  });
  EXPECT(urls == (std::vector<std::string>{"http://a/", "http://b/two", "http://b/2"}));
  EXPECT(frontier.remove_queue("b", 100) == 2);
  frontier.commit();
  frontier.close();
  EXPECT(has(error_of([&] { frontier.next(100); }), "closed"));
  EXPECT(!error_of([] { bb::Frontier({.memory = 1 << 30}); }).empty());
}

void pages() {
  EXPECT(bb::canonical_url("x", "http://example.org/a/b") == "http://example.org/a/x");
  EXPECT(!error_of([] { bb::canonical_url("javascript:void(0)"); }).empty());
  EXPECT(bb::url_host("http://a.example:81/") == "a.example:81" &&
         bb::url_site("http://www.bbc.co.uk/") == "bbc.co.uk");
  const bb::Robots robots("User-agent: *\nDisallow: /x\nCrawl-delay: 3\n", "mybot");
  EXPECT(!robots.allows("http://a/x/y") && robots.allows("/z") && robots.crawl_delay() == 3 &&
         robots.sitemaps().empty());
  const auto page = bb::parse_page(
      "<title>T</title><p>hello <a href='/b' rel=nofollow>there</a> all you people", "http://a/x");
  EXPECT(page.title == "T" && page.links.size() == 1 && page.links[0].url == "http://a/b" &&
         page.links[0].nofollow);
  EXPECT(has(page.text, "hello"));
  EXPECT(has(error_of([] { bb::Crawl("/no/such/crawl"); }), "/no/such/crawl"));
  EXPECT(bb::refresh_policies().size() >= 5);
  const double days = bb::refresh_days("index-age", 1, 0.1, 0.5);
  EXPECT(std::abs(bb::refresh_value("index-age", 1, 0.1, days) - 0.5) < 1e-6);
  EXPECT(!error_of([] { bb::refresh_value("sometimes", 1, 1, 1); }).empty());
  EXPECT(bb::change_rate({{1, true}, {1, true}}) > bb::change_rate({{1, false}, {1, false}}));
}

int main(int argc, char** argv) {
  EXPECT(argc == 2);
  graphs(argv[1]);
  lab();
  frontier(argv[1]);
  pages();
  std::puts("ok");
}
