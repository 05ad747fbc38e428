#include "cmd/commands.h"

namespace bowerbird {

namespace {

constexpr CommandText kGraphText = {
    "look at, convert, generate and rank web graphs",
    "A web graph is a file of pages and links: WebGraph's BVGraph and ASCIIGraph, edge lists, host graphs "
    "with "
    "weights, each plain, .gz or .zst, and our own mapped format .bbg. What it is, is found out by looking. "
    "Page names "
    "are read from X.urls[.gz|.zst] beside the graph X, and give hosts. `synthetic:pages=N` is a web "
    "computed on the "
    "fly: it needs neither file nor memory.",
    "# pages, links, hosts and degrees of a graph of the Laboratory for Web Algorithmics\n"
    "bowerbird graph info cnr-2000\n"
    "# the 20 pages of highest PageRank, with names where known\n"
    "bowerbird graph rank cnr-2000 --top 20\n"};

constexpr CommandText kWebText = {
    "an in-vitro Web to practise on",
    "A graph served over HTTP as if it were the Web: something to point a crawler at that is the same every "
    "time, as large and as hostile as wanted, and nobody's.",
    "# a million pages, on this machine alone\n"
    "bowerbird web serve synthetic:pages=1M\n"};

constexpr CommandText kFleetText = {
    "crawl with many processes",
    "Several processes share a crawl: each holds some of the partitions into which the Web is divided, and "
    "sends links to pages of others to their owners. docs/fleet.md says how, docs/parallel.md what it costs.",
    "# four processes on this machine\n"
    "bowerbird fleet start https://example.org/ --scope domain --procs 4 --out big --contact "
    "you@example.org\n"};

constexpr CommandText kWarcText = {"look into the archives of a crawl",
                                   "WARC (ISO 28500) is the format in which crawlers keep what servers sent, "
                                   "and other software reads it. These commands "
                                   "read any WARC file, plain, gzip or zstd, ours or not.",
                                   "# what a crawl has stored\n"
                                   "bowerbird warc ls mycrawl\n"
                                   "# whether it is sound\n"
                                   "bowerbird warc verify mycrawl\n"};

}  // namespace

void add_all_commands(App& app) {
  CLI::App& graph = app.add_group("graph", kGraphText);
  add_graph_info(app, graph);
  add_graph_convert(app, graph);
  add_graph_generate(app, graph);
  add_graph_rank(app, graph);
  add_lab(app);
  add_crawl(app);
  add_crawl_status(app);
  add_crawl_urls(app);
  add_crawl_why(app);
  add_crawl_report(app);
  add_export(app);
  add_demo(app);
  add_fleet(app, app.add_group("fleet", kFleetText));
  add_url(app);
  add_robots(app);
  add_page(app);
  CLI::App& web = app.add_group("web", kWebText);
  add_web_serve(app, web);
  CLI::App& warc = app.add_group("warc", kWarcText);
  add_warc_ls(app, warc);
  add_warc_cat(app, warc);
  add_warc_verify(app, warc);
  add_warc_extract(app, warc);
  add_completion(app);
  add_man(app);
}

}  // namespace bowerbird
