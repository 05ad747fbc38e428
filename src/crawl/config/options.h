// What the user asked for: the options of a crawl, grouped by subject.
//
// option_table.h has a row for each option. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "crawl/config/request_fields.h"
#include "crawl/judge/scope.h"
#include "crawl/judge/site_rules.h"
#include "fleet/batch/fleet_state.h"
#include "sys/stream.h"

namespace bowerbird {

inline constexpr std::uint64_t kAnyDepth = ~std::uint64_t{0};

// What happens to hosts whose certificate cannot be verified.
enum class CertificateErrors : std::uint8_t { kRefuse, kRecord };

// How the processes of a fleet divide the partitions.
enum class FleetCoordination : std::uint8_t {
  kStatic,   // equal shares
  kDynamic,  // the coordinator moves partitions to where there is less work
};

// Where a process of a fleet keeps a copy of its state.
enum class StateReplication : std::uint8_t {
  kBroker,  // in a log on the NATS server
  kNone,
};

// Whether cookies that hosts set are kept and sent back.
enum class CookieMode : std::uint8_t {
  kAuto,  // if all seeds are on one host and the scope is host or prefix
  kOn,
  kOff,
};

// The importance that a refresh policy uses.
enum class RefreshImportance : std::uint8_t {
  kAuto,       // as kPageRank; kBacklinks in large crawls whose ordering computes no ranks
  kPageRank,   // PageRank of the links seen; in large crawls the ranks of the ordering, if it computes any
  kBacklinks,  // 1 + links seen
  kEqual,
};

struct CrawlOptions {
  std::string out;                    // the folder of the crawl
  std::uint64_t parsers = 1;          // threads that parse pages; 0: the crawl's own thread
  std::uint64_t network_threads = 2;  // threads that fetch; 0: the crawl's own thread

  struct Start {
    std::vector<std::string> seeds;
    std::string seeds_file;
    bool skip_bad_seeds = false;
    std::vector<std::string> sitemaps;
  } start;

  struct Identity {
    std::string contact;
    std::string user_agent;
  } identity;

  struct Order {
    std::string policy = "auto";  // chosen when the crawl begins (policy_choice.h)
    std::string strategy = "all";
    std::uint64_t random_seed = 1;
    std::uint64_t expected_pages = 0;
    std::string topic;    // words; empty: none
    double topic_at = 0;  // pages from this similarity on are on topic; 0: by title and number of words
  } order;

  ScopeOptions scope;
  struct Selection {
    std::vector<std::string> types = {"html"};
    bool requisites = false;
    std::uint64_t requisites_per_page = 500;
    std::uint64_t requisite_bytes = std::uint64_t{100} << 20;  // of a page
    bool traps = true;
    bool follow_sitemaps = true;
    std::vector<std::string> links_from;  // page_filter.h
    std::vector<std::string> keep;        // page_filter.h
  } selection;
  std::vector<SiteSettings> sites;  // [[site]] tables

  struct Politeness {
    Seconds delay{1};
    // Without a value: 0.5 s, and at most `delay` for hosts of allow_net. delay_ip is 0 with connect_to,
    // since all hosts of a test server have one address.
    std::optional<Seconds> delay_ip;
    std::optional<Seconds> delay_domain;
    Seconds max_delay{30};
    // The delay is at least this factor times the host's response time. Without a value: 2, and 0 for hosts
    // of allow_net if `delay` is 0.
    std::optional<double> adapt;
    std::optional<Seconds>
        requisite_delay;  // after a requisite, for hosts of allow_net; none: as after a page
    std::uint64_t connections = 256;
    std::uint64_t connections_per_host = 1;
    std::uint64_t bandwidth = 0;  // bytes per second
    double patience = 1;          // factor for the waits of the outcome table
  } politeness;

  struct Network {
    std::vector<std::string> allow_net;
    std::string connect_to;
    std::string proxy;
    std::string dns_servers;
    std::string certificates;
    std::string crl;
    CertificateErrors certificate_errors = CertificateErrors::kRefuse;
    std::vector<std::string> headers;  // request_fields.h
    std::vector<std::string> cookies;
    std::vector<std::string> auth;
    CookieMode cookie_jar = CookieMode::kAuto;
    std::string cookie_file;  // cookies to begin with
    bool http2 = false;       // also where HTTP/1.1 would do
  } network;

  struct Fetch {  // limits of one fetch
    Seconds timeout{120};
    Seconds connect_timeout{15};
    std::uint64_t max_body = std::uint64_t{10} << 20;
    std::uint64_t max_decoded = std::uint64_t{32} << 20;
    std::uint64_t max_head = std::uint64_t{64} << 10;
    std::uint64_t redirects = 10;
  } fetch;

  struct Budget {  // 0: none
    std::uint64_t pages = 0;
    std::uint64_t bytes = 0;
    Seconds time{0};
    std::uint64_t depth = kAnyDepth;  // links from a seed; 0: the seeds alone
    std::uint64_t pages_per_host = 0;
    std::uint64_t pages_per_domain = 0;
    double stop_at_importance = 0;
    bool bound = false;  // always with stop_at_importance
  } budget;

  struct Refresh {
    std::string policy = "none";      // which page is fetched again (policy/refresh_rules.h)
    bool forever = false;             // the crawl never ends by itself
    std::optional<double> rate;       // fetches of held pages per day; none: a thirtieth of the held pages
    double host_rate = 0;             // the same per host; 0: no limit
    Seconds shortest{3600};           // between two fetches of a page
    Seconds longest{90 * 86400};      // 0: none
    std::optional<double> least_new;  // minimum share of new pages in all fetches; none: see least_share()
    double most_new = 1;
    RefreshImportance importance = RefreshImportance::kAuto;
    bool numbers = false;   // a change of numbers alone counts as a change
    double time_scale = 1;  // factor by which refresh time is faster than the crawl's
    // One round (`bowerbird recrawl`): each page once, at most round_pages fetches. Not kept in
    // options.toml.
    bool round = false;
    std::uint64_t round_pages = 0;  // 0: no limit

    double least_share() const;
  } refresh;

  ParallelOptions parallel;
  struct Fleet {
    std::string url;  // nats://host:port
    std::string name = "crawl";
    FleetCoordination coordination = FleetCoordination::kStatic;
    Seconds lease{10};
    Seconds restart_within{600};
    StateReplication replicate_state = StateReplication::kBroker;
  } fleet;

  struct Storage {
    Compression warc = Compression::kGzip;
    std::uint64_t warc_bytes = std::uint64_t{1} << 30;
    bool terms = false;              // keep the words of pages and links; always with a topic
    bool main_text = false;          // keep the main text of pages
    bool errors = true;              // keep responses such as 404 and 503
    bool robots = true;              // keep robots.txt and DNS answers
    std::vector<std::string> dedup;  // other archives whose payloads are not stored again
    bool report = true;              // write a report at the end
    bool durable = true;
    Seconds commit{1};
  } storage;

  struct Log {
    std::string file;  // "-": stderr; empty: none
    bool json = false;
    std::string level = "info";
    std::uint64_t bytes = std::uint64_t{16} << 20;  // of a file before it is rotated
  } log;

  struct Listen {                    // the live page (control/listen.h)
    std::string address;             // HOST:PORT; empty: no port is open
    std::vector<std::string> names;  // further host names of this server
    std::string token_file;
    std::string read_token_file;
    std::string certificate;
    std::string key;
  } listen;

  struct Memory {
    std::uint64_t budget = 0;  // of the process; 0: none
    std::uint64_t urls = 0;    // known URLs; 0: a share of the budget
    std::uint64_t queue = 0;   // 0: a share of the budget
    std::uint64_t graph = 0;   // the ordering's growing graph; 0: a share of the budget
  } memory;
};

// Sets the options that the TOML text names, and returns their names. An error lists every mistake with
// its position. name: of the file.
Result<std::vector<std::string>> read_crawl_options(std::string_view toml, const std::string& name,
                                                    CrawlOptions& options);
// The options that differ from their defaults, for the next run in the same folder.
std::string write_crawl_options(const CrawlOptions& options);
// The same without secrets, to be shown.
std::string shown_crawl_options(const CrawlOptions& options);
// Checks that the options fit together. An error lists every mistake.
Status check_crawl_options(const CrawlOptions& options);

// Whether the requisites of some page are fetched.
bool wants_requisites(const CrawlOptions& options);
// The options of the fields that are added to requests.
RequestFieldOptions request_fields_of(const CrawlOptions& options);

// Whether the options hold a password, a cookie or another secret.
bool has_secrets(const CrawlOptions& options);

// --forever implies a refresh policy.
void complete_refresh_options(CrawlOptions& options);

// Sets the mode and the name of this process in a fleet.
void complete_fleet_options(CrawlOptions& options);

// Whether the text contains a mail address or a URL.
bool names_a_contact(std::string_view text);

// The user agent that is sent: the given one, or one with the contact.
std::string user_agent_of(const CrawlOptions& options);
// Our name in robots.txt.
std::string robots_token_of(const CrawlOptions& options);
// The number of pages that orderings are told to expect.
std::uint64_t expected_pages_of(const CrawlOptions& options);
// Whether the crawl computes the RankMass bound.
bool keeps_bound(const CrawlOptions& options);
// Memory limit of the ordering's growing graph.
std::uint64_t graph_bytes_of(const CrawlOptions& options);

}  // namespace bowerbird
