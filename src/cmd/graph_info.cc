// `bowerbird graph info`: size and structure of a web graph.
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/graph_options.h"
#include "cmd/terminal.h"
#include "graph/stats.h"
#include "graph/synthetic.h"
#include "sys/file.h"
#include "url/site.h"

namespace bowerbird {

namespace {

using Json = nlohmann::ordered_json;

struct InfoCommand {
  GraphArgument graph;
  std::string reach;
  std::string histograms;
  bool exact = false;
  StatsOptions stats;
};

struct Info {
  GraphStats stats;
  std::optional<std::uint64_t> sites;
  std::optional<Reach> reach;
  std::vector<PageId> starts;  // of the walk
  PowerLaw in_law;
  PowerLaw out_law;
};

// Maximum number of pages sampled of a computed web, unless --exact.
constexpr std::uint64_t kSampled = 2'000'000;

// Registrable domains; not counted if hosts have no names, or are too many.
std::optional<std::uint64_t> count_sites(const Web& web, const Progress& progress) {
  constexpr HostId kMost = 500'000;
  if (!web.hosts || web.hosts->hosts() > kMost || web.hosts->hosts() == 0) return {};
  std::unordered_set<std::string> sites;
  for (HostId host = 0; host < web.hosts->hosts(); ++host) {
    const std::string name = web.hosts->host_name(host);
    if (name.empty()) continue;
    if (host % 4096 == 0 && !progress.tick("counting domains", host, web.hosts->hosts())) return {};
    sites.insert(site_of_host(name));
  }
  if (sites.empty()) return {};
  return sites.size();
}

// Comma-separated page numbers.
Result<std::vector<std::uint64_t>> parse_pages(const std::string& text) {
  std::vector<std::uint64_t> pages;
  for (const std::string& word : CLI::detail::split(text, ',')) {
    BB_TRY(pages.emplace_back(), parse_count(word));
  }
  return pages;
}

// "best", or pages.
Result<std::vector<PageId>> parse_starts(const std::string& text, const GraphStats& stats) {
  if (text == "best") {
    if (stats.max_in_page == kNoPage)
      return error("--reach best: in-degrees are not known; give a page number");
    return std::vector<PageId>{stats.max_in_page};
  }
  std::vector<PageId> starts;
  BB_TRY(const std::vector<std::uint64_t> pages, parse_pages(text));
  for (const std::uint64_t page : pages) {
    if (page >= stats.pages) refuse(fmt::format("--reach {}: there are only {} pages", page, stats.pages));
    starts.push_back(static_cast<PageId>(page));
  }
  return starts;
}

Result<Info> look(const Web& web, const InfoCommand& options, const Progress& progress) {
  StatsOptions asked = options.stats;
  if (is_synthetic(options.graph.path) && !options.exact) {
    asked.sample_every = std::max<std::uint64_t>(1, web.graph->pages() / kSampled);
  }
  Info info;
  BB_TRY(info.stats, graph_stats(web, asked, progress));
  info.sites = count_sites(web, progress);
  info.out_law = fit_power_law(info.stats.out);
  if (info.stats.in) info.in_law = fit_power_law(*info.stats.in);
  if (!options.reach.empty()) {
    BB_TRY(info.starts, parse_starts(options.reach, info.stats));
    BB_TRY(info.reach, walk_from(*web.graph, info.starts, progress));
  }
  return info;
}

Json json_of(const Web& web, const Info& info) {
  const GraphStats& s = info.stats;
  const double scale = s.sampled == 0 ? 1 : static_cast<double>(s.pages) / static_cast<double>(s.sampled);
  const auto whole = [&](std::uint64_t count) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * scale));
  };
  Json json = {{"pages", s.pages},
               {"links", s.estimated_links()},
               {"sampled", s.sampled},
               {"dangling", whole(s.dangling)},
               {"self_loops", whole(s.self_loops)},
               {"mean_out_degree", s.out.mean()},
               {"max_out_degree", s.out.largest()},
               {"out_exponent", info.out_law.exponent},
               {"mean_distance_bits", s.mean_distance_bits()},
               {"hosts", nullptr},
               {"interhost", nullptr}};
  if (s.in) {
    json["no_in_links"] = s.no_in_links();
    json["max_in_degree"] = s.in->largest();
    json["in_exponent"] = info.in_law.exponent;
  }
  if (s.hosts) {
    json["hosts"] = s.hosts->hosts;
    json["interhost"] = s.inter_share();
    json["largest_hosts"] = Json::array();
    for (const auto& [host, pages] : s.hosts->largest) {
      json["largest_hosts"].push_back(
          {{"host", host}, {"name", web.hosts->host_name(host)}, {"pages", pages}});
    }
  }
  if (info.sites) json["sites"] = *info.sites;
  if (info.reach) {
    json["reach"] = {{"from", info.starts},
                     {"reached", info.reach->reached},
                     {"levels", info.reach->levels},
                     {"longest_queue", info.reach->longest_queue},
                     {"queue", info.reach->queue}};
  }
  return json;
}

void row(std::string_view name, const std::string& value) {
  fmt::print("  {:<16}{}\n", name, value);
}

std::string percent_of(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %",
                     whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "" : fmt::format(" ({})", percent_of(part, whole));
}

void print_hosts(const Web& web, const Info& info) {
  const HostStats& hosts = *info.stats.hosts;
  row("hosts", format_count(hosts.hosts) +
                   (info.sites ? fmt::format(" in {} registrable domain{}", format_count(*info.sites),
                                             *info.sites == 1 ? "" : "s")
                               : ""));
  row("between hosts", fmt::format("{:.2f} % of the links", 100 * info.stats.inter_share()));
  for (const auto& [host, pages] : hosts.largest) {
    const std::string name = web.hosts->host_name(host);
    row(host == hosts.largest.front().first ? "largest hosts" : "",
        fmt::format("{:>12}  {}", format_count(pages),
                    name.empty() ? fmt::format("host {}", host) : printable(name)));
  }
}

void print_reach(const Info& info) {
  const Reach& reach = *info.reach;
  const std::string from = info.starts.size() == 1 ? fmt::format("page {}", info.starts[0])
                                                   : fmt::format("{} pages", info.starts.size());
  row("reached", fmt::format("{}{} from {}, {} levels deep, {:.1f} on average", format_count(reach.reached),
                             share_of(reach.reached, info.stats.pages), from, reach.levels.size() - 1,
                             reach.mean_level()));
  row("longest queue",
      format_count(reach.longest_queue) + share_of(reach.longest_queue, reach.reached) + ", breadth first");
}

std::string degree_text(const Histogram& histogram, const PowerLaw& law) {
  std::string text =
      fmt::format("mean {:.2f}, median {}, 99 % up to {}, largest {}", histogram.mean(),
                  histogram.quantile(0.5), histogram.quantile(0.99), format_count(histogram.largest()));
  if (law.exponent > 0) text += fmt::format("; tail ~ x^-{:.2f} from {}", law.exponent, law.least);
  return text;
}

void print_text(const std::string& path, const Web& web, const Info& info) {
  const GraphStats& s = info.stats;
  const bool sampled = s.sampled < s.pages;
  fmt::print("{}\n", bold(printable(path), colour_on_stdout()));
  row("pages", format_count(s.pages));
  row("links", format_count(s.estimated_links()) +
                   (sampled ? fmt::format(" (estimated from every {}th page; --exact reads all)",
                                          s.pages / std::max<std::uint64_t>(1, s.sampled))
                            : ""));
  row("dangling", sampled ? percent_of(s.dangling, s.sampled) + " of the pages"
                          : format_count(s.dangling) + share_of(s.dangling, s.pages));
  row("self-links", sampled ? percent_of(s.self_loops, s.links) + " of the links"
                            : format_count(s.self_loops) + share_of(s.self_loops, s.links));
  row("out-degree", degree_text(s.out, info.out_law));
  if (s.in) {
    row("in-degree", degree_text(*s.in, info.in_law));
    row("no in-links", format_count(s.no_in_links()) + share_of(s.no_in_links(), s.pages));
  }
  if (s.hosts) {
    print_hosts(web, info);
  } else {
    row("hosts", "unknown (use --hosts FILE, or put X.urls next to the graph X)");
  }
  if (info.reach) print_reach(info);
}

Status write_bins(OutputFile& file, std::string_view what, const Histogram& histogram) {
  for (const HistogramBin& bin : log_bins(histogram)) {
    BB_TRY_VOID(file.write(fmt::format("{},{},{},{}\n", what, bin.first, bin.last, bin.count)));
  }
  return {};
}

Status write_histograms(const std::string& path, const GraphStats& stats) {
  BB_TRY(const auto file, OutputFile::create(path));
  BB_TRY_VOID(file->write("what,first,last,count\n"));
  BB_TRY_VOID(write_bins(*file, "out-degree", stats.out));
  if (stats.in) BB_TRY_VOID(write_bins(*file, "in-degree", *stats.in));
  if (stats.hosts) BB_TRY_VOID(write_bins(*file, "pages of a host", stats.hosts->sizes));
  return file->finish();
}

Status run(const InfoCommand& options, const CommonOptions& common) {
  if (options.histograms == "-" && common.json)
    refuse("--histograms - and --json cannot both write to standard output");
  ProgressLine line(common.quiet);
  BB_TRY(const Web web, open_graph(options.graph, line.progress()));
  BB_TRY(const Info info, look(web, options, line.progress()));
  line.clear();
  if (!options.histograms.empty()) BB_TRY_VOID(write_histograms(options.histograms, info.stats));
  if (common.json) {
    print_json_line(json_of(web, info).dump(-1, ' ', false, Json::error_handler_t::replace));
  } else if (options.histograms != "-") {
    print_text(options.graph.path, web, info);
  }
  return {};
}

constexpr CommandText kText = {
    "show the size and structure of a web graph",
    "Shows pages, links, degrees and their power laws, hosts, registrable domains, and links between hosts.\n"
    "\n"
    "A computed graph (synthetic:pages=1G) is sampled evenly; counts are then estimates. --exact reads all "
    "pages.",
    "# a graph of the Laboratory for Web Algorithmics\nbowerbird graph info cnr-2000\n# how much can be "
    "reached from its most linked page, and at which depth\nbowerbird graph info cnr-2000 --reach best\n# "
    "degree distributions for a plot\nbowerbird graph info cnr-2000 --histograms degrees.csv\n"};

}  // namespace

void add_graph_info(App& app, CLI::App& graph) {
  auto options = std::make_shared<InfoCommand>();
  CLI::App& command = app.add_command(
      graph, "info", kText, [options](const CommonOptions& common) { return run(*options, common); });
  add_graph_argument(command, options->graph);
  command
      .add_option("--reach", options->reach,
                  "Show how many pages can be reached from these pages (comma-separated numbers, or `best`: "
                  "the page with most links to it)")
      ->type_name("PAGES")
      ->check(parsed_by([](const std::string& text) { return parse_pages(text == "best" ? "0" : text); }));
  command
      .add_option("--histograms", options->histograms,
                  "Write the distributions of degrees and host sizes to this CSV file (- is standard output)")
      ->type_name("FILE");
  command.add_flag("--exact", options->exact, "Read every page of a computed graph, not a sample");
  command.add_option("--largest", options->stats.largest_hosts, "Number of the largest hosts to show")
      ->check(is_count())
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--threads", options->stats.threads, "Number of threads. Default: all cores")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

}  // namespace bowerbird
