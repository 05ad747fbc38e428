// The hosts of a crawl: what each allows, how fast it answers, when it may be asked again.
//
// Problem: politeness is kept for three things at once: a host, the address behind it, the registrable domain
// it belongs to. Each has a gate, the earliest time of the next start of a request; the host's also waits for
// its requests under way. A host with several addresses waits for all of them, since a connection may go to
// any. Hosts that no URL of the crawl names, but to which a robots.txt redirects, have gates too. After a
// resume every gate waits its full delay from then on: what was asked just before a kill is not known.
// Times are the crawl's, in milliseconds, and never run backwards. Hosts are numbered densely, in the order
// in which their first URL came.
//
// With a folder, memory is for the hosts that something happens to; the others are evicted to a spill file
// (host_spill.h), and what remains of them is 8 bytes and the fingerprint of the name, which may be on disk
// too (known_urls.h). A reference to a host is valid until tidy() is called. If a host cannot be read from
// the spill file, status() is an error and the crawl must end: the next run rebuilds the file from the
// journal. Threads: one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/keyed_hash.h"
#include "crawl/judge/outcome_table.h"
#include "crawl/judge/site_rules.h"
#include "crawl/state/host_spill.h"
#include "fetch/fetcher.h"
#include "fetch/net_address.h"
#include "frontier/off_queue.h"
#include "parse/robots.h"
#include "store/known_urls.h"
#include "url/partition.h"

namespace bowerbird {

// No time: a gate that opens when something happens, not at a moment.
inline constexpr Time kNoTime = Time{1} << 62;

// A host whose robots.txt asks for more between two requests is not crawled.
inline constexpr Time kMostCrawlDelay = 86'400'000;

// Nobody outside the user's own networks is asked faster than this, whatever the options say; in ms.
inline constexpr Time kLeastDelay = 250;

// Between requests to one address or one domain, unless an option says otherwise; in ms.
inline constexpr Time kSharedDelay = 500;
inline constexpr double kDefaultAdapt = 2;

// The robots.txt of an origin: a scheme, host and port (RFC 9309, section 2.3).
struct OriginRules {
  std::shared_ptr<const RobotsRules> rules;  // null: not known
  Time until = 0;                            // then they are asked for again
  bool reached = true;                       // false: it could not be read, so nothing is allowed
  // To read it, in a row and in this run: a resumed crawl counts anew, since the network may be another.
  std::uint32_t failures = 0;

  bool hold(Time now) const { return rules != nullptr && until > now; }
};

struct Host {
  std::string name;                   // with the port where it is not the scheme's own
  std::uint64_t site = 0;             // keyed hash of its registrable domain
  std::vector<NetAddress> addresses;  // all that a connection may go to
  Time addresses_until = 0;           // then the name is looked up again
  bool own = false;                   // of a network that the user has named
  bool preparing = false;             // its addresses or its rules are being asked for
  bool delivered = false;             // it has answered a request for a page

  std::array<OriginRules, 2> origins;  // of http, of https; all else is the host's

  Time opens = 0;                            // of the host's own gate
  std::uint32_t active = 0;                  // requests under way
  std::uint32_t failures = 0;                // in a row, of the host's own making
  float answer_ms = 0;                       // smoothed time to answer
  std::uint32_t pages = 0;                   // fetched
  std::uint32_t judged = 0;                  // of those, looked at for near-duplicates
  std::uint32_t near = 0;                    // of those, nearly the same as another page
  std::uint8_t closed = 0;                   // HostEnd: no more pages of it
  Outcome trouble = Outcome::kNoConnection;  // the last of its own
  Time gate = 0;                             // what the frontier was told last
  mutable bool used = true;                  // since tidy() last looked
  std::optional<Time> site_delay;            // of a [[site]] table, as are the next two
  std::uint32_t site_connections = 0;
  std::optional<std::uint64_t> site_pages;  // of the same: most pages of the host

  bool idle() const { return active == 0 && !preparing; }
  bool resolved(Time now) const { return addresses_until > now; }
};

// "example.org: no such host": the last failure of the host's own.
std::string host_trouble_text(const Host& host);

// Why no more pages of a host are fetched in this run.
enum class HostEnd : std::uint8_t {
  kNone,
  kBudget,
  kDomainBudget,
  kNearDuplicates,
  kUnreachable,
  kCrawlDelay
};
inline constexpr std::size_t kHostEnds = 6;
std::string_view host_end_text(HostEnd end);

struct PolitenessOptions {
  Time delay_ms = 1000;
  std::optional<Time> ip_ms;      // none: kSharedDelay, and no more than delay_ms for the user's own hosts
  std::optional<Time> domain_ms;  // likewise
  bool address_gates = true;      // false: all hosts have one address
  Time max_delay_ms = 30'000;
  std::optional<double> adapt;       // none: kDefaultAdapt, and 0 for the user's own hosts without a delay
  std::optional<Time> requisite_ms;  // after a requisite of the user's own hosts; none: as after a page
  std::uint32_t per_host = 1;
  std::shared_ptr<const SiteRules> sites;  // may have other delays and connections for some hosts; or null
};

struct HostTableOptions {
  std::string folder;        // for what is not in memory; empty: everything is
  std::uint64_t memory = 0;  // about; half of it for names. 0: no limit
};

// Something that several processes may ask, and how long it is to be left alone between two requests.
struct SharedGate {
  std::string name;  // "ip 192.0.2.1"
  Time interval_ms = 0;
};

class HostTable {
 public:
  explicit HostTable(const PolitenessOptions& options, const HostTableOptions& storage = {});
  HostTable(const HostTable&) = delete;
  HostTable& operator=(const HostTable&) = delete;

  // The id of a host, new if need be.
  HostId intern(std::string_view name);
  HostId find(std::string_view name) const;  // or kNoHost
  Host& operator[](HostId id) { return host(id); }
  const Host& operator[](HostId id) const { return host(id); }
  HostId size() const { return ids_.size(); }
  // Hosts with requests under way.
  std::uint64_t active() const { return active_; }
  std::uint32_t& site_pages(const Host& host) { return sites_[host.site].pages; }
  // The host of that name, whether the crawl has a URL of it or not. Valid until tidy() or intern().
  Host& any_host(const std::string& name);

  // Delays from here on.
  void set_politeness(const PolitenessOptions& options) { options_ = options; }
  void set_addresses(Host& host, std::vector<NetAddress> addresses, Time until, bool own) const;

  // All gates were closed at `now`, with nothing known of the requests before.
  void resume_at(Time now) { now_ = resumed_at_ = now; }
  // Between the starts of two requests to the host.
  Time delay(const Host& host) const;
  // What its robots.txt asks for.
  static Time crawl_delay(const Host& host);
  // The longer of both.
  Time interval(const Host& host) const { return std::max(delay(host), crawl_delay(host)); }
  // When the next request to the host may start, all gates considered; kNoTime while its connections are in
  // use.
  Time earliest(HostId id) const;
  // The gate that keeps the host from being asked before earliest(); kOwnGate if it is its own.
  SharedGateId closed_gate(HostId id) const;
  // The same as earliest() for a request that the host's being closed or prepared does not concern.
  Time earliest_start(const Host& host) const;
  // What of the host's gates processes share that do not hold the host, or not its domain, together.
  std::vector<SharedGate> shared_gates(const Host& host, Partitioning partitioning) const;
  // The host's own gate alone.
  Time own_gate(HostId id) const;
  // A request starts now, for a page or for a requisite.
  void started(Host& host, Time now, bool requisite = false);
  // A request has ended. Without an answer the host's response time cannot become shorter.
  void ended(Host& host, Time answer_ms, bool answered = true);
  void ended(Host& host, const FetchOutcome& fetch);
  // No request starts before `until`.
  void back_off(HostId id, Time until);
  // What a restart needs to know of the host has changed.
  void mark_changed(HostId id);
  std::vector<HostId> take_changed();

  // Puts away what has not been used lately, where there is too much. Called now and then. Hosts are looked
  // through only when a quarter of them may have changed, so that the cost per use of a host is constant.
  void tidy(Time now);
  // In memory, and on disk; as of the last tidy().
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t disk() const { return spill_ ? spill_->disk() + ids_.counts().disk : 0; }
  bool is_in_memory(HostId id) const { return resident_.contains(id); }
  // A copy of a host that is not in memory, which stays on disk; none: it cannot be read.
  std::optional<Host> evicted(HostId id) const;
  // Hosts that are in memory.
  std::uint64_t in_memory() const { return resident_.size(); }
  // What went wrong with the spill file since the last call.
  std::vector<std::string> take_troubles();
  // An error: a host could not be read.
  const Status& status() const { return status_; }

  // Everything that a restart needs to know: of hosts that were ever dealt with. To be loaded into a table
  // that knows the same names.
  void save(ByteWriter& out) const;
  Status load(ByteReader& in, Time now);
  // Hosts whose gate, or what the frontier was told of it, is closed.
  std::vector<HostId> with_gates(Time now) const;
  // What politeness needs to know after a restart, of one host. Its address is kept for the address's gate
  // alone: the name is asked for anew, since both it and what the user allows may have changed.
  void save_host(HostId id, ByteWriter& out) const;
  void load_host(HostId id, ByteReader& in);

 private:
  struct Site {
    Time opens = 0;
    std::uint32_t pages = 0;
  };
  Host& host(HostId id) const;
  // What the options say about the host of this name.
  void place(Host& host, std::string_view name) const;
  Time asked_delay(const Host& host) const { return host.site_delay.value_or(options_.delay_ms); }
  static std::uint64_t site_id(std::string_view name);
  Time own_gate(const Host& host) const;
  bool at_limit(const Host& host) const;
  Time since_resume(Time wait) const { return resumed_at_ > 0 && wait > 0 ? resumed_at_ + wait : 0; }
  Site site(const Host& host) const;
  void put_state(const Host& host, ByteWriter& out) const;
  void get_state(Host& host, ByteReader& in) const;
  // The records of hosts that something has happened to and that are not in memory.
  void for_each_evicted(const std::function<void(HostId, std::string_view record)>& visit) const;
  void evict_idle();
  Time shared_delay(const Host& host, std::optional<Time> asked) const;
  Time address_delay(const Host& host) const;
  Time domain_opens(const Host& host) const;
  Time address_opens(const Host& host, const NetAddress& address) const;
  Time address_opens(const NetAddress& address) const;
  void put_away(HostId id, const Host& host) const;
  std::string packed(const Host& host) const;
  bool unpack(std::string_view record, Host& host) const;
  static std::uint64_t bytes_of(const Host& host);
  void fail(const Error& error) const;
  void note_trouble(const Error& error) const;

  // Reading may wake a host up.
  PolitenessOptions options_;
  HostTableOptions storage_;
  mutable KnownUrls ids_;
  mutable std::unique_ptr<HostSpill> spill_;  // null: everything is in memory
  mutable std::unordered_map<HostId, Host> resident_;
  mutable std::unordered_map<std::uint64_t, Site> sites_;
  mutable std::map<NetAddress, Time> addresses_;                      // when they open
  std::unordered_map<std::string, Host, KeyedStringHash> strangers_;  // hosts without a URL of the crawl
  std::vector<HostId> changed_;
  std::vector<bool> is_changed_;
  Time now_ = 0;  // the latest that tidy() was told; earlier gates need not be remembered
  Time resumed_at_ = 0;
  mutable Status status_;
  mutable std::vector<std::string> troubles_;
  mutable std::uint64_t uses_ = 0;    // of hosts, since they were last looked through
  std::uint64_t resident_bytes_ = 0;  // as of then
  std::size_t forget_at_ = 1024;
  std::uint64_t active_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace bowerbird
