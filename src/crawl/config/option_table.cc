#include "crawl/config/option_table.h"

#include <algorithm>

#include "crawl/config/policy_choice.h"
#include "crawl/config/secret_text.h"
#include "crawl/judge/body_types.h"
#include "crawl/judge/page_filter.h"
#include "crawl/judge/url_pattern.h"
#include "frontier/strategy.h"
#include "policy/refresh_rules.h"
#include "policy/registry.h"
#include "sys/log_file.h"

namespace bowerbird {

namespace {

using O = CrawlOptions;
using Field = OptionField<CrawlOptions>;

Status check_pattern(std::string_view text) {
  BB_TRY_VOID(UrlPattern::make(std::string(text)));
  return {};
}

Status check_page_filter(std::string_view text) {
  const std::string entry(text);
  BB_TRY_VOID(PageFilter::make({&entry, 1}));
  return {};
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

Status check_user_agent(std::string_view text) {
  if (has_control(text)) return error("'{}' contains a line end or another control character", text);
  return {};
}

Status check_contact(std::string_view text) {
  BB_TRY_VOID(check_user_agent(text));
  if (names_a_contact(text)) return {};
  return error("'{}' is neither a mail address (you@example.org) nor a page (https://...)", text);
}

Status check_policy(std::string_view text) {
  if (text == kAutoPolicy) return {};
  BB_TRY_VOID(make_policy(std::string(text), {}));
  return {};
}

Status check_strategy(std::string_view text) {
  BB_TRY_VOID(Strategy::make(std::string(text), 0, 1));
  return {};
}

// An option without a value is written as `open`.
template <typename T, typename Parse, typename Write>
Field optional_field(const OptionAccess<O, std::optional<T>>& access, std::string_view open, Parse parse,
                     Write write) {
  const auto read = [open, parse](std::string_view text) -> Result<std::optional<T>> {
    if (text == open) return std::optional<T>();
    BB_TRY(const T value, parse(text));
    return std::optional<T>(value);
  };
  return value_field(access, read, [open, write](const std::optional<T>& value) {
    return value ? std::string(write(*value)) : std::string(open);
  });
}

constexpr std::string_view kAuto = "auto";

Result<double> parse_factor(std::string_view text) {
  BB_TRY(const double factor, parse_number(text));
  if (!(factor >= 0)) return error("'{}': expected at least 0", text);
  return factor;
}

Field depth() {
  const auto read = [](std::string_view text) -> Result<std::uint64_t> {
    if (text == "none") return kAnyDepth;
    return parse_count(text);
  };
  return value_field(at(&O::budget, &O::Budget::depth), read, [](std::uint64_t value) {
    return value == kAnyDepth ? "none" : fmt::format("{}", value);
  });
}

// A name for several options. It is not written to options.toml: their own rows are.
Field archive() {
  Field field;
  field.read = [](O& options, std::string_view text) -> Status {
    if (text != "true" && text != "false") return error("'{}': expected true or false", text);
    options.selection.requisites = text == "true";
    if (!options.selection.requisites) return {};
    options.storage.errors = true;
    options.storage.robots = true;
    options.network.certificate_errors = CertificateErrors::kRecord;
    options.storage.warc = Compression::kGzip;
    return {};
  };
  field.texts = [](const O&) -> std::vector<std::string> { return {"false"}; };
  return field;
}

Field types() {
  const auto split = [](std::string_view text) -> Result<std::vector<std::string>> {
    std::vector<std::string> names = split_commas(text);
    BB_TRY_VOID(BodyTypes::make(names));
    return names;
  };
  return comma_field(at(&O::selection, &O::Selection::types), split);
}

Field mode() {
  Field field = optional_field(at(&O::parallel, &ParallelOptions::mode), "", parse_mode,
                               [](Mode value) { return name_of(value); });
  field.words = {"exchange", "firewall", "cross-over"};
  return field;
}

constexpr std::uint64_t kMostProcs = 65535;

Field process_count(std::uint64_t ParallelOptions::*member, std::uint64_t least,
                    std::uint64_t most = kMostProcs) {
  return count_field(at(&O::parallel, member), least, most);
}

constexpr std::string_view kWhat = "What to crawl";
constexpr std::string_view kOrder = "Order";
constexpr std::string_view kBudgets = "Budgets";
constexpr std::string_view kPolite = "Politeness";
constexpr std::string_view kLimits = "Limits of one page";
constexpr std::string_view kNet = "Network";
constexpr std::string_view kRefresh = "Refreshing";
constexpr std::string_view kStore = "Storage";
constexpr std::string_view kMachine = "Memory and threads";
constexpr std::string_view kWatch = "Watching";
constexpr std::string_view kFleet = "Fleet";

using Rows = std::vector<CrawlOptionRow>;

Rows what_rows() {
  using S = O::Selection;
  return {
      {{"out", kWhat, "DIR",
        "The folder of the crawl. If it contains a crawl, that crawl is resumed. Default: the host name of "
        "the first seed, with .crawl",
        kCommon | kStartOnly | kLauncher},
       text_field(at(&O::out))},
      {{"contact", kWhat, "WHO",
        "Your mail address, or a web page about your crawl. It is part of the user agent, so that site "
        "owners can reach you. Required, unless --user-agent has one",
        kCommon},
       text_field(at(&O::identity, &O::Identity::contact), check_contact)},
      {{"user-agent", kWhat, "TEXT", "The whole user agent. Default: Bowerbird/VERSION (+CONTACT)"},
       text_field(at(&O::identity, &O::Identity::user_agent), check_user_agent)},
      {{"seed-file", kWhat, "FILE",
        "A file of seeds: one URL per line, optionally followed by a weight. Lines that start with # are "
        "comments",
        kCommon | kStartOnly},
       text_field(at(&O::start, &O::Start::seeds_file))},
      {{"skip-bad-seeds", kWhat, "", "Skip lines of --seed-file that are not valid URLs, and count them",
        kStartOnly},
       flag_field(at(&O::start, &O::Start::skip_bad_seeds))},
      {{"sitemap", kWhat, "URL", "Add the URLs of this sitemap or feed (RSS, Atom) as seeds. May be repeated",
        kMany | kStartOnly},
       list_field(at(&O::start, &O::Start::sitemaps))},
      {{"scope", kWhat, "MODE",
        "Which URLs belong to the crawl. host: those on the hosts of the seeds, with and without www.; "
        "domain: on their registrable domains; prefix: those that start with the folder of a seed; any: all",
        kCommon | kAgreed | kLive},
       enum_field(at(&O::scope, &ScopeOptions::mode), {"any", "domain", "host", "prefix"})},
      {{"host", kWhat, "NAME", "A further host in scope; *.NAME: all its subdomains. May be repeated",
        kMany | kAgreed | kLive},
       list_field(at(&O::scope, &ScopeOptions::hosts))},
      {{"include", kWhat, "REGEX",
        "Crawl only seeds and URLs that match one of these regular expressions (RE2). May be repeated",
        kMany | kAgreed | kLive},
       list_field(at(&O::scope, &ScopeOptions::include), check_pattern)},
      {{"exclude", kWhat, "REGEX",
        "Never crawl URLs that match one of these regular expressions (RE2). May be repeated",
        kCommon | kMany | kAgreed | kLive},
       list_field(at(&O::scope, &ScopeOptions::exclude), check_pattern)},
      {{"links-from", kWhat, "PAGES",
        "Follow only the links of seeds and of these pages: a regular expression for the URL, or type:TYPE. "
        "Other pages are fetched and stored. May be repeated",
        kMany | kAgreed},
       list_field(at(&O::selection, &S::links_from), check_page_filter)},
      {{"keep", kWhat, "PAGES",
        "Store only these pages: a regular expression for the URL, or type:TYPE. Other pages are fetched, "
        "counted and parsed for links. May be repeated",
        kMany | kAgreed},
       list_field(at(&O::selection, &S::keep), check_page_filter)},
      {{"types", kWhat, "LIST",
        "Kinds of documents to fetch, comma-separated: html, pdf, text, image, style, script, any, or media "
        "types such as application/json and font/*",
        kCommaList | kAgreed},
       types()},
      {{"archive", kWhat, "",
        "Make an archive for replay: --requisites, --store-errors, --store-robots, --certificate-errors "
        "record and --warc gzip",
        kCommon | kAgreed},
       archive()},
      {{"requisites", kWhat, "",
        "Also fetch what pages need to be displayed: images, style sheets, scripts, fonts, frames, media. "
        "They may be on any host; scope, depth, --include and --pages do not apply to them",
        kCommon | kAgreed},
       flag_field(at(&O::selection, &S::requisites))},
      {{"requisites-per-page", kWhat, "N", "Maximum number of requisites of one page", kAgreed},
       count_field(at(&O::selection, &S::requisites_per_page))},
      {{"requisite-bytes", kWhat, "BYTES", "Fetch no further requisites of a page after this many bytes",
        kAgreed},
       bytes_field(at(&O::selection, &S::requisite_bytes))},
      {{"traps", kWhat, "", "Skip URLs that look like traps: endless calendars, repeated paths, session ids",
        kAgreed},
       flag_field(at(&O::selection, &S::traps))},
      {{"sitemaps", kWhat, "",
        "Read the sitemaps that robots.txt names and, with --refresh, the feed that a page names", kAgreed},
       flag_field(at(&O::selection, &S::follow_sitemaps))},
  };
}

Rows order_rows() {
  using P = O::Order;
  return {
      {{"policy", kOrder, "SPEC",
        "The crawl ordering; `bowerbird lab --help` lists them. auto: similar with --topic, otherwise lipr "
        "if memory allows, otherwise fpr@100",
        kCommon | kFixed | kAgreed},
       text_field(at(&O::order, &P::policy), check_policy)},
      {{"strategy", kOrder, "SPEC",
        "Which links enter the queue. all: every new link; sydney@T: at most T new links of a page, the "
        "others when the queue is empty; shallow@T: the same for pages of URL depth 0 to 2; truncated@T: at "
        "most T, the others are dropped. With :budget=N the queue holds at most N entries",
        kFixed | kAgreed},
       text_field(at(&O::order, &P::strategy), check_strategy)},
      {{"seed", kOrder, "N", "Random seed", kFixed}, count_field(at(&O::order, &P::random_seed))},
      {{"expected-pages", kOrder, "N",
        "Number of pages that will be crawled, as an estimate for orderings that use one. 0: --pages",
        kFixed},
       count_field(at(&O::order, &P::expected_pages))},
      {{"topic", kOrder, "WORDS",
        "Fetch pages about these words first, such as \"rose garden\" (ordering `similar`), and store the "
        "words of all pages (--terms)",
        kCommon | kFixed | kAgreed},
       text_field(at(&O::order, &P::topic))},
      {{"topic-at", kOrder, "SIMILARITY",
        "A page is about the topic if its tf-idf similarity is at least this, from 0 to 1. 0: if its title "
        "has a word of the topic, or its text has at least ten of them"},
       number_field(at(&O::order, &P::topic_at), parse_share, 0.0)},
  };
}

Rows budget_rows() {
  using B = O::Budget;
  return {
      {{"pages", kBudgets, "N", "Stop after this many pages. 0: no limit", kCommon | kLive},
       count_field(at(&O::budget, &B::pages))},
      {{"bytes", kBudgets, "BYTES", "Stop after this many bytes. 0: no limit", kLive},
       bytes_field(at(&O::budget, &B::bytes))},
      {{"time", kBudgets, "TIME", "Stop this run after this time. 0: no limit", kCommon | kLive},
       time_field(at(&O::budget, &B::time))},
      {{"depth", kBudgets, "N",
        "Skip pages that are more than this many links away from a seed. 0: only the seeds; none: no limit",
        kCommon | kAgreed | kLive},
       depth()},
      {{"pages-per-host", kBudgets, "N", "Maximum number of pages per host. 0: no limit", kAgreed | kLive},
       count_field(at(&O::budget, &B::pages_per_host))},
      {{"pages-per-domain", kBudgets, "N", "Maximum number of pages per registrable domain. 0: no limit",
        kAgreed | kLive},
       count_field(at(&O::budget, &B::pages_per_domain))},
      {{"stop-at-importance", kBudgets, "SHARE",
        "Stop when the RankMass bound reaches this share, such as 0.5 or 50%. 0: never. Turns on --bound"},
       number_field(at(&O::budget, &B::stop_at_importance), parse_share, 0.0)},
      {{"bound", kBudgets, "",
        "Compute and show the RankMass bound: a lower bound on the share of PageRank, personalised to the "
        "seeds, that the fetched pages hold",
        kFixed},
       flag_field(at(&O::budget, &B::bound))},
  };
}

Rows politeness_rows() {
  using P = O::Politeness;
  return {
      {{"delay", kPolite, "TIME",
        "Minimum time between the starts of two requests to one host. Less than 250ms works only on "
        "--allow-net networks",
        kCommon | kLive},
       time_field(at(&O::politeness, &P::delay))},
      {{"delay-ip", kPolite, "TIME",
        "The same for one IP address. auto: 0.5s, but at most --delay on --allow-net networks; 0s with "
        "--connect-to",
        kLive},
       optional_field(at(&O::politeness, &P::delay_ip), kAuto, parse_seconds, exact_seconds)},
      {{"delay-domain", kPolite, "TIME",
        "The same for one registrable domain. auto: 0.5s, but at most --delay on --allow-net networks",
        kLive},
       optional_field(at(&O::politeness, &P::delay_domain), kAuto, parse_seconds, exact_seconds)},
      {{"requisite-delay", kPolite, "TIME",
        "Delay after a request for a requisite. Allowed only on --allow-net networks. auto: --delay", kLive},
       optional_field(at(&O::politeness, &P::requisite_delay), kAuto, parse_seconds, exact_seconds)},
      {{"max-delay", kPolite, "TIME", "Upper limit of the delay that --adapt computes", kLive},
       time_field(at(&O::politeness, &P::max_delay))},
      {{"adapt", kPolite, "FACTOR",
        "Wait at least FACTOR times the host's response time. auto: 2, but 0 on --allow-net networks with "
        "--delay 0",
        kLive},
       optional_field(at(&O::politeness, &P::adapt), kAuto, parse_factor,
                      [](double factor) { return fmt::format("{}", factor); })},
      {{"connections", kPolite, "N", "Maximum number of requests in progress", kCommon | kLive},
       count_field<O, std::uint64_t>(at(&O::politeness, &P::connections), 1)},
      {{"connections-per-host", kPolite, "N",
        "Maximum number of simultaneous requests to one host. More than 1 is allowed only on --allow-net "
        "networks"},
       count_field<O, std::uint64_t>(at(&O::politeness, &P::connections_per_host), 1)},
      {{"patience", kPolite, "FACTOR", "Multiply retry waits by FACTOR", kLive},
       number_field(at(&O::politeness, &P::patience), parse_number, 0.0)},
      {{"bandwidth", kPolite, "BYTES", "Maximum download rate in bytes per second. 0: no limit", kLive},
       bytes_field(at(&O::politeness, &P::bandwidth))},
  };
}

Rows network_rows() {
  using F = O::Fetch;
  using N = O::Network;
  return {
      {{"timeout", kLimits, "TIME", "Maximum time for a whole page"}, time_field(at(&O::fetch, &F::timeout))},
      {{"connect-timeout", kLimits, "TIME", "Connection timeout"},
       time_field(at(&O::fetch, &F::connect_timeout))},
      {{"max-size", kLimits, "BYTES", "Maximum size of a body as received; longer ones are truncated"},
       bytes_field(at(&O::fetch, &F::max_body))},
      {{"max-unpacked", kLimits, "BYTES", "Maximum size of a decompressed body; larger ones are not parsed"},
       bytes_field(at(&O::fetch, &F::max_decoded))},
      {{"max-head", kLimits, "BYTES", "Maximum size of the response headers"},
       bytes_field(at(&O::fetch, &F::max_head))},
      {{"redirects", kLimits, "N", "Maximum number of redirects in a row", kAgreed},
       count_field(at(&O::fetch, &F::redirects))},

      {{"allow-net", kNet, "CIDR",
        "A private network that may be crawled, such as 127.0.0.0/8. May be repeated", kMany},
       list_field(at(&O::network, &N::allow_net))},
      {{"connect-to", kNet, "HOST:PORT",
        "Connect to this address for every URL; for a test Web (`bowerbird web serve`)"},
       text_field(at(&O::network, &N::connect_to))},
      {{"proxy", kNet, "URL", "Proxy to use: http, https or socks5h", kSecret},
       text_field(at(&O::network, &N::proxy))},
      {{"dns", kNet, "LIST", "Name servers, comma-separated. Default: those of the system"},
       text_field(at(&O::network, &N::dns_servers))},
      {{"certificates", kNet, "FILE", "Trusted certificate authorities (PEM). Default: those of the system"},
       text_field(at(&O::network, &N::certificates))},
      {{"certificate-errors", kNet, "ACTION",
        "What to do with a host whose certificate cannot be verified: refuse it, or fetch its pages without "
        "credentials and record the error. --archive sets record. Through a proxy such hosts are always "
        "refused"},
       enum_field(at(&O::network, &N::certificate_errors), {"refuse", "record"})},
      {{"crl", kNet, "FILE", "Certificate revocation lists (PEM). Lists are never fetched"},
       text_field(at(&O::network, &N::crl))},
      {{"header", kNet, "[HOST=]FIELD",
        "Send this header field, \"Name: value\", with every request, or with requests to HOST. HOST means "
        "https; write http://HOST for http. It replaces the crawler's own field of the same name. "
        "Authorization and Cookie need a HOST. May be repeated",
        kMany | kSecret},
       list_field(at(&O::network, &N::headers))},
      {{"cookie", kNet, "HOST=COOKIES",
        "Send these cookies to HOST, \"example.org=a=1; b=2\". HOST means https; write http://HOST for "
        "http. May be repeated",
        kMany | kSecret},
       list_field(at(&O::network, &N::cookies))},
      {{"cookies", kNet, "MODE",
        "Accept cookies, store them in cookies.txt in the crawl folder, and send them back. auto: only if "
        "all seeds are on one host and --scope is host or prefix"},
       enum_field(at(&O::network, &N::cookie_jar), {"auto", "on", "off"})},
      {{"cookie-file", kNet, "FILE",
        "Start with the cookies of this file (Netscape cookies.txt). Turns --cookies on", kStartOnly},
       text_field(at(&O::network, &N::cookie_file))},
      {{"auth", kNet, "HOST=USER:PASSWORD",
        "Basic authentication for HOST. HOST means https; write http://HOST for http. May be repeated",
        kMany | kSecret},
       list_field(at(&O::network, &N::auth))},
      {{"http2", kNet, "",
        "Use HTTP/2 with every host that offers it. Without this option, HTTP/2 is used only if "
        "--connections-per-host is above 1, and with hosts that refuse HTTP/1.1"},
       flag_field(at(&O::network, &N::http2))},
  };
}

Status check_refresh_policy(std::string_view text) {
  BB_TRY_VOID(find_refresh_rule(text));
  return {};
}

// "100/day", "5/hour", "100": per day.
Result<double> parse_rate(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view unit = slash == std::string_view::npos ? "day" : text.substr(slash + 1);
  double per_day = 1;
  if (unit == "hour") {
    per_day = 24;
  } else if (unit != "day") {
    return error("'{}': expected a number per day, such as 100/day", text);
  }
  BB_TRY(const double number, parse_number(text.substr(0, slash)));
  if (!(number >= 0 && number <= 1e12)) return error("'{}': expected a number from 0 to 1e12", text);
  return number * per_day;
}

std::string rate_text(double rate) {
  return fmt::format("{}/day", rate);
}

Rows refresh_rows() {
  using R = O::Refresh;
  return {
      {{"refresh", kRefresh, "SPEC",
        "Fetch pages again, in the order of this policy: none, uniform, importance, proportional, index or "
        "index-age (`bowerbird lab refresh --help`). New and old pages are chosen from one queue",
        kCommon},
       text_field(at(&O::refresh, &R::policy), check_refresh_policy)},
      {{"forever", kRefresh, "",
        "Keep pages fresh and look for new ones until you stop the crawl. --refresh is index-age unless you "
        "give another policy",
        kCommon},
       flag_field(at(&O::refresh, &R::forever))},
      {{"refresh-rate", kRefresh, "N/day",
        "Fetches per day, of new and old pages together. auto: a thirtieth of the held pages; new pages are "
        "fetched in addition",
        kLive},
       optional_field(at(&O::refresh, &R::rate), kAuto, parse_rate, rate_text)},
      {{"refresh-rate-per-host", kRefresh, "N/day", "The same for one host. 0: no limit", kLive},
       value_field(at(&O::refresh, &R::host_rate), parse_rate, rate_text)},
      {{"shortest-interval", kRefresh, "TIME", "Minimum time between two fetches of a page"},
       time_field(at(&O::refresh, &R::shortest))},
      {{"longest-interval", kRefresh, "TIME",
        "A page that was not fetched for this long is fetched next; such pages get at most a tenth of all "
        "fetches. 0: no limit"},
       time_field(at(&O::refresh, &R::longest))},
      {{"min-new", kRefresh, "SHARE",
        "Minimum share of new pages in all fetches, if there are any. auto: 50%, but at most --max-new"},
       optional_field(at(&O::refresh, &R::least_new), kAuto, parse_share,
                      [](double share) { return fmt::format("{}", share); })},
      {{"max-new", kRefresh, "SHARE", "Maximum share of new pages in all fetches"},
       number_field(at(&O::refresh, &R::most_new), parse_share, 0.0, 1.0)},
      {{"refresh-importance", kRefresh, "KIND",
        "Importance of a page for refreshing. pagerank: PageRank on the links seen (in large crawls the "
        "ranks of the ordering, if it computes ranks); backlinks: the number of links seen; equal: the same "
        "for all; auto: as pagerank, but as backlinks in large crawls whose ordering computes no ranks"},
       enum_field(at(&O::refresh, &R::importance), {"auto", "pagerank", "backlinks", "equal"})},
      {{"changed-numbers", kRefresh, "",
        "Count a page as changed even if only numbers in its text differ, such as prices or counters"},
       flag_field(at(&O::refresh, &R::numbers))},
      {{"time-scale", kRefresh, "FACTOR",
        "Run the clock of refreshing FACTOR times as fast; delays do not change. For a test Web; allowed "
        "only on --allow-net networks"},
       number_field(at(&O::refresh, &R::time_scale), parse_number, 1e-3, 1e7)},
  };
}

Field log_level() {
  Field field = text_field(at(&O::log, &O::Log::level), [](std::string_view text) -> Status {
    BB_TRY_VOID(parse_log_level(text));
    return {};
  });
  field.words = {"error", "warning", "info", "debug"};
  return field;
}

Rows watch_rows() {
  using L = O::Listen;
  return {
      {{"listen", kWatch, "HOST:PORT",
        "Serve a live page with controls, an API and metrics at this address, such as 127.0.0.1:8700. Port "
        "0: any free port. Addresses that other machines can reach need a token and TLS",
        kCommon | kStartOnly | kLauncher},
       text_field(at(&O::listen, &L::address))},
      {{"listen-name", kWatch, "NAME",
        "A further host name of the live page, such as that of a proxy. May be repeated",
        kMany | kStartOnly | kLauncher},
       list_field(at(&O::listen, &L::names))},
      {{"listen-token", kWatch, "FILE",
        "A file with the token that allows reading and changing the crawl. Other users must not be able to "
        "read the file. Default: a new token, stored in control.token in the crawl folder",
        kStartOnly | kLauncher},
       text_field(at(&O::listen, &L::token_file))},
      {{"listen-read-token", kWatch, "FILE", "A file with a token that only allows reading",
        kStartOnly | kLauncher},
       text_field(at(&O::listen, &L::read_token_file))},
      {{"listen-certificate", kWatch, "FILE",
        "TLS certificate of the live page (PEM), followed by its intermediate certificates",
        kStartOnly | kLauncher},
       text_field(at(&O::listen, &L::certificate))},
      {{"listen-key", kWatch, "FILE", "Private key of the certificate of --listen-certificate (PEM)",
        kStartOnly | kLauncher},
       text_field(at(&O::listen, &L::key))},
      {{"log", kWatch, "FILE",
        "Write a log to this file; - for stderr. Under systemd, lines on stderr have the level prefixes of "
        "journald",
        kStartOnly | kLauncher},
       text_field(at(&O::log, &O::Log::file))},
      {{"log-json", kWatch, "", "Write the log as JSON lines", kStartOnly | kLauncher},
       flag_field(at(&O::log, &O::Log::json))},
      {{"log-level", kWatch, "LEVEL", "Log level: error, warning, info or debug (every page)",
        kStartOnly | kLauncher},
       log_level()},
      {{"log-size", kWatch, "BYTES",
        "Start a new log file when one is larger than this; five old ones are kept. 0: never",
        kStartOnly | kLauncher},
       bytes_field(at(&O::log, &O::Log::bytes))},
  };
}

Rows storage_rows() {
  using S = O::Storage;
  using M = O::Memory;
  return {
      {{"warc", kStore, "KIND",
        "Compression of the archive: none, gzip or zstd. All WARC software reads gzip. zstd is smaller and "
        "faster, but few other programs read it. `bowerbird warc convert` changes the "
        "compression later",
        kFixed},
       enum_field(at(&O::storage, &S::warc), {"none", "gzip", "zstd"})},
      {{"warc-size", kStore, "BYTES", "Start a new archive file when one is larger than this"},
       bytes_field(at(&O::storage, &S::warc_bytes))},
      {{"store-errors", kStore, "", "Also archive error responses such as 404 and 503"},
       flag_field(at(&O::storage, &S::errors))},
      {{"store-robots", kStore, "", "Also archive robots.txt and DNS responses"},
       flag_field(at(&O::storage, &S::robots))},
      {{"dedup", kStore, "PATH",
        "An earlier archive: a crawl folder, a WARC file or a CDXJ index. A page whose body is in it is "
        "stored as a short revisit record. May be repeated",
        kMany},
       list_field(at(&O::storage, &S::dedup))},
      {{"terms", kStore, "",
        "Store the words of pages and links, so that the lab can use any topic. Always on with --topic",
        kFixed},
       flag_field(at(&O::storage, &S::terms))},
      {{"main-text", kStore, "",
        "Also archive the main text of pages, as conversion records, so that `export` need not extract it"},
       flag_field(at(&O::storage, &S::main_text))},
      {{"report", kStore, "", "Write report.html and report.json into the folder at the end"},
       flag_field(at(&O::storage, &S::report))},
      {{"commit", kStore, "TIME", "Commit interval: a crash loses at most this much work"},
       time_field(at(&O::storage, &S::commit))},
      {{"durable", kStore, "", "fsync every commit. Otherwise a power failure may lose more than --commit"},
       flag_field(at(&O::storage, &S::durable))},

      {{"memory", kMachine, "BYTES",
        "Memory limit of the process. Data that does not fit goes to disk. If that is not enough, new URLs "
        "are rejected and counted. At least 96 MiB plus 64 KiB per connection. 0: no limit",
        kCommon},
       bytes_field(at(&O::memory, &M::budget))},
      {{"url-memory", kMachine, "BYTES",
        "Memory for the fingerprints of known URLs; the rest is on disk. 0: three eighths of the part of "
        "--memory above 64 MiB"},
       bytes_field(at(&O::memory, &M::urls))},
      {{"queue-memory", kMachine, "BYTES",
        "Memory for the queue; its worst part goes to disk. 0: an eighth of --memory"},
       bytes_field(at(&O::memory, &M::queue))},
      {{"graph-memory", kMachine, "BYTES",
        "Memory for the links that an ordering keeps (lipr, batch-pagerank, partial-pagerank); older links "
        "go to disk. 0: a sixteenth of --memory"},
       bytes_field(at(&O::memory, &M::graph))},
      {{"parsers", kMachine, "N", "Number of parser threads. 0: parse in the main thread"},
       count_field(at(&O::parsers))},
      {{"network-threads", kMachine, "N",
        "Number of threads for connections and TLS, at most 64. 0: the main thread"},
       count_field(at(&O::network_threads))},
  };
}

Rows fleet_rows() {
  using P = ParallelOptions;
  using F = O::Fleet;
  const auto of_fleet = [](auto member) { return at(&O::fleet, member); };
  return {
      {{"fleet", kFleet, "URL", "NATS server (with JetStream) through which processes exchange links",
        kSecret | kLauncher},
       text_field(of_fleet(&F::url))},
      {{"fleet-name", kFleet, "NAME", "Name of the fleet on that server", kLauncher},
       text_field(of_fleet(&F::name))},
      {{"member", kFleet, "NAME", "Name of this process in the fleet. Default: the name of its folder",
        kFixed | kLauncher},
       text_field(at(&O::parallel, &P::member))},
      {{"mode", kFleet, "MODE",
        "What happens to links to pages of other processes. exchange: they are sent to their owners (needs "
        "--fleet); firewall: they are dropped; cross-over: they are followed when the process has no other "
        "pages left. Default: exchange with --fleet; without --fleet, a crawl by one process",
        kFixed | kLauncher},
       mode()},
      {{"procs", kFleet, "N",
        "Number of processes that share the crawl. exchange: the crawl starts when this many have joined",
        kFixed | kLauncher},
       process_count(&P::procs, 0)},
      {{"process", kFleet, "I", "firewall, cross-over: number of this process, starting with 0",
        kFixed | kLauncher},
       process_count(&P::process, 0)},
      {{"partition", kFleet, "KIND",
        "How pages are divided into partitions: site-hash (by registrable domain), host-hash, url-hash or "
        "hierarchical (by top-level domain)",
        kFixed | kAgreed},
       enum_field(at(&O::parallel, &P::partitioning),
                  {"url-hash", "site-hash", "host-hash", "hierarchical"})},
      {{"partition-rules", kFleet, "RULES",
        "hierarchical: processes for top-level domains, such as de,fr=0;com=1", kFixed | kAgreed},
       text_field(at(&O::parallel, &P::rules))},
      {{"partitions", kFleet, "N", "Number of partitions", kFixed | kAgreed},
       process_count(&P::partitions, 1)},
      {{"replicate", kFleet, "N", "exchange: send the N most linked URLs of other processes only once",
        kFixed},
       process_count(&P::replicate, 0, 100'000'000)},
      {{"coordination", kFleet, "KIND",
        "static: every process has the same number of partitions; dynamic: the coordinator moves partitions "
        "to processes with less work"},
       enum_field(of_fleet(&F::coordination), {"static", "dynamic"})},
      {{"lease", kFleet, "TIME", "A process that is silent for this long loses its partitions", kAgreed},
       time_field(of_fleet(&F::lease))},
      {{"restart-within", kFleet, "TIME",
        "A stopped process keeps its partitions for this long. Then other processes take them over", kAgreed},
       time_field(of_fleet(&F::restart_within))},
      {{"replicate-state", kFleet, "WHERE",
        "broker: the NATS server has a copy of the state of each process, so that others continue with its "
        "pages "
        "if its disk is lost; none: other processes must be able to read its folder",
        kAgreed},
       enum_field(of_fleet(&F::replicate_state), {"broker", "none"})},
  };
}

// The value may be "@FILE".
auto from_file_too(std::function<Status(O&, std::string_view)> read) {
  return [read = std::move(read)](O& options, std::string_view given) -> Status {
    BB_TRY(const std::string text, secret_text(given));
    return read(options, text);
  };
}

}  // namespace

std::span<const CrawlOptionRow> crawl_option_table() {
  static const Rows table = [] {
    Rows all;
    for (const auto rows : {what_rows, order_rows, budget_rows, politeness_rows, network_rows, refresh_rows,
                            storage_rows, watch_rows, fleet_rows}) {
      std::ranges::move(rows(), std::back_inserter(all));
    }
    for (CrawlOptionRow& row : all) {
      if (row.is(kSecret)) row.field.read = from_file_too(std::move(row.field.read));
    }
    return all;
  }();
  return table;
}

}  // namespace bowerbird
