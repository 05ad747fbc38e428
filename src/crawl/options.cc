#include "crawl/options.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/suggest.h"
#include "base/units.h"
#include "crawl/body_types.h"

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace bowerbird {

namespace {

using Setter = std::function<Status(CrawlOptions&, std::string_view)>;

Setter text(std::string CrawlOptions::*member) {
  return [member](CrawlOptions& options, std::string_view value) -> Status {
    options.*member = value;
    return {};
  };
}

Setter list(std::vector<std::string> CrawlOptions::*member) {
  return [member](CrawlOptions& options, std::string_view value) -> Status {
    (options.*member).emplace_back(value);
    return {};
  };
}

Setter scope_list(std::vector<std::string> ScopeOptions::*member) {
  return [member](CrawlOptions& options, std::string_view value) -> Status {
    (options.scope.*member).emplace_back(value);
    return {};
  };
}

template <typename Parse, typename T>
Setter parsed(T CrawlOptions::*member, Parse parse, T least) {
  return [member, parse, least](CrawlOptions& options, std::string_view value) -> Status {
    BB_TRY(const T got, parse(value));
    if (got < least) return error("'{}': at least {} is expected", value, least);
    options.*member = got;
    return {};
  };
}

Setter count(std::uint64_t CrawlOptions::*member, std::uint64_t least = 0) {
  return parsed(member, parse_count, least);
}
Setter bytes(std::uint64_t CrawlOptions::*member) {
  return parsed(member, parse_bytes, std::uint64_t{0});
}
Setter seconds(double CrawlOptions::*member) {
  return parsed(member, parse_seconds, 0.0);
}

Setter flag(bool CrawlOptions::*member) {
  return [member](CrawlOptions& options, std::string_view value) -> Status {
    if (value != "true" && value != "false") return error("'{}': true or false is expected", value);
    options.*member = value == "true";
    return {};
  };
}

Status set_types(CrawlOptions& options, std::string_view value) {
  options.types.clear();
  while (!value.empty()) {
    const std::size_t comma = std::min(value.find(','), value.size());
    options.types.emplace_back(value.substr(0, comma));
    value.remove_prefix(std::min(comma + 1, value.size()));
  }
  return BodyTypes::make(options.types).ok() ? Status() : BodyTypes::make(options.types).error();
}

Status set_scope_mode(CrawlOptions& options, std::string_view value) {
  options.scope.mode = value;
  const auto made = Scope::make({options.scope.mode, {}, {}, {}}, {});
  return made.ok() ? Status() : made.error();
}

Setter share_text(std::string ShareOptions::*member) {
  return [member](CrawlOptions& options, std::string_view value) -> Status {
    options.share.*member = value;
    return {};
  };
}

Setter share_count(std::uint64_t ShareOptions::*member, std::uint64_t least, std::uint64_t most = 65535) {
  return [member, least, most](CrawlOptions& options, std::string_view value) -> Status {
    BB_TRY(const std::uint64_t got, parse_count(value));
    if (got < least || got > most) {
      return error("'{}': a number from {} to {} is expected", value, least, most);
    }
    options.share.*member = got;
    return {};
  };
}

Status set_mode(CrawlOptions& options, std::string_view value) {
  if (!value.empty()) BB_TRY_VOID(parse_mode(value));
  options.share.mode = value;
  return {};
}

Status set_partitioning(CrawlOptions& options, std::string_view value) {
  BB_TRY(options.share.partitioning, parse_partitioning(value));
  return {};
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

std::vector<CrawlOptionRow> make_table() {
  using O = CrawlOptions;
  return {
      {"seed-file", "FILE", kStart, "A file of seeds: one URL a line, behind it a weight if wanted", false,
       false, text(&O::seeds_file)},
      {"sitemap", "URL", kStart, "A sitemap to begin with; may be given several times", true, false,
       list(&O::sitemaps)},
      {"out", "DIR", kStart,
       "The folder of the crawl; if it holds one, that crawl goes on. Default: the first seed's host", false,
       false, text(&O::out)},
      {"contact", "WHO", kStart,
       "An address or a page (mail or URL) where you can be reached; it is part of the user agent", false,
       false, text(&O::contact)},
      {"user-agent", "TEXT", kStart, "The whole user agent; it must hold a contact", false, false,
       text(&O::user_agent)},

      {"policy", "SPEC", kOrder,
       "The ordering: which page next (`bowerbird lab --help` lists them all). Default: auto, which is "
       "similar with a "
       "--topic, else lipr where memory allows, else fpr@100",
       false, true, text(&O::policy)},
      {"strategy", "SPEC", kOrder,
       "Which links enter the frontier: all; sydney@T, shallow@T: of a page's many links T now, the others "
       "when "
       "the queue is empty; truncated@T: T, the others are lost. With :budget=N at most N entries",
       false, true, text(&O::strategy)},
      {"seed", "N", kOrder, "The seed of everything random", false, true, count(&O::random_seed)},
      {"expected-pages", "N", kOrder,
       "How many pages orderings that ask for it may expect. Default: the page budget", false, true,
       count(&O::expected_pages)},
      {"topic", "WORDS", kOrder,
       "What the crawl is about, \"rose garden\": the ordering `similar` takes pages that look like it "
       "first, and "
       "the words of all pages are kept for the lab (--terms)",
       false, true, text(&O::topic)},
      {"topic-at", "X", kOrder,
       "A page is about the topic if its tf-idf similarity is at least this (0 to 1). Default: if its title "
       "holds a "
       "word of the topic, or its text ten",
       false, false, parsed(&O::topic_at, parse_share, 0.0)},

      {"scope", "MODE", kScope,
       "host: the seeds' hosts; domain: their registrable domains; prefix: what begins as a seed does; any",
       false, false, set_scope_mode},
      {"host", "NAME", kScope, "A further host that is in scope; *.NAME: all hosts beneath it", true, false,
       scope_list(&ScopeOptions::hosts)},
      {"include", "REGEX", kScope, "Only URLs in which one of these is found", true, false,
       scope_list(&ScopeOptions::include)},
      {"exclude", "REGEX", kScope, "No URLs in which one of these is found", true, false,
       scope_list(&ScopeOptions::exclude)},
      {"types", "LIST", kScope,
       "Which kinds of documents are fetched whole: html, pdf, text, image, style, script, any, or media "
       "types "
       "such as application/json or font/*",
       false, false, set_types},
      {"requisites", "", kScope, "Fetch what is needed to show a page too: images, styles, scripts", false,
       false, flag(&O::requisites)},
      {"traps", "", kScope, "Leave out URLs that look endless: calendars, repeated paths, session numbers",
       false, false, flag(&O::traps)},
      {"sitemaps", "", kScope, "Follow the Sitemap lines of robots.txt", false, false,
       flag(&O::follow_sitemaps)},

      {"delay", "TIME", kPolite,
       "Between the starts of two requests to one host, at least. 0 is possible for hosts of --allow-net "
       "alone",
       false, false, seconds(&O::delay_s)},
      {"delay-ip", "TIME", kPolite, "The same for one address, whatever the host", false, false,
       seconds(&O::delay_ip_s)},
      {"delay-domain", "TIME", kPolite, "The same for one registrable domain", false, false,
       seconds(&O::delay_domain_s)},
      {"max-delay", "TIME", kPolite, "A slow host is not left alone for longer than this by itself", false,
       false, seconds(&O::max_delay_s)},
      {"adapt", "FACTOR", kPolite, "A host's delay is at least so many times its time to answer", false,
       false, parsed(&O::adapt, parse_number, 0.0)},
      {"connections", "N", kPolite, "Pages under way at once", false, false, count(&O::connections, 1)},
      {"connections-per-host", "N", kPolite,
       "Requests to one host at once; more than 1 for --allow-net hosts alone", false, false,
       count(&O::connections_per_host, 1)},
      {"patience", "FACTOR", kPolite, "Waits after trouble are so many times the usual ones", false, false,
       parsed(&O::patience, parse_number, 0.0)},
      {"bandwidth", "BYTES", kPolite, "Bytes a second in all; 0: no limit", false, false,
       bytes(&O::bandwidth)},

      {"allow-net", "CIDR", kNet,
       "A network of your own that may be crawled although it is not public, such as 127.0.0.0/8", true,
       false, list(&O::allow_net)},
      {"connect-to", "HOST:PORT", kNet, "All connections go there, whatever the URL (an in-vitro Web)", false,
       false, text(&O::connect_to)},
      {"proxy", "URL", kNet, "Ask through this proxy (http, https, socks5h)", false, false, text(&O::proxy)},
      {"dns", "LIST", kNet, "Name servers instead of the system's, separated by commas", false, false,
       text(&O::dns_servers)},
      {"certificates", "FILE", kNet, "Authorities to trust (PEM) instead of the system's", false, false,
       text(&O::certificates)},
      {"header", "FIELD", kNet, "A further field of every request, \"Name: value\"", true, false,
       list(&O::headers)},
      {"cookie", "HOST=COOKIES", kNet, "Cookies for a host, \"example.org=a=1; b=2\"", true, false,
       list(&O::cookies)},
      {"auth", "HOST=USER:PASSWORD", kNet, "Basic authentication for a host", true, false, list(&O::auth)},
      {"http2", "", kNet, "Speak HTTP/2 where it is offered", false, false, flag(&O::http2)},

      {"timeout", "TIME", kLimits, "For a whole page", false, false, seconds(&O::timeout_s)},
      {"connect-timeout", "TIME", kLimits, "Until a connection stands", false, false,
       seconds(&O::connect_timeout_s)},
      {"max-size", "BYTES", kLimits, "Longer bodies are cut there", false, false, bytes(&O::max_body)},
      {"max-unpacked", "BYTES", kLimits, "Compressed bodies that unfold beyond this are given up", false,
       false, bytes(&O::max_decoded)},
      {"max-head", "BYTES", kLimits, "Of the header of an answer", false, false, bytes(&O::max_head)},
      {"redirects", "N", kLimits, "Redirects in a row that are followed", false, false, count(&O::redirects)},

      {"pages", "N", kBudgets, "Stop after so many pages", false, false, count(&O::pages)},
      {"bytes", "BYTES", kBudgets, "Stop after so many bytes", false, false, bytes(&O::bytes)},
      {"time", "TIME", kBudgets, "Stop after this time (of this run)", false, false, seconds(&O::time_s)},
      {"depth", "N", kBudgets, "No links further than so many steps from a seed", false, false,
       count(&O::depth)},
      {"pages-per-host", "N", kBudgets, "Of one host", false, false, count(&O::pages_per_host)},
      {"pages-per-domain", "N", kBudgets, "Of one registrable domain", false, false,
       count(&O::pages_per_domain)},
      {"stop-at-importance", "SHARE", kBudgets,
       "Stop when so much of the importance is certainly covered, by the bound of RankMass", false, false,
       parsed(&O::stop_at_importance, parse_share, 0.0)},

      {"bound", "", kBudgets, "Keep the account of the importance that is certainly covered", false, true,
       flag(&O::bound)},

      {"mode", "MODE", kFleet,
       "Share the crawl with other processes. What becomes of links to their pages: exchange (they are sent "
       "there; needs --fleet), firewall (dropped), cross-over (followed when nothing of one's own is left)",
       false, true, set_mode},
      {"procs", "N", kFleet, "How many processes share the crawl; exchange: how many to wait for", false,
       true, share_count(&ShareOptions::procs, 0)},
      {"process", "I", kFleet, "Which of them this is, from 0 on", false, true,
       share_count(&ShareOptions::process, 0)},
      {"partition", "KIND", kFleet, "Who owns a page: site-hash, host-hash, url-hash or hierarchical", false,
       true, set_partitioning},
      {"partition-rules", "RULES", kFleet, "For hierarchical: de,fr=0;com=1", false, true,
       share_text(&ShareOptions::rules)},
      {"partitions", "N", kFleet, "Into how many parts the crawl is divided", false, true,
       share_count(&ShareOptions::partitions, 1)},
      {"replicate", "N", kFleet,
       "exchange: the N URLs of other processes that have been linked to most so far are not sent again",
       false, true, share_count(&ShareOptions::replicate, 0, 100'000'000)},
      {"member", "NAME", kFleet, "The name of this process in its fleet. Default: the folder's", false, true,
       share_text(&ShareOptions::member)},
      {"fleet", "URL", kFleet, "The NATS server (with JetStream) over which processes exchange links", false,
       false, text(&O::fleet)},
      {"fleet-name", "NAME", kFleet, "Which crawl on that server", false, false, text(&O::fleet_name)},
      {"coordination", "KIND", kFleet,
       "static: processes hold equal parts; dynamic: the fleet's coordinator moves parts to where there is "
       "less work",
       false, false, text(&O::coordination)},
      {"lease", "TIME", kFleet, "A process that is not heard of for so long has lost its part of the crawl",
       false, false, seconds(&O::lease_s)},

      {"warc", "KIND", kStore, "How the archive is compressed: none, gzip, zstd", false, true,
       text(&O::warc)},
      {"warc-size", "BYTES", kStore, "A new archive file is begun beyond this", false, false,
       bytes(&O::warc_bytes)},
      {"terms", "", kStore,
       "Keep the words of pages and links, so that the lab can be asked for any topic; on with --topic",
       false, true, flag(&O::terms)},
      {"memory", "BYTES", kStore,
       "What the process may take in memory, whatever the Web does: what does not fit goes to disk, and in "
       "the end new "
       "URLs are turned away and counted. 0: no limit",
       false, false, bytes(&O::memory)},
      {"url-memory", "BYTES", kStore,
       "What fingerprints of known URLs may take in memory; the others are on disk. Default: three eighths "
       "of what --memory has beyond 64 MiB",
       false, false, bytes(&O::url_memory)},
      {"store-errors", "", kStore, "Keep answers such as 404 and 503 in the archive too", false, false,
       flag(&O::store_errors)},
      {"parsers", "N", kStore, "Threads that read pages; 0: the crawl's own", false, false,
       count(&O::parsers)},
      {"queue-memory", "BYTES", kStore,
       "What the queue may take in memory; its worst part goes to disk beyond that. Default: an eighth of "
       "--memory",
       false, false, bytes(&O::queue_memory)},
      {"graph-memory", "BYTES", kStore,
       "What the links that an ordering keeps (lipr, batch-pagerank, partial-pagerank) may take in memory; "
       "the "
       "older ones go to disk beyond that. Default: a sixteenth of --memory",
       false, false, bytes(&O::graph_memory)},
      {"commit", "TIME", kStore, "How often everything is made safe, at least", false, false,
       seconds(&O::commit_s)},
      {"durable", "", kStore, "Ask the disk to keep each commit (off: as fast as the page cache)", false,
       false, flag(&O::durable)},
  };
}

const CrawlOptionRow* find_row(std::string_view name) {
  for (const CrawlOptionRow& row : crawl_option_table()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// A value as the command line would give it; nullopt where it is no plain value.
std::optional<std::string> plain_value(const toml::node& node) {
  if (const auto value = node.value_exact<std::string>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return fmt::format("{}", *value);
  if (const auto value = node.value_exact<double>()) return fmt::format("{}", *value);
  if (const auto value = node.value_exact<bool>()) return *value ? "true" : "false";
  return std::nullopt;
}

class TomlReader {
 public:
  TomlReader(const std::string& name, CrawlOptions& options) : name_(name), options_(options) {}

  Status read(const toml::table& table) {
    for (const auto& [key, node] : table) {
      const std::string word(key.str());
      if (word == "seeds") {
        each(node, [&](const std::string& value) {
          options_.seeds.push_back(value);
          return Status();
        });
        continue;
      }
      const CrawlOptionRow* const row = find_row(word);
      if (row == nullptr) {
        std::vector<std::string> names = {"seeds"};
        for (const CrawlOptionRow& known : crawl_option_table()) names.emplace_back(known.name);
        complain(key.source(), fmt::format("unknown key '{}'{}", word, did_you_mean(word, names)));
      } else if (node.is_array() && !row->many && row->name != "types") {
        complain(node.source(), fmt::format("'{}' takes one value", word));
      } else {
        each(node, [&](const std::string& value) { return row->set(options_, value); });
      }
    }
    if (complaints_.empty()) return {};
    return Error{fmt::format("{}", fmt::join(complaints_, "\n"))};
  }

 private:
  template <typename Take>
  void each(const toml::node& node, Take take) {
    if (const toml::array* const items = node.as_array()) {
      for (const toml::node& item : *items) one(item, take);
    } else {
      one(node, take);
    }
  }
  template <typename Take>
  void one(const toml::node& node, Take& take) {
    const auto value = plain_value(node);
    const Status status = value ? take(*value) : error("a text, a number, true or false is expected");
    if (!status.ok()) complain(node.source(), status.error().text);
  }
  void complain(const toml::source_region& at, const std::string& what) {
    complaints_.push_back(fmt::format("{}:{}:{}: {}", name_, at.begin.line, at.begin.column, what));
  }

  const std::string& name_;
  CrawlOptions& options_;
  std::vector<std::string> complaints_;
};

}  // namespace

std::span<const CrawlOptionRow> crawl_option_table() {
  static const std::vector<CrawlOptionRow> table = make_table();
  return table;
}

Status read_crawl_options(std::string_view toml_text, const std::string& name, CrawlOptions& options) {
  const toml::parse_result parsed_text = toml::parse(toml_text);
  if (!parsed_text) {
    const toml::parse_error& e = parsed_text.error();
    return error("{}:{}:{}: {}", name, e.source().begin.line, e.source().begin.column, e.description());
  }
  return TomlReader(name, options).read(parsed_text.table());
}

Result<double> parse_seconds(std::string_view text) {
  double unit = 1;
  std::string_view number = text;
  if (!number.empty()) {
    constexpr std::string_view kUnits = "smhd";
    constexpr double kSeconds[] = {1, 60, 3600, 86400};
    if (const std::size_t at = kUnits.find(number.back()); at != kUnits.npos) {
      unit = kSeconds[at];
      number.remove_suffix(1);
      if (number.ends_with('m') && unit == 1) {  // "ms"
        unit = 0.001;
        number.remove_suffix(1);
      }
    }
  }
  const auto value = parse_number(number);
  if (!value.ok() || *value < 0 || *value > 1e9) {
    return error("'{}' is not a time such as 90, 0.5s, 10m, 2h or 1d", text);
  }
  return *value * unit;
}

}  // namespace bowerbird
