#include "crawl/hosts.h"

#include <algorithm>

#include "url/site.h"

namespace bowerbird {

namespace {

// Nobody outside the user's own networks is asked faster than this, whatever the options say.
constexpr Time kLeastDelay = 250;
constexpr Time kMostCrawlDelay = 3'600'000;

}  // namespace

std::string_view host_end_text(HostEnd end) {
  switch (end) {
    case HostEnd::kNone:
      return "open";
    case HostEnd::kBudget:
      return "its budget of pages is used up";
    case HostEnd::kDomainBudget:
      return "its domain's budget of pages is used up";
    case HostEnd::kNearDuplicates:
      return "most of its pages are nearly the same";
    case HostEnd::kUnreachable:
      return "it could not be reached again and again";
  }
  return "";
}

HostId HostTable::intern(std::string_view name) {
  std::string key(name);
  const auto [found, fresh] = ids_.try_emplace(std::move(key), static_cast<HostId>(hosts_.size()));
  if (!fresh) return found->second;
  Host host;
  host.name = name;
  const std::string site = site_of_host(name);
  const auto [place, unused] = site_ids_.try_emplace(site, static_cast<std::uint32_t>(sites_.size()));
  host.site = place->second;
  if (host.site == sites_.size()) sites_.push_back({site, 0, 0});
  hosts_.push_back(std::move(host));
  return found->second;
}

HostId HostTable::find(std::string_view name) const {
  const auto found = ids_.find(std::string(name));
  return found == ids_.end() ? kNoHost : found->second;
}

std::uint32_t HostTable::address_id(const NetAddress& address) {
  const auto [found, fresh] =
      address_ids_.try_emplace(address, static_cast<std::uint32_t>(addresses_.size()));
  if (fresh) addresses_.push_back({address, 0});
  return found->second;
}

void HostTable::set_address(HostId id, const NetAddress& address, bool own) {
  hosts_[id].address = address_id(address);
  hosts_[id].own = own;
  hosts_[id].resolved = true;
}

// Hurry is for one's own network alone.
Time HostTable::interval(const Host& host, Time wanted) const {
  if (host.own) return options_.delay_ms == 0 ? 0 : wanted;
  return wanted;
}

Time HostTable::delay(const Host& host) const {
  Time delay = options_.delay_ms;
  if (host.robots != nullptr) {
    if (const auto asked = host.robots->crawl_delay()) {
      delay = std::max(delay, std::min(kMostCrawlDelay, static_cast<Time>(*asked * 1000)));
    }
  }
  if (host.own && options_.delay_ms == 0) return delay;
  const Time adapted = std::min(options_.max_delay_ms, static_cast<Time>(options_.adapt * host.answer_ms));
  delay = std::max(delay, adapted);
  return host.own ? delay : std::max(delay, kLeastDelay);
}

Time HostTable::own_gate(HostId id) const {
  const Host& host = hosts_[id];
  // Pages of a host that was given up are let through, to be told so.
  if (host.closed == static_cast<std::uint8_t>(HostEnd::kUnreachable)) return 0;
  if (host.closed != 0 || host.preparing) return kNever;
  const std::uint32_t most = host.own ? options_.per_host : 1;
  return host.active >= most ? kNever : host.opens;
}

Time HostTable::earliest(HostId id) const {
  return std::max(own_gate(id), earliest_start(id));
}

Time HostTable::earliest_start(HostId id) const {
  const Host& host = hosts_[id];
  if (host.active >= (host.own ? options_.per_host : 1)) return kNever;
  Time at = std::max(host.opens, sites_[host.site].opens);
  if (host.address != Host::kNoAddress) at = std::max(at, addresses_[host.address].opens);
  return at;
}

std::vector<SharedGate> HostTable::shared_gates(HostId id, Partitioning partitioning) const {
  const Host& host = hosts_[id];
  std::vector<SharedGate> gates;
  const auto add = [&gates](std::string name, Time wait) {
    if (wait > 0) gates.push_back({std::move(name), wait});
  };
  if (partitioning == Partitioning::kUrlHash) add("host " + host.name, delay(host));
  if (partitioning == Partitioning::kUrlHash || partitioning == Partitioning::kHostHash) {
    add("domain " + sites_[host.site].name, interval(host, options_.domain_ms));
  }
  if (host.address != Host::kNoAddress) {
    add("ip " + addresses_[host.address].address.text(), interval(host, options_.ip_ms));
  }
  return gates;
}

void HostTable::started(HostId id, Time now) {
  Host& host = hosts_[id];
  if (host.active++ == 0) ++active_;
  const auto close = [now](Time& opens, Time wait) {
    if (wait > 0) opens = std::max(opens, now + wait);
  };
  close(host.opens, delay(host));
  close(sites_[host.site].opens, interval(host, options_.domain_ms));
  if (host.address != Host::kNoAddress) close(addresses_[host.address].opens, interval(host, options_.ip_ms));
}

void HostTable::ended(HostId id, Time answer_ms) {
  Host& host = hosts_[id];
  if (--host.active == 0) --active_;
  const auto measured = static_cast<float>(std::max<Time>(0, answer_ms));
  host.answer_ms = host.answer_ms == 0 ? measured : 0.75f * host.answer_ms + 0.25f * measured;
}

void HostTable::back_off(HostId id, Time until) {
  hosts_[id].opens = std::max(hosts_[id].opens, until);
}

std::uint64_t HostTable::bytes() const {
  std::uint64_t sum = hosts_.capacity() * sizeof(Host) + sites_.capacity() * sizeof(Site);
  for (const Host& host : hosts_)
    sum += 2 * host.name.size() + 160 + (host.robots ? host.robots->memory() : 0);
  return sum;
}

void HostTable::save_host(HostId id, ByteWriter& out) const {
  const Host& host = hosts_[id];
  out.put(host.opens);
  out.put(host.failures);
  out.put(host.answer_ms);
  out.put(host.pages);
  out.put(host.judged);
  out.put(host.near);
  out.put(sites_[host.site].opens);
  out.put(sites_[host.site].pages);
  const bool known = host.address != Host::kNoAddress;
  out.put<std::uint8_t>(known ? 1 : 0);
  if (!known) return;
  const Address& address = addresses_[host.address];
  out.put<std::uint8_t>(address.address.v6 ? 1 : 0);
  out.put(address.address.bytes);
  out.put(address.opens);
}

void HostTable::load_host(HostId id, ByteReader& in) {
  Host& host = hosts_[id];
  in.get(host.opens);
  in.get(host.failures);
  in.get(host.answer_ms);
  in.get(host.pages);
  in.get(host.judged);
  in.get(host.near);
  Site& site = sites_[host.site];
  in.get(site.opens);
  in.get(site.pages);
  if (in.get<std::uint8_t>() == 0) return;
  NetAddress address;
  address.v6 = in.get<std::uint8_t>() != 0;
  in.get(address.bytes);
  const auto opens = in.get<Time>();
  if (!in.ok()) return;
  host.address = address_id(address);
  addresses_[host.address].opens = std::max(addresses_[host.address].opens, opens);
}

}  // namespace bowerbird
