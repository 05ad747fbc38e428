#include "crawl/state/hosts.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/keyed_hash.h"
#include "url/site.h"

namespace bowerbird {

namespace {

constexpr float kLongestAnswer = 1e9;  // ms

// The file may be forged.
Time sound_time(Time read) {
  return std::clamp(read, Time{}, kNever);
}

}  // namespace

std::string_view host_end_text(HostEnd end) {
  switch (end) {
    case HostEnd::kNone:
      return "open";
    case HostEnd::kBudget:
      return "its page budget is reached";
    case HostEnd::kDomainBudget:
      return "its domain's page budget is reached";
    case HostEnd::kNearDuplicates:
      return "most of its pages are near-duplicates";
    case HostEnd::kUnreachable:
      return "it could not be reached in several attempts";
    case HostEnd::kCrawlDelay:
      return "its robots.txt asks for more than a day between two requests";
  }
  return "";
}

// An outcome that is not the host's fault stops a host only if it is the outcome of robots.txt.
std::string host_trouble_text(const Host& host) {
  const OutcomeRule& rule = rule_of(host.trouble);
  return fmt::format("{}: {}{}", host.name, rule.blame == Blame::kPage ? "robots.txt: " : "", rule.what);
}

HostTable::HostTable(const PolitenessOptions& options, const HostTableOptions& storage)
    : options_(options),
      storage_(storage),
      ids_({storage.folder.empty() ? 0 : storage.memory / 2,
            storage.folder.empty() ? "" : storage.folder + "/names"}) {
  if (!storage_.folder.empty()) spill_ = std::make_unique<HostSpill>(storage_.folder + "/hosts");
  ids_.set_reread([this](PageId first, PageId end, const std::function<void(std::uint64_t)>& take) -> Status {
    for (HostId id = first; id < end; ++id) take(KnownUrls::fingerprint(host(id).name));
    return {};
  });
}

HostId HostTable::intern(std::string_view name) {
  const std::uint64_t fingerprint = KnownUrls::fingerprint(name);
  if (const HostId known = ids_.find(fingerprint); known != kNoPage) return known;
  const HostId id = ids_.add(fingerprint);
  Host fresh;
  set_up(fresh, name);
  if (const auto target = targets_.find(fresh.name); target != targets_.end()) {
    resident_.emplace(id, std::move(target->second));
    targets_.erase(target);
    mark_changed(id);
  } else if (spill_) {
    evict(id, fresh);
  } else {
    resident_.emplace(id, std::move(fresh));
    ++uses_;
  }
  return id;
}

void HostTable::set_up(Host& host, std::string_view name) const {
  host.name = name;
  host.site = site_id(name);
  if (options_.sites == nullptr) return;
  const SiteTables tables = options_.sites->tables_of_host(name);
  if (const auto delay = options_.sites->value(tables, &SiteSettings::delay))
    host.site_delay = rounded(*delay);
  host.site_pages = options_.sites->value(tables, &SiteSettings::pages_per_host);
  if (const auto limit = options_.sites->value(tables, &SiteSettings::connections))
    host.site_connections = static_cast<std::uint32_t>(std::min<std::uint64_t>(*limit, 1000));
}

std::uint64_t HostTable::site_id(std::string_view name) {
  return keyed_hash(site_of_host(name));
}

HostTable::Site HostTable::site(const Host& host) const {
  const auto found = sites_.find(host.site);
  return found == sites_.end() ? Site() : found->second;
}

Time HostTable::address_opens(const NetAddress& address) const {
  const auto found = addresses_.find(address);
  return found == addresses_.end() ? Time{} : found->second;
}

HostId HostTable::find(std::string_view name) const {
  const HostId found = ids_.find(KnownUrls::fingerprint(name));
  return found == kNoPage ? kNoHost : found;
}

Host& HostTable::any_host(const std::string& name) {
  if (const HostId id = find(name); id != kNoHost) return host(id);
  Host& target = targets_[name];
  if (target.name.empty()) {
    set_up(target, name);
  }
  return target;
}

void HostTable::set_addresses(Host& host, std::vector<NetAddress> addresses, Time until, bool own) const {
  host.addresses = std::move(addresses);
  host.addresses_until = until;
  host.own = own;
}

// On the user's own networks the default is at most the delay that the user has set. On other networks no
// option makes it shorter than kLeastDelay.
Duration HostTable::shared_delay(const Host& host, std::optional<Duration> asked) const {
  if (host.own) return asked.value_or(std::min(kSharedDelay, asked_delay(host)));
  return std::max(asked.value_or(kSharedDelay), kLeastDelay);
}

Duration HostTable::address_delay(const Host& host) const {
  return options_.address_gates ? shared_delay(host, options_.ip_delay) : 0ms;
}

Duration HostTable::crawl_delay(const Host& host) {
  constexpr double kMostSeconds = 1e9;
  Duration delay{};
  for (const OriginRules& origin : host.origins) {
    const auto asked = origin.rules != nullptr ? origin.rules->crawl_delay() : std::nullopt;
    if (asked)
      delay = std::max(delay, std::chrono::duration_cast<Duration>(Seconds(std::min(*asked, kMostSeconds))));
  }
  return delay;
}

Duration HostTable::delay(const Host& host) const {
  const double adapt = options_.adapt.value_or(host.own && asked_delay(host) == 0ms ? 0 : kDefaultAdapt);
  const Duration adapted =
      std::min(options_.max_delay, Duration{static_cast<std::int64_t>(adapt * host.answer_ms)});
  return std::max({asked_delay(host), crawl_delay(host), adapted, host.own ? Duration{} : kLeastDelay});
}

Time HostTable::own_gate(HostId id) const {
  return own_gate(host(id));
}

bool HostTable::at_limit(const Host& host) const {
  if (!host.own) return host.active >= 1;
  return host.active >= (host.site_connections > 0 ? host.site_connections : options_.per_host);
}

Time HostTable::own_gate(const Host& host) const {
  // Pages of a host that was given up pass the gate, so that they can fail. Budgets are for new pages only:
  // held pages are fetched again.
  if (host.closed == static_cast<std::uint8_t>(HostEnd::kUnreachable)) return Time{};
  const bool is_closed = host.closed == static_cast<std::uint8_t>(HostEnd::kCrawlDelay);
  if (is_closed || host.preparing || at_limit(host)) return kNever;
  return std::max(host.opens, since_resume(delay(host)));
}

Time HostTable::earliest(HostId id) const {
  return std::max(own_gate(id), earliest_start(host(id)));
}

Time HostTable::domain_opens(const Host& host) const {
  return std::max(site(host).opens, since_resume(shared_delay(host, options_.domain_delay)));
}

Time HostTable::address_opens(const Host& host, const NetAddress& address) const {
  return std::max(address_opens(address), since_resume(address_delay(host)));
}

Time HostTable::earliest_start(const Host& host) const {
  if (at_limit(host)) return kNever;
  Time at = std::max({host.opens, since_resume(delay(host)), domain_opens(host)});
  for (const NetAddress& address : host.addresses) at = std::max(at, address_opens(host, address));
  return at;
}

SharedGateId HostTable::closed_gate(HostId id) const {
  const auto number = [](std::string_view name) { return static_cast<SharedGateId>(hash64(name)) | 1u; };
  const Host& waiting = host(id);
  const Time opens = earliest(id);
  if (own_gate(waiting) >= opens) return kOwnGate;
  if (domain_opens(waiting) >= opens) return number("domain " + site_of_host(waiting.name));
  for (const NetAddress& address : waiting.addresses) {
    if (address_opens(waiting, address) >= opens) return number("ip " + address.text());
  }
  return kOwnGate;
}

std::vector<SharedGate> HostTable::shared_gates(const Host& host, Partitioning partitioning) const {
  std::vector<SharedGate> gates;
  const auto add = [&gates](std::string name, Duration wait) {
    if (wait > 0ms) gates.push_back({std::move(name), wait});
  };
  if (partitioning == Partitioning::kUrlHash) add("host " + host.name, delay(host));
  if (partitioning == Partitioning::kUrlHash || partitioning == Partitioning::kHostHash) {
    add("domain " + site_of_host(host.name), shared_delay(host, options_.domain_delay));
  }
  for (const NetAddress& address : host.addresses) {
    add("ip " + address.text(), address_delay(host));
  }
  return gates;
}

void HostTable::started(Host& host, Time now, bool requisite) {
  if (host.active++ == 0) ++active_;
  const auto close = [now](Time& opens, Duration wait) {
    if (wait > 0ms) opens = std::max(opens, now + wait);
  };
  const bool short_wait = requisite && host.own && options_.requisite_delay;
  const auto shortened = [&](Duration wait) {
    return short_wait ? std::min(wait, *options_.requisite_delay) : wait;
  };
  close(host.opens, std::max(shortened(delay(host)), crawl_delay(host)));
  // Without a wait there is nothing to remember.
  if (const Duration wait = shortened(shared_delay(host, options_.domain_delay)); wait > 0ms)
    close(sites_[host.site].opens, wait);
  if (const Duration wait = shortened(address_delay(host)); wait > 0ms) {
    for (const NetAddress& address : host.addresses) close(addresses_[address], wait);
  }
}

void HostTable::ended(Host& host, const FetchOutcome& fetch) {
  const bool answered = fetch.first_byte_us > fetch.started_us;
  ended(host, Duration{((answered ? fetch.first_byte_us : fetch.ended_us) - fetch.started_us) / 1000},
        answered);
}

void HostTable::ended(Host& host, Duration answer, bool answered) {
  if (--host.active == 0) --active_;
  const float measured =
      std::max(answered ? 0 : host.answer_ms, static_cast<float>(std::max(answer, Duration{}).count()));
  host.answer_ms = host.answer_ms == 0 ? measured : 0.75f * host.answer_ms + 0.25f * measured;
}

void HostTable::mark_changed(HostId id) {
  if (is_changed_.size() <= id) is_changed_.resize(id + 1);
  if (is_changed_[id]) return;
  is_changed_[id] = true;
  changed_.push_back(id);
}

std::vector<HostId> HostTable::take_changed() {
  for (const HostId id : changed_) is_changed_[id] = false;
  return std::exchange(changed_, {});
}

void HostTable::back_off(HostId id, Time until) {
  Host& delayed = host(id);
  delayed.opens = std::max(delayed.opens, until);
  mark_changed(id);
}

void HostTable::save_host(HostId id, ByteWriter& out) const {
  put_state(host(id), out);
}

void HostTable::load_host(HostId id, ByteReader& in) {
  get_state(host(id), in);
}

void HostTable::put_state(const Host& host, ByteWriter& out) const {
  out.put(host.opens);
  out.put(host.failures);
  out.put(host.answer_ms);
  out.put(host.pages);
  out.put(host.compared);
  out.put(host.near_duplicates);
  const Site now = site(host);
  out.put(now.opens);
  out.put(now.pages);
  out.put(host.trouble);
  out.put(static_cast<std::uint8_t>(std::min<std::size_t>(host.addresses.size(), 255)));
  for (std::size_t i = 0; i < std::min<std::size_t>(host.addresses.size(), 255); ++i) {
    const NetAddress& address = host.addresses[i];
    out.put<std::uint8_t>(address.v6 ? 1 : 0);
    out.put(address.bytes);
    out.put(address_opens(address));
  }
}

void HostTable::get_state(Host& host, ByteReader& in) const {
  host.opens = sound_time(in.get<Time>());
  in.get(host.failures);
  in.get(host.answer_ms);
  if (!(host.answer_ms >= 0 && host.answer_ms < kLongestAnswer)) host.answer_ms = 0;
  in.get(host.pages);
  in.get(host.compared);
  in.get(host.near_duplicates);
  const Time site_opens = sound_time(in.get<Time>());
  const auto site_pages = in.get<std::uint32_t>();
  if (site_opens > now_ || site_pages > 0) {
    Site& site = sites_[host.site];
    site.opens = std::max(site.opens, site_opens);
    site.pages = std::max(site.pages, site_pages);
  }
  if (const auto trouble = in.get<std::uint8_t>(); trouble < kOutcomes)
    host.trouble = static_cast<Outcome>(trouble);
  host.addresses.clear();
  for (auto count = in.get<std::uint8_t>(); count > 0; --count) {
    NetAddress address;
    address.v6 = in.get<std::uint8_t>() != 0;
    in.get(address.bytes);
    const Time opens = sound_time(in.get<Time>());
    if (!in.ok()) return;
    host.addresses.push_back(address);
    if (opens <= now_) continue;
    Time& at = addresses_[address];
    at = std::max(at, opens);
  }
}

}  // namespace bowerbird
