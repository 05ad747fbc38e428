// The hosts of a crawl: what each allows, how fast it answers, when it may be asked again.
//
// Problem: politeness is kept for three things at once: a host, the address behind it, the registrable domain
// it belongs to. Each has a gate, the earliest time of the next start of a request; the host's also waits for
// its requests under way. Times are the crawl's, in milliseconds, and never run backwards. Hosts are numbered
// densely, in the order in which their first URL came. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "crawl/outcome_table.h"
#include "fetch/net_address.h"
#include "frontier/asides.h"
#include "parse/robots.h"
#include "url/partition.h"

namespace bowerbird {

// No time: a gate that opens when something happens, not at a moment.
inline constexpr Time kNever = Time{1} << 62;

enum class RobotsState : std::uint8_t { kUnknown, kAsking, kKnown };

struct Host {
  std::string name;  // with the port where it is not the scheme's own
  std::uint32_t site = 0;
  std::uint32_t address = kNoAddress;
  bool own = false;  // of a network that the user has named
  bool resolved = false;
  bool preparing = false;  // its address or its rules are being asked for

  RobotsState robots_state = RobotsState::kUnknown;
  bool robots_reached = true;  // false: unreachable, and so nothing is allowed
  std::shared_ptr<const RobotsRules> robots;
  Time robots_until = 0;

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

  static constexpr std::uint32_t kNoAddress = 0xffffffffu;
};

// Why no more pages of a host are fetched in this run.
enum class HostEnd : std::uint8_t { kNone, kBudget, kDomainBudget, kNearDuplicates, kUnreachable };
std::string_view host_end_text(HostEnd end);

struct PolitenessOptions {
  Time delay_ms = 1000;
  Time ip_ms = 500;
  Time domain_ms = 500;
  Time max_delay_ms = 30'000;
  double adapt = 2;
  std::uint32_t per_host = 1;
};

// Something that several processes may ask, and how long it is to be left alone between two requests.
struct SharedGate {
  std::string name;  // "ip 192.0.2.1"
  Time interval_ms = 0;
};

class HostTable {
 public:
  explicit HostTable(const PolitenessOptions& options) : options_(options) {}

  // The id of a host, new if need be.
  HostId intern(std::string_view name);
  HostId find(std::string_view name) const;  // or kNoHost
  Host& operator[](HostId id) { return hosts_[id]; }
  const Host& operator[](HostId id) const { return hosts_[id]; }
  HostId size() const { return static_cast<HostId>(hosts_.size()); }
  // Hosts with requests under way.
  std::uint64_t active() const { return active_; }
  std::uint32_t& site_pages(const Host& host) { return sites_[host.site].pages; }

  void set_address(HostId id, const NetAddress& address, bool own);

  // Between the starts of two requests to the host.
  Time delay(const Host& host) const;
  // When the next request to the host may start, all gates considered; kNever while its connections are in
  // use.
  Time earliest(HostId id) const;
  // The same for a request that the host's being closed or prepared does not concern.
  Time earliest_start(HostId id) const;
  // What of the host's gates processes share that do not hold the host, or not its domain, together.
  std::vector<SharedGate> shared_gates(HostId id, Partitioning partitioning) const;
  // The host's own gate alone.
  Time own_gate(HostId id) const;
  // A request starts now.
  void started(HostId id, Time now);
  // A request has ended after `answer_ms`.
  void ended(HostId id, Time answer_ms);
  // The host is left alone until `until`.
  void back_off(HostId id, Time until);

  std::uint64_t bytes() const;
  // What politeness needs to know after a restart, of one host. Its address is kept for the address's gate
  // alone: the name is asked for anew, since both it and what the user allows may have changed.
  void save_host(HostId id, ByteWriter& out) const;
  void load_host(HostId id, ByteReader& in);

 private:
  struct Site {
    std::string name;
    Time opens = 0;
    std::uint32_t pages = 0;
  };
  struct Address {
    NetAddress address;
    Time opens = 0;
  };
  Time interval(const Host& host, Time wanted) const;
  std::uint32_t address_id(const NetAddress& address);

  PolitenessOptions options_;
  std::vector<Host> hosts_;
  std::unordered_map<std::string, HostId> ids_;
  std::vector<Site> sites_;
  std::unordered_map<std::string, std::uint32_t> site_ids_;
  std::vector<Address> addresses_;
  std::map<NetAddress, std::uint32_t> address_ids_;
  std::uint64_t active_ = 0;
};

}  // namespace bowerbird
