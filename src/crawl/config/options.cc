// The table of a crawl's options, and how each is read and told.
#include "crawl/config/options.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/units.h"
#include "crawl/config/policy_choice.h"
#include "crawl/judge/body_types.h"
#include "frontier/strategy.h"
#include "policy/registry.h"

namespace bowerbird {

namespace {

using O = CrawlOptions;
using Field = CrawlOptionField;
using Values = std::vector<std::string>;

// A value of the options, or of a part of them.
template <typename T>
using Spot = std::function<T&(CrawlOptions&)>;

template <typename T>
Spot<T> at(T CrawlOptions::*member) {
  return [member](CrawlOptions& options) -> T& { return options.*member; };
}
template <typename Part, typename T>
Spot<T> at(Part CrawlOptions::*part, T Part::*member) {
  return [part, member](CrawlOptions& options) -> T& { return options.*part.*member; };
}

template <typename T>
const T& look(const Spot<T>& place, const CrawlOptions& options) {
  return place(const_cast<CrawlOptions&>(options));
}

// `read` makes the value from a text; `tell` gives a text back from which it is read again.
template <typename T, typename Read, typename Tell>
Field one(Spot<T> place, Read read, Tell tell) {
  Field field;
  field.set = [place, read](CrawlOptions& options, std::string_view value) -> Status {
    BB_TRY(T got, read(value));
    place(options) = std::move(got);
    return {};
  };
  field.get = [place, tell](const CrawlOptions& options) { return Values{tell(look(place, options))}; };
  return field;
}

template <typename T>
std::string plainly(const T& value) {
  return fmt::format("{}", value);
}

Field text(const Spot<std::string>& place) {
  return one(
      place, [](std::string_view value) -> Result<std::string> { return std::string(value); },
      plainly<std::string>);
}

Field list(const Spot<Values>& place) {
  Field field;
  field.set = [place](CrawlOptions& options, std::string_view value) -> Status {
    place(options).emplace_back(value);
    return {};
  };
  field.get = [place](const CrawlOptions& options) { return look(place, options); };
  field.clear = [place](CrawlOptions& options) { place(options).clear(); };
  return field;
}

Field patterns(const Spot<Values>& place) {
  Field field = list(place);
  field.set = [place](CrawlOptions& options, std::string_view value) -> Status {
    BB_TRY_VOID(UrlPattern::make(std::string(value)));
    place(options).emplace_back(value);
    return {};
  };
  return field;
}

template <typename T, typename Parse>
Field parsed(const Spot<T>& place, Parse parse, T least) {
  const auto read = [parse, least](std::string_view value) -> Result<T> {
    BB_TRY(const T got, parse(value));
    if (got < least) return error("'{}': at least {} is expected", value, least);
    return got;
  };
  return one(place, read, plainly<T>);
}

Field count(const Spot<std::uint64_t>& place, std::uint64_t least = 0) {
  return parsed(place, parse_count, least);
}
Field bytes(const Spot<std::uint64_t>& place) {
  return parsed(place, parse_bytes, std::uint64_t{0});
}
std::string tell_seconds(Seconds time) {
  return plainly(time.count());
}
Field seconds(const Spot<Seconds>& place) {
  return one(place, parse_seconds, tell_seconds);
}

Field flag(const Spot<bool>& place) {
  const auto read = [](std::string_view value) -> Result<bool> {
    if (value != "true" && value != "false") return error("'{}': true or false is expected", value);
    return value == "true";
  };
  return one(place, read, plainly<bool>);
}

// One of the names of an enumeration, which are in its order.
template <typename Enum>
Field word(const Spot<Enum>& place, const Values& names) {
  const auto read = [names](std::string_view value) -> Result<Enum> {
    const auto found = std::ranges::find(names, value);
    if (found == names.end()) return error("'{}' is not one of {}", value, fmt::join(names, ", "));
    return static_cast<Enum>(found - names.begin());
  };
  return one(place, read, [names](Enum value) { return names[static_cast<std::size_t>(value)]; });
}

Field depth() {
  const auto read = [](std::string_view value) -> Result<std::uint64_t> {
    if (value == "none") return kAnyDepth;
    return parse_count(value);
  };
  return one(at(&O::budget, &O::Budget::depth), read,
             [](std::uint64_t value) { return value == kAnyDepth ? std::string("none") : plainly(value); });
}

Field address_delay_field() {
  const auto read = [](std::string_view value) -> Result<std::optional<Seconds>> {
    if (value == "auto") return std::optional<Seconds>();
    BB_TRY(const Seconds time, parse_seconds(value));
    return std::optional<Seconds>(time);
  };
  return one(at(&O::politeness, &O::Politeness::delay_ip), read,
             [](const std::optional<Seconds>& value) { return value ? tell_seconds(*value) : "auto"; });
}

Field types() {
  const auto read = [](std::string_view value) -> Result<Values> {
    Values names;
    while (!value.empty()) {
      const std::size_t comma = std::min(value.find(','), value.size());
      names.emplace_back(value.substr(0, comma));
      value.remove_prefix(std::min(comma + 1, value.size()));
    }
    BB_TRY_VOID(BodyTypes::make(names));
    return names;
  };
  return one(at(&O::selection, &O::Selection::types), read,
             [](const Values& names) { return fmt::format("{}", fmt::join(names, ",")); });
}

Field contact() {
  const auto read = [](std::string_view value) -> Result<std::string> {
    if (!names_a_contact(value))
      return error("'{}' is neither a mail address (you@example.org) nor a page (https://...)", value);
    return std::string(value);
  };
  return one(at(&O::identity, &O::Identity::contact), read, plainly<std::string>);
}

// A spec that `check` accepts; the value itself stays as it was written.
template <typename Check>
Field spec(const Spot<std::string>& place, Check check) {
  const auto read = [check](std::string_view value) -> Result<std::string> {
    BB_TRY_VOID(check(value));
    return std::string(value);
  };
  return one(place, read, plainly<std::string>);
}

Status check_policy(std::string_view value) {
  if (value == kAutoPolicy) return {};
  BB_TRY_VOID(make_policy(std::string(value), {}));
  return {};
}

Status check_strategy(std::string_view value) {
  BB_TRY_VOID(Strategy::make(std::string(value), 0, 1));
  return {};
}

Field share_count(std::uint64_t ParallelOptions::*member, std::uint64_t least, std::uint64_t most = 65535) {
  const auto read = [least, most](std::string_view value) -> Result<std::uint64_t> {
    BB_TRY(const std::uint64_t got, parse_count(value));
    if (got < least || got > most) {
      return error("'{}': a number from {} to {} is expected", value, least, most);
    }
    return got;
  };
  return one(at(&O::parallel, member), read, plainly<std::uint64_t>);
}

Field mode() {
  const auto read = [](std::string_view value) -> Result<std::optional<Mode>> {
    if (value.empty()) return std::optional<Mode>();
    BB_TRY(const Mode mode, parse_mode(value));
    return std::optional<Mode>(mode);
  };
  return one(at(&O::parallel, &ParallelOptions::mode), read,
             [](std::optional<Mode> value) { return value ? std::string(name_of(*value)) : ""; });
}

Field partition() {
  return one(at(&O::parallel, &ParallelOptions::partitioning), parse_partitioning,
             [](Partitioning value) { return std::string(name_of(value)); });
}

constexpr std::string_view kStart = "Where to begin";
constexpr std::string_view kOrder = "Order";
constexpr std::string_view kScope = "Scope";
constexpr std::string_view kPolite = "Politeness";
constexpr std::string_view kNet = "Network";
constexpr std::string_view kLimits = "Limits of one page";
constexpr std::string_view kBudgets = "Budgets";
constexpr std::string_view kFleet = "Many processes";
constexpr std::string_view kStore = "Archive and machine";

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<CrawlOptionRow> make_table() {
  return {
      {"seed-file", "FILE", kStart, "A file of seeds: one URL per line, optionally followed by a weight",
       false, false, text(at(&O::start, &O::Start::seeds_file))},
      {"skip-bad-seeds", "", kStart, "Skip lines of --seed-file that are no URLs to crawl, and count them",
       false, false, flag(at(&O::start, &O::Start::skip_bad_seeds))},
      {"sitemap", "URL", kStart, "A sitemap to begin with; may be given several times", true, false,
       list(at(&O::start, &O::Start::sitemaps))},
      {"out", "DIR", kStart,
       "The folder of the crawl; a crawl that it holds is resumed. Default: the first seed's host and "
       ".crawl, unless that holds a crawl with other seeds",
       false, false, text(at(&O::out))},
      {"contact", "WHO", kStart,
       "An address or a page (mail or URL) where you can be reached; it is part of the user agent", false,
       false, contact()},
      {"user-agent", "TEXT", kStart, "The whole user agent; it must hold a contact", false, false,
       text(at(&O::identity, &O::Identity::user_agent))},

      {"policy", "SPEC", kOrder,
       "The ordering: which page next (`bowerbird lab --help` lists them all). Default: auto, which is "
       "similar with a "
       "--topic, else lipr where memory allows, else fpr@100",
       false, true, spec(at(&O::order, &O::Order::policy), check_policy)},
      {"strategy", "SPEC", kOrder,
       "Which links enter the frontier: all; sydney@T, shallow@T: of a page's many links T now, the others "
       "when "
       "the queue is empty; truncated@T: T, the others are lost. With :budget=N at most N entries",
       false, true, spec(at(&O::order, &O::Order::strategy), check_strategy)},
      {"seed", "N", kOrder, "The seed of everything random", false, true,
       count(at(&O::order, &O::Order::random_seed))},
      {"expected-pages", "N", kOrder,
       "How many pages orderings that ask for it may expect. Default: the page budget", false, true,
       count(at(&O::order, &O::Order::expected_pages))},
      {"topic", "WORDS", kOrder,
       "What the crawl is about, \"rose garden\": the ordering `similar` takes pages that look like it "
       "first, and "
       "the words of all pages are kept for the lab (--terms)",
       false, true, text(at(&O::order, &O::Order::topic))},
      {"topic-at", "X", kOrder,
       "A page is about the topic if its tf-idf similarity is at least this (0 to 1). Default: if its title "
       "holds a "
       "word of the topic, or its text ten",
       false, false, parsed(at(&O::order, &O::Order::topic_at), parse_share, 0.0)},

      {"scope", "MODE", kScope,
       "host: the seeds' hosts, with and without www.; domain: their registrable domains; prefix: what "
       "begins as a seed does; any",
       false, false, word(at(&O::scope, &ScopeOptions::mode), {"any", "domain", "host", "prefix"})},
      {"host", "NAME", kScope, "A further host that is in scope; *.NAME: all hosts beneath it", true, false,
       list(at(&O::scope, &ScopeOptions::hosts))},
      {"include", "REGEX", kScope, "Only URLs in which one of these (RE2) is found", true, false,
       patterns(at(&O::scope, &ScopeOptions::include))},
      {"exclude", "REGEX", kScope, "No URLs in which one of these (RE2) is found", true, false,
       patterns(at(&O::scope, &ScopeOptions::exclude))},
      {"types", "LIST", kScope,
       "Which kinds of documents are fetched whole: html, pdf, text, image, style, script, any, or media "
       "types "
       "such as application/json or font/*",
       false, false, types()},
      {"requisites", "", kScope, "Fetch what is needed to show a page too: images, styles, scripts", false,
       false, flag(at(&O::selection, &O::Selection::requisites))},
      {"traps", "", kScope, "Leave out URLs that look endless: calendars, repeated paths, session numbers",
       false, false, flag(at(&O::selection, &O::Selection::traps))},
      {"sitemaps", "", kScope, "Follow the Sitemap lines of robots.txt", false, false,
       flag(at(&O::selection, &O::Selection::follow_sitemaps))},

      {"delay", "TIME", kPolite,
       "Between the starts of two requests to one host, at least. 0 is possible for hosts of --allow-net "
       "alone",
       false, false, seconds(at(&O::politeness, &O::Politeness::delay))},
      {"delay-ip", "TIME", kPolite,
       "The same for one address, whatever the host. Default: auto, which is 0.5, or 0 with --connect-to",
       false, false, address_delay_field()},
      {"delay-domain", "TIME", kPolite, "The same for one registrable domain", false, false,
       seconds(at(&O::politeness, &O::Politeness::delay_domain))},
      {"max-delay", "TIME", kPolite, "A slow host is not left alone for longer than this by itself", false,
       false, seconds(at(&O::politeness, &O::Politeness::max_delay))},
      {"adapt", "FACTOR", kPolite, "A host's delay is at least so many times its time to answer", false,
       false, parsed(at(&O::politeness, &O::Politeness::adapt), parse_number, 0.0)},
      {"connections", "N", kPolite, "Pages under way at once", false, false,
       count(at(&O::politeness, &O::Politeness::connections), 1)},
      {"connections-per-host", "N", kPolite,
       "Requests to one host at once; more than 1 for --allow-net hosts alone", false, false,
       count(at(&O::politeness, &O::Politeness::connections_per_host), 1)},
      {"patience", "FACTOR", kPolite, "Waits after trouble are so many times the usual ones", false, false,
       parsed(at(&O::politeness, &O::Politeness::patience), parse_number, 0.0)},
      {"bandwidth", "BYTES", kPolite, "Bytes a second in all; 0: no limit", false, false,
       bytes(at(&O::politeness, &O::Politeness::bandwidth))},

      {"allow-net", "CIDR", kNet,
       "A network of your own that may be crawled although it is not public, such as 127.0.0.0/8", true,
       false, list(at(&O::network, &O::Network::allow_net))},
      {"connect-to", "HOST:PORT", kNet, "All connections go there, whatever the URL (an in-vitro Web)", false,
       false, text(at(&O::network, &O::Network::connect_to))},
      {"proxy", "URL", kNet, "Ask through this proxy (http, https, socks5h)", false, false,
       text(at(&O::network, &O::Network::proxy))},
      {"dns", "LIST", kNet, "Name servers instead of the system's, separated by commas", false, false,
       text(at(&O::network, &O::Network::dns_servers))},
      {"certificates", "FILE", kNet, "Authorities to trust (PEM) instead of the system's", false, false,
       text(at(&O::network, &O::Network::certificates))},
      {"header", "[HOST=]FIELD", kNet,
       "Send this header field, \"Name: value\", with every request, or with those to HOST. Authorization "
       "and "
       "Cookie need a HOST",
       true, false, list(at(&O::network, &O::Network::headers))},
      {"cookie", "HOST=COOKIES", kNet,
       "Send these cookies to HOST, \"example.org=a=1; b=2\". HOST means https; write http://HOST for http",
       true, false, list(at(&O::network, &O::Network::cookies))},
      {"auth", "HOST=USER:PASSWORD", kNet,
       "Basic authentication for HOST. HOST means https; write http://HOST for http", true, false,
       list(at(&O::network, &O::Network::auth))},
      {"http2", "", kNet,
       "Use HTTP/2 where it is offered. Off by default: a hostile host can stall the crawl with empty DATA "
       "frames",
       false, false, flag(at(&O::network, &O::Network::http2))},

      {"timeout", "TIME", kLimits, "For a whole page", false, false,
       seconds(at(&O::fetch, &O::Fetch::timeout))},
      {"connect-timeout", "TIME", kLimits, "Until a connection stands", false, false,
       seconds(at(&O::fetch, &O::Fetch::connect_timeout))},
      {"max-size", "BYTES", kLimits, "Longer bodies are cut there", false, false,
       bytes(at(&O::fetch, &O::Fetch::max_body))},
      {"max-unpacked", "BYTES", kLimits, "Compressed bodies that unfold beyond this are given up", false,
       false, bytes(at(&O::fetch, &O::Fetch::max_decoded))},
      {"max-head", "BYTES", kLimits, "Of the header of an answer", false, false,
       bytes(at(&O::fetch, &O::Fetch::max_head))},
      {"redirects", "N", kLimits, "Redirects in a row that are followed", false, false,
       count(at(&O::fetch, &O::Fetch::redirects))},

      {"pages", "N", kBudgets, "Stop after so many pages", false, false,
       count(at(&O::budget, &O::Budget::pages))},
      {"bytes", "BYTES", kBudgets, "Stop after so many bytes", false, false,
       bytes(at(&O::budget, &O::Budget::bytes))},
      {"time", "TIME", kBudgets, "Stop after this time (of this run)", false, false,
       seconds(at(&O::budget, &O::Budget::time))},
      {"depth", "N", kBudgets,
       "No pages further than so many steps from a seed; 0: the seeds alone. Default: none, which is no "
       "limit",
       false, false, depth()},
      {"pages-per-host", "N", kBudgets, "Of one host", false, false,
       count(at(&O::budget, &O::Budget::pages_per_host))},
      {"pages-per-domain", "N", kBudgets, "Of one registrable domain", false, false,
       count(at(&O::budget, &O::Budget::pages_per_domain))},
      {"stop-at-importance", "SHARE", kBudgets,
       "Stop when the fetched pages are guaranteed to hold this share of the seeds' PageRank: a lower bound "
       "(RankMass)",
       false, false, parsed(at(&O::budget, &O::Budget::stop_at_importance), parse_share, 0.0)},

      {"bound", "", kBudgets,
       "Show the guaranteed share of the seeds' PageRank, a lower bound; --stop-at-importance does so, too",
       false, true, flag(at(&O::budget, &O::Budget::bound))},

      {"mode", "MODE", kFleet,
       "Share the crawl with other processes. What becomes of links to their pages: exchange (they are "
       "sent "
       "there; needs --fleet), firewall (dropped), cross-over (followed when nothing of one's own is left)",
       false, true, mode()},
      {"procs", "N", kFleet, "How many processes share the crawl; exchange: how many to wait for", false,
       true, share_count(&ParallelOptions::procs, 0)},
      {"process", "I", kFleet, "Which of them this is, from 0 on", false, true,
       share_count(&ParallelOptions::process, 0)},
      {"partition", "KIND", kFleet, "Who owns a page: site-hash, host-hash, url-hash or hierarchical", false,
       true, partition()},
      {"partition-rules", "RULES", kFleet, "For hierarchical: de,fr=0;com=1", false, true,
       text(at(&O::parallel, &ParallelOptions::rules))},
      {"partitions", "N", kFleet, "Into how many parts the crawl is divided", false, true,
       share_count(&ParallelOptions::partitions, 1)},
      {"replicate", "N", kFleet,
       "exchange: the N URLs of other processes that have been linked to most so far are not sent again",
       false, true, share_count(&ParallelOptions::replicate, 0, 100'000'000)},
      {"member", "NAME", kFleet, "The name of this process in its fleet. Default: the folder's", false, true,
       text(at(&O::parallel, &ParallelOptions::member))},
      {"fleet", "URL", kFleet, "The NATS server (with JetStream) over which processes exchange links", false,
       false, text(at(&O::fleet, &O::Fleet::url))},
      {"fleet-name", "NAME", kFleet, "Which crawl on that server", false, false,
       text(at(&O::fleet, &O::Fleet::name))},
      {"coordination", "KIND", kFleet,
       "static: processes hold equal parts; dynamic: the fleet's coordinator moves parts to where there is "
       "less work",
       false, false, word(at(&O::fleet, &O::Fleet::coordination), {"static", "dynamic"})},
      {"lease", "TIME", kFleet, "A process that is not heard of for so long has lost its part of the crawl",
       false, false, seconds(at(&O::fleet, &O::Fleet::lease))},

      {"warc", "KIND", kStore, "How the archive is compressed: none, gzip, zstd", false, true,
       word(at(&O::storage, &O::Storage::warc), {"none", "gzip", "zstd"})},
      {"warc-size", "BYTES", kStore, "A new archive file is begun beyond this", false, false,
       bytes(at(&O::storage, &O::Storage::warc_bytes))},
      {"terms", "", kStore,
       "Keep the words of pages and links, so that the lab can be asked for any topic; on with --topic",
       false, true, flag(at(&O::storage, &O::Storage::terms))},
      {"memory", "BYTES", kStore,
       "What the process may take in memory, whatever the Web does: what does not fit goes to disk, and in "
       "the end new "
       "URLs are turned away and counted. At least 96 MiB and 128 KiB for each of --connections. 0: no limit",
       false, false, bytes(at(&O::memory, &O::Memory::budget))},
      {"url-memory", "BYTES", kStore,
       "What fingerprints of known URLs may take in memory; the others are on disk. Default: three eighths "
       "of what --memory has beyond 64 MiB",
       false, false, bytes(at(&O::memory, &O::Memory::urls))},
      {"report", "", kStore, "Write report.html and report.json into the folder at the end", false, false,
       flag(at(&O::storage, &O::Storage::report))},
      {"store-errors", "", kStore, "Keep answers such as 404 and 503 in the archive too", false, false,
       flag(at(&O::storage, &O::Storage::errors))},
      {"parsers", "N", kStore, "Threads that read pages; 0: the crawl's own", false, false,
       count(at(&O::parsers))},
      {"queue-memory", "BYTES", kStore,
       "What the queue may take in memory; its worst part goes to disk beyond that. Default: an eighth of "
       "--memory",
       false, false, bytes(at(&O::memory, &O::Memory::queue))},
      {"graph-memory", "BYTES", kStore,
       "What the links that an ordering keeps (lipr, batch-pagerank, partial-pagerank) may take in memory; "
       "the "
       "older ones go to disk beyond that. Default: a sixteenth of --memory",
       false, false, bytes(at(&O::memory, &O::Memory::graph))},
      {"commit", "TIME", kStore, "How often everything is made safe, at least", false, false,
       seconds(at(&O::storage, &O::Storage::commit))},
      {"durable", "", kStore, "Ask the disk to keep each commit (off: as fast as the page cache)", false,
       false, flag(at(&O::storage, &O::Storage::durable))},
  };
}

}  // namespace

std::span<const CrawlOptionRow> crawl_option_table() {
  static const std::vector<CrawlOptionRow> table = make_table();
  return table;
}

Status CrawlOptionRow::set(CrawlOptions& options, std::span<const std::string> values) const {
  if (field.clear) field.clear(options);
  for (const std::string& text : values) BB_TRY_VOID(field.set(options, text));
  return {};
}

}  // namespace bowerbird
