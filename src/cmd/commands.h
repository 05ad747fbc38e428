// Every command of bowerbird, one function each; main() adds them all.
#pragma once

#include "cmd/app.h"

namespace bowerbird {

void add_graph_info(App& app, CLI::App& graph);
void add_graph_convert(App& app, CLI::App& graph);
void add_graph_generate(App& app, CLI::App& graph);
void add_graph_rank(App& app, CLI::App& graph);
void add_lab(App& app);
void add_lab_refresh(App& app, CLI::App& lab);
void add_crawl(App& app);
void add_recrawl(App& app);
void add_ctl(App& app);
void add_watch(App& app);
void add_crawl_status(App& app);
void add_crawl_urls(App& app);
void add_crawl_why(App& app);
void add_crawl_report(App& app);
void add_diff(App& app);
void add_demo(App& app);
void add_fleet(App& app, CLI::App& fleet);
void add_url(App& app);
void add_robots(App& app);
void add_page(App& app);
void add_web_serve(App& app, CLI::App& web);
void add_frontier_serve(App& app, CLI::App& frontier);
void add_warc_ls(App& app, CLI::App& warc);
void add_warc_cat(App& app, CLI::App& warc);
void add_warc_verify(App& app, CLI::App& warc);
void add_warc_extract(App& app, CLI::App& warc);
void add_warc_convert(App& app, CLI::App& warc);
void add_replay(App& app);
void add_export(App& app);
void add_completion(App& app);
void add_man(App& app);

// Adds all of them; used by main() and the tests.
void add_all_commands(App& app);

}  // namespace bowerbird
