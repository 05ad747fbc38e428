// The hosts of a crawl: their robots.txt rules, response times, and when each may be asked again.
//
// Problem: politeness has three units: a host, the address behind it, and its registrable domain. Each
// has a gate, the earliest time at which the next request may start. The host's gate also waits for its
// requests in flight. A host with several addresses waits for all of them, since a connection may go to
// any. Hosts that are only the target of a robots.txt redirect have gates too. After a resume every gate
// waits for its full delay: requests just before a kill are unknown. Host ids are dense, in the order of
// the hosts' first URLs.
//
// With a folder, only active hosts are in memory. The others are evicted to a spill file (host_spill.h);
// 8 bytes and the fingerprint of the name remain, and fingerprints may be on disk too (known_urls.h). A
// reference to a host is valid until tidy() is called. If a host cannot be read from the spill file,
// status() is an error and the crawl must end: the next run rebuilds the file from the journal. Threads:
// one.
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
#include "base/time.h"
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

// A host whose robots.txt sets a longer Crawl-delay is not crawled.
inline constexpr Duration kMostCrawlDelay = 24h;

// The minimum delay outside the user's own networks, whatever the options say.
inline constexpr Duration kLeastDelay = 250ms;

// The default delay between requests to one address or one domain.
inline constexpr Duration kSharedDelay = 500ms;
inline constexpr double kDefaultAdapt = 2;

// The robots.txt of an origin: a scheme, host and port (RFC 9309, section 2.3).
struct OriginRules {
  std::shared_ptr<const RobotsRules> rules;  // null: not known
  Time until{};                              // when they expire
  bool reached = true;                       // false: robots.txt could not be read, so nothing is allowed
  // Failures to read it in a row in this run. A resumed crawl starts at 0: the network may have changed.
  std::uint32_t failures = 0;

  // Whether the rules are known and have not expired.
  bool is_known(Time now) const { return rules != nullptr && until > now; }
};

struct Host {
  std::string name;                   // with the port if it is not the default
  std::uint64_t site = 0;             // keyed hash of its registrable domain
  std::vector<NetAddress> addresses;  // a connection may go to any of them
  Time addresses_until{};             // when they expire
  bool own = false;                   // in one of the user's own networks
  bool preparing = false;             // its addresses or rules are being requested
  bool delivered = false;             // it has responded to a request for a page

  std::array<OriginRules, 2> origins;  // rules for http and https; everything else is per host

  Time opens{};                              // the host's own gate
  std::uint32_t active = 0;                  // requests in flight
  std::uint32_t failures = 0;                // in a row, caused by the host
  float answer_ms = 0;                       // smoothed response time
  std::uint32_t pages = 0;                   // fetched
  std::uint32_t compared = 0;                // pages whose text was compared with others
  std::uint32_t near_duplicates = 0;         // of those
  std::uint8_t closed = 0;                   // a HostEnd: why no more pages are fetched
  Outcome trouble = Outcome::kNoConnection;  // the last failure that the host caused
  Time gate{};                               // when its gate opens, as the frontier knows it
  mutable bool used = true;                  // since the last tidy()
  std::optional<Duration> site_delay;        // of a [[site]] table, like the next two
  std::uint32_t site_connections = 0;
  std::optional<std::uint64_t> site_pages;  // page budget per host

  bool idle() const { return active == 0 && !preparing; }
  bool resolved(Time now) const { return addresses_until > now; }
};

// The last failure that the host caused: "example.org: no such host".
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
  Duration delay = 1s;
  std::optional<Duration> ip_delay;      // none: kSharedDelay, and at most `delay` in the user's own networks
  std::optional<Duration> domain_delay;  // likewise
  bool address_gates = true;             // false: all hosts have the same address
  Duration max_delay = 30s;
  std::optional<double> adapt;  // none: kDefaultAdapt, and 0 in the user's own networks without a delay
  // After a requisite, in the user's own networks; none: as after a page.
  std::optional<Duration> requisite_delay;
  std::uint32_t per_host = 1;
  std::shared_ptr<const SiteRules> sites;  // other delays and connections for some hosts; or null
};

struct HostTableOptions {
  std::string folder;        // where hosts are evicted to; empty: all stay in memory
  std::uint64_t memory = 0;  // approximate limit; half of it for names; 0: none
};

// A gate that several processes of a fleet share, and the delay between two requests.
struct SharedGate {
  std::string name;  // "ip 192.0.2.1"
  Duration interval{};
};

class HostTable {
 public:
  explicit HostTable(const PolitenessOptions& options, const HostTableOptions& storage = {});
  HostTable(const HostTable&) = delete;
  HostTable& operator=(const HostTable&) = delete;

  // The id of the host; a new id if it is unknown.
  HostId intern(std::string_view name);
  HostId find(std::string_view name) const;  // or kNoHost
  Host& operator[](HostId id) { return host(id); }
  const Host& operator[](HostId id) const { return host(id); }
  HostId size() const { return ids_.size(); }
  // Number of hosts with requests in flight.
  std::uint64_t active() const { return active_; }
  std::uint32_t& site_pages(const Host& host) { return sites_[host.site].pages; }
  // The host of this name, whether or not the crawl has a URL of it. Valid until tidy() or intern().
  Host& any_host(const std::string& name);

  // Replaces the delays.
  void set_politeness(const PolitenessOptions& options) { options_ = options; }
  void set_addresses(Host& host, std::vector<NetAddress> addresses, Time until, bool own) const;

  // A resume at `now`: all gates are closed from then on, since earlier requests are unknown.
  void resume_at(Time now) { now_ = resumed_at_ = now; }
  // The delay between the starts of two requests to the host.
  Duration delay(const Host& host) const;
  // Its Crawl-delay.
  static Duration crawl_delay(const Host& host);
  // The larger of both.
  Duration interval(const Host& host) const { return std::max(delay(host), crawl_delay(host)); }
  // When the next request to the host may start, by all gates; kNever while all its connections are in
  // use.
  Time earliest(HostId id) const;
  // The gate that decides earliest(); kOwnGate if it is the host's own.
  SharedGateId closed_gate(HostId id) const;
  // Like earliest(), for a request that may be sent although the host is closed or being prepared.
  Time earliest_start(const Host& host) const;
  // The host's gates that other processes share: those that the partitioning does not keep in one
  // process.
  std::vector<SharedGate> shared_gates(const Host& host, Partitioning partitioning) const;
  // The host's own gate alone.
  Time own_gate(HostId id) const;
  // A request starts now, for a page or a requisite.
  void started(Host& host, Time now, bool requisite = false);
  // A request has ended. Without a response, the host's response time cannot decrease.
  void ended(Host& host, Duration answer, bool answered = true);
  void ended(Host& host, const FetchOutcome& fetch);
  // No request starts before `until`.
  void back_off(HostId id, Time until);
  // Marks the host to be recorded: something that a restart needs has changed.
  void mark_changed(HostId id);
  std::vector<HostId> take_changed();

  // Evicts hosts that have not been used lately if memory is short. Called periodically. Hosts are only
  // scanned when a quarter of them may have changed, so that the cost per use of a host is constant.
  void tidy(Time now);
  // Bytes in memory and on disk, as of the last tidy().
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t disk() const { return spill_ ? spill_->disk() + ids_.counts().disk : 0; }
  bool is_in_memory(HostId id) const { return resident_.contains(id); }
  // A copy of an evicted host, which stays on disk; none: it cannot be read.
  std::optional<Host> evicted(HostId id) const;
  std::uint64_t in_memory() const { return resident_.size(); }
  // Errors of the spill file since the last call.
  std::vector<std::string> take_warnings();
  // An error: a host could not be read.
  const Status& status() const { return status_; }

  // Everything that a restart needs, for all hosts that were ever used. load() needs a table with the
  // same names.
  void save(ByteWriter& out) const;
  Status load(ByteReader& in, Time now);
  // Hosts whose gate is closed, or was closed when the frontier last heard of it.
  std::vector<HostId> with_gates(Time now) const;
  // What a restart needs, for one host. Its address is only kept for the gate of the address: the name is
  // looked up again, since the address and the user's networks may have changed.
  void save_host(HostId id, ByteWriter& out) const;
  void load_host(HostId id, ByteReader& in);

 private:
  struct Site {
    Time opens{};
    std::uint32_t pages = 0;
  };
  Host& host(HostId id) const;
  // Sets the fields of `host` that follow from its name and the options.
  void set_up(Host& host, std::string_view name) const;
  Duration asked_delay(const Host& host) const { return host.site_delay.value_or(options_.delay); }
  static std::uint64_t site_id(std::string_view name);
  Time own_gate(const Host& host) const;
  bool at_limit(const Host& host) const;
  Time since_resume(Duration wait) const {
    return resumed_at_ > Time{} && wait > 0ms ? resumed_at_ + wait : Time{};
  }
  Site site(const Host& host) const;
  void put_state(const Host& host, ByteWriter& out) const;
  void get_state(Host& host, ByteReader& in) const;
  // Visits the records of used hosts that are not in memory.
  void for_each_evicted(const std::function<void(HostId, std::string_view record)>& visit) const;
  void evict_idle();
  Duration shared_delay(const Host& host, std::optional<Duration> asked) const;
  Duration address_delay(const Host& host) const;
  Time domain_opens(const Host& host) const;
  Time address_opens(const Host& host, const NetAddress& address) const;
  Time address_opens(const NetAddress& address) const;
  void evict(HostId id, const Host& host) const;
  std::string packed(const Host& host) const;
  bool unpack(std::string_view record, Host& host) const;
  static std::uint64_t bytes_of(const Host& host);
  void fail(const Error& error) const;
  void add_warning(const Error& error) const;

  PolitenessOptions options_;
  HostTableOptions storage_;
  // Mutable, since reading a host may load it from disk.
  mutable KnownUrls ids_;
  mutable std::unique_ptr<HostSpill> spill_;  // null: everything is in memory
  mutable std::unordered_map<HostId, Host> resident_;
  mutable std::unordered_map<std::uint64_t, Site> sites_;
  mutable std::map<NetAddress, Time> addresses_;  // by address: when its gate opens
  std::unordered_map<std::string, Host, KeyedStringHash>
      targets_;  // of robots.txt redirects, without a URL of the crawl
  std::vector<HostId> changed_;
  std::vector<bool> is_changed_;
  Time now_{};  // latest time passed to tidy(); earlier gates may be forgotten
  Time resumed_at_{};
  mutable Status status_;
  mutable std::vector<std::string> warnings_;
  mutable std::uint64_t uses_ = 0;    // uses of hosts since the last scan
  std::uint64_t resident_bytes_ = 0;  // at the last scan
  std::size_t forget_at_ = 1024;
  std::uint64_t active_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace bowerbird
