#include "crawl/loop/request_slots.h"

#include <algorithm>

namespace bowerbird {

namespace {

// No request counts as slow before this.
constexpr Duration kLeastSlow = 2s;
constexpr double kSlowFactor = 4;
// Each request moves the typical duration towards its own by at most this factor, so that the typical
// duration stays near the median: very slow requests have no more effect than others.
constexpr double kStep = 1.1;

}  // namespace

std::vector<RequestSlots::Key> RequestSlots::keys_of(Kind kind, const Host& host) {
  std::vector<Key> keys;
  if (!host.delivered) keys.push_back({Key::Of::kUnproven});
  if (kind == Kind::kPage) return keys;
  keys.push_back({Key::Of::kDomain, host.site});
  if (kind == Kind::kRobots) {
    for (const NetAddress& address : host.addresses) keys.push_back({Key::Of::kAddress, 0, address});
  }
  return keys;
}

std::uint64_t RequestSlots::limit_of(const Key& key) const {
  return std::max<std::uint64_t>(1, slots_ / (key.of == Key::Of::kUnproven ? 2 : 16));
}

RequestSlots::Shares::const_iterator RequestSlots::full_share(Kind kind, const Host& host) const {
  for (const Key& key : keys_of(kind, host)) {
    const auto share = shares_.find(key);
    if (share != shares_.end() && share->second.held >= limit_of(key)) return share;
  }
  return shares_.end();
}

bool RequestSlots::fits_or_waits(Kind kind, HostId id, const Host& host) {
  const auto full = full_share(kind, host);
  if (full == shares_.end()) return true;
  shares_[full->first].waiting.push_back(id);
  ++waiting_hosts_;
  return false;
}

void RequestSlots::start(std::uint64_t id, Kind kind, const Host& host, Time now) {
  end(id, now);  // a page that moved to another process and back may be requested twice
  Request request{kind, now, false, keys_of(kind, host)};
  for (const Key& key : request.keys) ++shares_[key].held;
  requests_.emplace(id, std::move(request));
  by_age_.emplace(now, id);
  ++counts_[static_cast<std::size_t>(kind)];
}

void RequestSlots::end(std::uint64_t id, Time now) {
  const auto found = requests_.find(id);
  if (found == requests_.end()) return;
  const Request& request = found->second;
  const auto kind = static_cast<std::size_t>(request.kind);
  // The duration of a cancelled request is unknown.
  if (!request.cancelled) {
    const Milliseconds took = std::max<Duration>(1ms, now - request.since);
    Milliseconds& usual = usual_[kind];
    usual = usual == 0ms   ? took
            : took > usual ? std::min(took, usual * kStep)
                           : std::max(took, usual / kStep);
  }
  --counts_[kind];
  for (const Key& key : request.keys) {
    const auto share = shares_.find(key);
    if (--share->second.held == 0 && share->second.waiting.empty()) shares_.erase(share);
  }
  by_age_.erase({request.since, id});
  requests_.erase(found);
}

void RequestSlots::clear() {
  requests_.clear();
  by_age_.clear();
  shares_.clear();
  waiting_hosts_ = 0;
  counts_ = {};
}

std::vector<HostId> RequestSlots::take_ready() {
  std::vector<HostId> ready;
  if (waiting_hosts_ == 0) return ready;
  for (auto at = shares_.begin(); at != shares_.end();) {
    auto& [key, share] = *at;
    for (std::uint64_t room = limit_of(key) - std::min(limit_of(key), share.held);
         room > 0 && !share.waiting.empty(); --room) {
      ready.push_back(share.waiting.front());
      share.waiting.pop_front();
      --waiting_hosts_;
    }
    at = share.held == 0 && share.waiting.empty() ? shares_.erase(at) : std::next(at);
  }
  return ready;
}

bool RequestSlots::is_slow(const Request& request, Time now) const {
  const Milliseconds usual = usual_[static_cast<std::size_t>(request.kind)];
  return now - request.since > std::max<Milliseconds>(kLeastSlow, kSlowFactor * usual);
}

std::uint64_t RequestSlots::slow_pages(Time now) const {
  std::uint64_t slow = 0;
  for (const auto& [since, id] : by_age_) {
    if (now - since <= kLeastSlow) break;
    const Request& request = requests_.at(id);
    if (request.kind == Kind::kPage && is_slow(request, now)) ++slow;
  }
  return slow;
}

std::optional<std::uint64_t> RequestSlots::take_too_slow(Time now) {
  std::uint64_t slow = 0;
  std::optional<std::uint64_t> oldest;
  for (const auto& [since, id] : by_age_) {
    if (now - since <= kLeastSlow) break;
    const Request& request = requests_.at(id);
    if (request.cancelled || !is_slow(request, now)) continue;
    if (!oldest) oldest = id;
    ++slow;
  }
  if (slow <= std::max<std::uint64_t>(1, slots_ / 4)) return {};
  requests_.at(*oldest).cancelled = true;
  return oldest;
}

}  // namespace bowerbird
