#include "cmd/commands.h"

namespace bowerbird {

namespace {

constexpr CommandText kGraphText = {
    "inspect, convert, generate and rank web graphs",
    "A web graph is a file of pages and links: WebGraph's BVGraph and ASCIIGraph, edge lists, host graphs "
    "with weights (each plain, .gz or .zst), or Bowerbird's own memory-mapped format .bbg. The format is "
    "detected. Page names (URLs) are read from X.urls[.gz|.zst] next to the graph X; the hosts are taken "
    "from them. `synthetic:pages=N` is a graph that is computed on the fly and needs no file.",
    "# pages, links, hosts and degrees of a graph of the Laboratory for Web Algorithmics\nbowerbird graph "
    "info cnr-2000\n# the 20 pages with the highest PageRank, with names if known\nbowerbird graph rank "
    "cnr-2000 --top 20\n"};

constexpr CommandText kWebText = {
    "serve a test Web",
    "Serves a graph over HTTP as if it were the Web, to test a crawler without touching real sites. The test "
    "Web is the same every time, as large and as hostile as you want.",
    "# a million pages, reachable from this machine only\nbowerbird web serve synthetic:pages=1M\n"};

constexpr CommandText kFleetText = {
    "crawl with several processes",
    "Several processes share a crawl. URLs are divided into partitions. Each process owns some partitions "
    "and sends links to other partitions to their owners. See docs/fleet.md, and docs/parallel.md for the "
    "cost.",
    "# four processes on this machine\nbowerbird fleet start https://example.org/ --scope domain --procs 4 "
    "--out big --contact you@example.org\n"};

constexpr CommandText kFrontierText = {
    "serve URLs to other crawlers",
    "A service that tells other crawlers which URLs to fetch next. See docs/urlfrontier.md.",
    "# for crawlers on this machine\nbowerbird frontier serve --data frontier\n"};

constexpr CommandText kWarcText = {
    "inspect WARC files",
    "WARC (ISO 28500) is the standard format for archived web pages. These commands read any WARC file, "
    "plain, gzip or zstd, of Bowerbird or other software.",
    "# what a crawl has stored\nbowerbird warc ls mycrawl\n# check it\nbowerbird warc verify mycrawl\n"};

}  // namespace

void add_all_commands(App& app) {
  CLI::App& graph = app.add_group("graph", kGraphText);
  add_graph_info(app, graph);
  add_graph_convert(app, graph);
  add_graph_generate(app, graph);
  add_graph_rank(app, graph);
  add_lab(app);
  add_crawl(app);
  add_recrawl(app);
  add_ctl(app);
  add_watch(app);
  add_crawl_status(app);
  add_crawl_urls(app);
  add_crawl_why(app);
  add_crawl_report(app);
  add_diff(app);
  add_export(app);
  add_replay(app);
  add_demo(app);
  add_fleet(app, app.add_group("fleet", kFleetText));
  add_url(app);
  add_robots(app);
  add_page(app);
  CLI::App& web = app.add_group("web", kWebText);
  add_web_serve(app, web);
  add_frontier_serve(app, app.add_group("frontier", kFrontierText));
  CLI::App& warc = app.add_group("warc", kWarcText);
  add_warc_ls(app, warc);
  add_warc_cat(app, warc);
  add_warc_verify(app, warc);
  add_warc_extract(app, warc);
  add_warc_convert(app, warc);
  add_completion(app);
  add_man(app);
}

}  // namespace bowerbird
