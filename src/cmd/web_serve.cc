// `bowerbird web serve`: a graph served over HTTP as if it were the Web.
#include <fmt/format.h>
#include <poll.h>

#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/units.h"
#include "cmd/commands.h"
#include "cmd/graph_options.h"
#include "cmd/terminal.h"
#include "parse/dates.h"
#include "sys/file.h"
#include "web/site/site_service.h"
#include "web/site/truth.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "serve a graph over HTTP as if it were the Web",
    "Serves the pages of GRAPH on this machine, each under its name (http://host-H.test/page-P if names are "
    "not known), with text, links in ascending page number, robots.txt and optional sitemaps. One port "
    "serves HTTP/1.1 and HTTP/2, with --tls also TLS. The host is taken from the request, so a crawler can "
    "connect to this port for every URL.\n"
    "\n"
    "In a browser, http://127.0.0.1:8080/ is a portal to the whole Web; names under .localhost work too: "
    "http://www.mojiji.net.localhost:8080/.\n"
    "\n"
    "By default every request succeeds and pages have exactly the links of the graph. Options add single "
    "faults, or all at once with --hostile. Faults depend only on --seed. See docs/test-web.md.\n"
    "\n"
    "When the server is ready it prints one line, for people and scripts; page is the URL of page 0:\n"
    "  ready port=8080 pages=1000 hosts=1 url=http://127.0.0.1:8080/ page=http://host-0.test/page-0\n"
    "\n"
    "Ctrl-C and SIGTERM end the server with exit status 0.",
    "# a web of a billion pages\nbowerbird web serve synthetic:pages=1G\n# request its first page, whose URL "
    "it has printed\ncurl --connect-to ::127.0.0.1:8080 http://www.lafido.com/\n# a hostile Web: faults, "
    "traps, copies, slow hosts\nbowerbird web serve cnr-2000 --hostile --access-log requests.tsv\n# 5 % of "
    "pages are unavailable three times, 1 % are truncated\nbowerbird web serve cnr-2000 --fault "
    "unavailable:3=5%,truncated=1%\n"};

struct ServeCommand {
  GraphArgument graph;
  SiteOptions site;
  ServerOptions server;
  std::string access_log;
  std::string authority_file;
  std::string truth;
  double truth_days = 365;
  std::string time_start;
  double time_scale = 1;
  bool hostile = false;
  bool sitemaps = false;
  bool feeds = false;
  // Options that --hostile sets too: read once all options are known, so that single options replace it.
  std::optional<double> rate_limit, latency_ms, changes, crawl_delay;
  std::string faults, host_faults, robots_faults, traps, compress;
  std::string newcomers, false_dates;
  std::string redirects, copies, near_copies, chunked, disallow, bad_certificates, bandwidth;
};

// The time of the Web: it begins at a given moment and runs faster than ours.
class WebClock final : public Clock {
 public:
  WebClock(double scale, std::int64_t start_us) : clock_(scale), ahead_us_(start_us - clock_.now_us()) {}
  std::int64_t now_us() const override { return clock_.now_us() + ahead_us_; }

 private:
  ScaledClock clock_;
  std::int64_t ahead_us_;
};

// Microseconds.
Result<std::int64_t> parse_moment(std::string_view text) {
  const auto time = parse_w3c_date(text);
  if (!time) return error("'{}' is not a date such as 2026-01-31 or 2026-01-31T12:00:00Z", printable(text));
  return *time * 1'000'000;
}

std::string kinds(std::string_view intro) {
  std::string text(intro);
  for (const FaultInfo& info : all_faults()) {
    text += fmt::format("{}{} ({})", &info == &all_faults().front() ? "" : ", ", info.name, info.what);
  }
  return text;
}

std::string trap_kinds() {
  std::string text;
  for (const TrapInfo& info : all_traps())
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", info.name, info.what);
  return text;
}

Result<CodingSet> parse_codings(const std::string& text) {
  CodingSet codings;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    const Coding coding = coding_named(name);
    if (coding == Coding::kIdentity)
      return error("'{}' is not one of gzip, deflate, br, zstd", printable(name));
    codings.add(coding);
  }
  return codings;
}

// Reads an option of the command line, which has been checked there; without it, `value` stays.
template <typename T, typename Parse>
Status read(const std::string& text, Parse parse, T& value) {
  if (text.empty()) return {};
  BB_TRY(value, parse(text));
  return {};
}

Status read_options(ServeCommand& command) {
  SiteOptions& site = command.site;
  if (command.hostile) site = hostile(site);
  if (command.sitemaps) site.files.sitemaps = true;
  if (command.feeds) site.files.feeds = true;
  site.start_us = WallClock().now_us();
  BB_TRY_VOID(read(command.time_start, parse_moment, site.start_us));
  BB_TRY_VOID(read(command.newcomers, parse_share, site.newcomers));
  BB_TRY_VOID(read(command.false_dates, parse_share, site.files.false_dates));
  site.requests_per_second = command.rate_limit.value_or(site.requests_per_second);
  site.latency_ms = command.latency_ms.value_or(site.latency_ms);
  site.changes_per_day = command.changes.value_or(site.changes_per_day);
  site.files.crawl_delay_s = command.crawl_delay.value_or(site.files.crawl_delay_s);
  BB_TRY_VOID(read(command.faults, parse_faults, site.page_faults));
  BB_TRY_VOID(read(command.host_faults, parse_faults, site.host_faults));
  BB_TRY_VOID(read(command.robots_faults, parse_faults, site.robots_faults));
  BB_TRY_VOID(read(command.traps, parse_traps, site.traps));
  BB_TRY_VOID(read(command.redirects, parse_share, site.redirects));
  BB_TRY_VOID(read(command.copies, parse_share, site.copies));
  BB_TRY_VOID(read(command.near_copies, parse_share, site.near_copies));
  BB_TRY_VOID(read(command.chunked, parse_share, site.chunked));
  BB_TRY_VOID(read(command.disallow, parse_share, site.files.disallow));
  BB_TRY_VOID(read(command.bad_certificates, parse_share, site.bad_certificates));
  BB_TRY_VOID(read(command.compress, parse_codings, site.codings));
  BB_TRY_VOID(read(command.bandwidth, parse_bytes, site.bytes_per_second));
  site.https = command.server.tls;
  return {};
}

void announce(const Server& server, const Site& site, bool json) {
  const std::string url = fmt::format("http://{}/", server.addresses().front());
  PageUrl page;
  if (site.pages() > 0) site.addresses().url_of(0, page);
  if (json) {
    nlohmann::json line = {{"ready", true},
                           {"port", server.port()},
                           {"pages", site.pages()},
                           {"hosts", site.addresses().hosts()},
                           {"addresses", server.addresses()},
                           {"url", url},
                           {"page", page.text}};
    print_json_line(line.dump());
  } else {
    std::printf("ready port=%u pages=%u hosts=%u url=%s%s%s\n", server.port(), site.pages(),
                site.addresses().hosts(), url.c_str(), page.text.empty() ? "" : " page=", page.text.c_str());
  }
  std::fflush(stdout);
}

Status write_authority(const std::string& path, const Server& server) {
  BB_TRY(const auto file, OutputFile::create(path));
  BB_TRY_VOID(file->write(server.authority_pem()));
  return file->finish();
}

Status serve(ServeCommand& command, const CommonOptions& common) {
  for (const std::string& address : command.server.addresses) {
    if (const Status good = Server::check_address(address, command.server.anywhere); !good.ok())
      refuse(good.error().text);
  }
  BB_TRY_VOID(read_options(command));
  ProgressLine line(common.quiet);
  const Progress progress = line.progress();
  BB_TRY(const Web web, open_graph(command.graph, progress));
  BB_TRY(const auto site, Site::make(web, command.site, progress));
  std::unique_ptr<AccessSink> sink;
  if (!command.access_log.empty()) {
    BB_TRY(sink, AccessSink::open(command.access_log));
    command.server.log = sink.get();
  }
  const std::int64_t began = MonotonicClock().now_us();
  const WebClock clock(command.time_scale, command.site.start_us);
  if (!command.truth.empty())
    BB_TRY_VOID(write_truth(*site, command.truth_days, {command.time_scale, began}, command.truth));
  command.server.clock = &clock;
  BB_TRY(const auto server, serve_site(*site, command.server));
  if (!command.authority_file.empty()) BB_TRY_VOID(write_authority(command.authority_file, *server));
  line.clear();
  announce(*server, *site, common.json);
  // A signal ends the wait at once, or is noticed soon after.
  constexpr int kLookMs = 100;
  while (!interrupted()) ::poll(nullptr, 0, kLookMs);
  server->stop();
  return web.graph->status();
}

void add_trouble(CLI::App& app, ServeCommand& command) {
  app.add_option("--fault", command.faults,
                 kinds("KIND[:TIMES][=SHARE],...: this share of the pages (default: all) fails for the first "
                       "TIMES requests (default: always; unavailable 2, too-many 1). Kinds: "))
      ->check(parsed_by(parse_faults))
      ->type_name("LIST");
  app.add_option("--host-fault", command.host_faults, "The same for whole hosts, robots.txt included")
      ->check(parsed_by(parse_faults))
      ->type_name("LIST");
  app.add_option("--robots-fault", command.robots_faults, "The same for robots.txt only")
      ->check(parsed_by(parse_faults))
      ->type_name("LIST");
  app.add_option("--trap", command.traps,
                 "KIND=SHARE,...: this share of the hosts are traps: " + trap_kinds())
      ->check(parsed_by(parse_traps))
      ->type_name("LIST");
  app.add_option("--redirects", command.redirects,
                 "Share of the pages with exactly one link that redirect to it")
      ->check(parsed_by(parse_share))
      ->type_name("SHARE");
  app.add_option("--copies", command.copies, "Share of pages with exact copies under other URLs")
      ->check(parsed_by(parse_share))
      ->type_name("SHARE");
  app.add_option("--near-copies", command.near_copies,
                 "Share of pages with copies that differ in a few words")
      ->check(parsed_by(parse_share))
      ->type_name("SHARE");
  app.add_option("--rate-limit", command.rate_limit,
                 "A host responds with 429 to more than N requests per second")
      ->check(between(0, 1e9))
      ->type_name("N");
  app.add_option("--retry-after", command.site.retry_after_s, "Retry-After of 503 and 429, in seconds")
      ->check(CLI::Range(0, 86'400))
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--bad-certificates", command.bad_certificates,
                 "Share of hosts with an expired certificate, or with the certificate of another host")
      ->needs("--tls")
      ->check(parsed_by(parse_share))
      ->type_name("SHARE");
}

void add_time(CLI::App& app, ServeCommand& command) {
  app.add_option("--changes", command.changes, "Changes of a page per day, on average")
      ->check(between(0, 1e9))
      ->type_name("N");
  app.add_option("--newcomers", command.newcomers,
                 "Share of pages that appear after the start, together with the links to them")
      ->check(parsed_by(parse_share))
      ->type_name("SHARE");
  app.add_option("--newcomer-days", command.site.newcomer_days, "Number of days in which they appear")
      ->needs("--newcomers")
      ->check(between(0.001, 1e6))
      ->type_name("DAYS")
      ->capture_default_str();
  app.add_option("--time-start", command.time_start,
                 "Simulated start date, for a history that can be repeated. Default: now")
      ->check(parsed_by(parse_moment))
      ->type_name("TIME");
  app.add_option("--time-scale", command.time_scale, "Run simulated time N times as fast as real time")
      ->check(between(1e-9, 1e9))
      ->type_name("N")
      ->capture_default_str();
  app.add_option(
         "--truth", command.truth,
         "Write the change rate and change times of every page to this file, one line of JSON per page")
      ->type_name("FILE");
  app.add_option("--truth-days", command.truth_days, "Days after the start that --truth covers")
      ->needs("--truth")
      ->check(between(0, 1e5))
      ->type_name("DAYS")
      ->capture_default_str();
}

void add_form(CLI::App& app, ServeCommand& command) {
  app.add_option("--latency", command.latency_ms, "Median response time of the hosts, in milliseconds")
      ->check(between(0, 3.6e6))
      ->type_name("MS");
  app.add_option("--bandwidth", command.bandwidth, "Median bandwidth of the hosts, in bytes per second")
      ->check(parsed_by(parse_bytes))
      ->type_name("BYTES");
  app.add_option("--words", command.site.words, "Average number of words on a page")
      ->check(CLI::Range(1, 100'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--chunked", command.chunked, "Share of pages sent in chunks")
      ->check(parsed_by(parse_share))
      ->type_name("SHARE");
  app.add_option("--compress", command.compress, "Codings offered: gzip, deflate, br, zstd")
      ->check(parsed_by(parse_codings))
      ->type_name("LIST");
  app.add_option("--crawl-delay", command.crawl_delay, "Crawl-delay in every robots.txt, in seconds")
      ->check(between(0, 1e9))
      ->type_name("S");
  app.add_option("--disallow", command.disallow,
                 "Share of hosts whose robots.txt forbids some of their pages")
      ->check(parsed_by(parse_share))
      ->type_name("SHARE");
  app.add_flag("--sitemaps", command.sitemaps, "Every host has a sitemap");
  app.add_flag("--feeds", command.feeds, "Every host has a feed of the pages that changed last, RSS or Atom");
  app.add_option("--false-dates", command.false_dates,
                 "Share of hosts whose sitemap and feed say that every page has just changed")
      ->check(parsed_by(parse_share))
      ->type_name("SHARE");
  app.add_option("--spread", command.site.unknown_hosts,
                 "Number of hosts for a graph whose hosts are not known")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("N")
      ->capture_default_str();
}

void add_network(CLI::App& app, ServeCommand& command) {
  app.add_option("--port", command.server.port, "Port to listen on; 0 for any free one")
      ->check(CLI::Range(0, 65'535))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--bind", command.server.addresses, "Address to listen on, instead of 127.0.0.1 and ::1")
      ->type_name("IP");
  app.add_flag("--anywhere", command.server.anywhere,
               "Allow --bind to addresses that other machines can reach");
  app.add_option("--threads", command.server.threads, "Number of threads")
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->capture_default_str();
  app.add_flag("--tls", command.server.tls,
               "Also serve TLS on the same port, for names that start with https");
  app.add_option("--authority", command.authority_file,
                 "Write the certificate of the certificate authority to this file")
      ->needs("--tls")
      ->type_name("FILE");
  app.add_option("--chain", command.server.chain,
                 "Keys of the certificates, with an intermediate as Let's Encrypt's: p256, rsa or ecdsa. "
                 "Default: P-256, signed by the authority itself")
      ->needs("--tls")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, TlsChain>{
              {"p256", TlsChain::kP256}, {"rsa", TlsChain::kRsa}, {"ecdsa", TlsChain::kEcdsa}},
          CLI::ignore_case))
      ->type_name("KEYS");
  app.add_option("--idle", command.server.idle_seconds, "Close a connection after this many idle seconds")
      ->check(between(0.001, 1e6))
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--access-log", command.access_log,
                 "Write a line per request to this file; - for standard output")
      ->type_name("FILE");
  app.add_option("--seed", command.site.seed, "Seed of the random numbers")
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace

void add_web_serve(App& app, CLI::App& web) {
  auto command = std::make_shared<ServeCommand>();
  CLI::App& serve_app =
      app.add_command(web, "serve", kText,
                      [command](const CommonOptions& common) -> Status { return serve(*command, common); });
  add_graph_argument(serve_app, command->graph);
  add_network(serve_app, *command);
  add_trouble(serve_app, *command);
  add_form(serve_app, *command);
  add_time(serve_app, *command);
  serve_app.add_flag(
      "--hostile", command->hostile,
      "Turn on all kinds of faults, each for a small share. An explicit option overrides this");
}

}  // namespace bowerbird
