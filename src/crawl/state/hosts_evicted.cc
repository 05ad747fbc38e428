// Eviction: which hosts stay in memory, and the records of the others.
#include <algorithm>

#include "base/check.h"
#include "crawl/state/hosts.h"
#include "parse/robots_text.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kNode = 4 * sizeof(void*);  // approximate overhead of containers per entry
constexpr std::size_t kFew = 1024;

// Nothing but its name is known.
bool is_new(const Host& host) {
  return host.origins[0].rules == nullptr && host.origins[1].rules == nullptr && host.opens == Time{} &&
         host.gate == Time{} && host.pages == 0 && host.failures == 0 && host.answer_ms == 0 &&
         host.addresses.empty() && host.addresses_until == Time{} && host.closed == 0;
}

void put_text(ByteWriter& out, std::string_view text) {
  out.put_array(std::span<const char>(text.data(), text.size()));
}

std::string get_text(ByteReader& in) {
  std::vector<char> text;
  in.get_array(text);
  return {text.begin(), text.end()};
}

// The record of a host that is_new().
bool is_name_only(std::string_view record) {
  ByteReader in(record);
  get_text(in);
  return in.left() == 0;
}

// 0: unknown; 1: not reached; 2: reached, followed by the rules.
void put_rules(const OriginRules& origin, ByteWriter& out) {
  out.put<std::uint8_t>(origin.rules == nullptr ? 0 : origin.reached ? 2 : 1);
  if (origin.rules == nullptr) return;
  out.put(origin.until);
  if (origin.reached) put_text(out, origin.rules->to_text());
}

void get_rules(ByteReader& in, OriginRules& origin) {
  const auto kind = in.get<std::uint8_t>();
  if (kind == 0) return;
  in.get(origin.until);
  origin.reached = kind == 2;
  // The text was written with the rules for all agents, including ours.
  origin.rules = std::make_shared<RobotsRules>(
      origin.reached ? RobotsRules::make(parse_robots(get_text(in)), "") : RobotsRules::none_allowed());
}

}  // namespace

Host& HostTable::host(HostId id) const {
  ++uses_;
  const auto found = resident_.find(id);
  if (found != resident_.end()) {
    found->second.used = true;
    return found->second;
  }
  CHECK(spill_ != nullptr && id < ids_.size());
  Host host;
  const auto record = spill_->get(id);
  if (!record.ok()) {
    fail(record.error());
  } else if (!unpack(*record, host)) {
    fail(Error{fmt::format("the record of host {} is corrupt", id)});
  }
  return resident_.emplace(id, std::move(host)).first->second;
}

std::optional<Host> HostTable::evicted(HostId id) const {
  if (spill_ == nullptr || id >= ids_.size()) return {};
  const auto record = spill_->get(id);
  Host host;
  if (!record.ok() || !unpack(*record, host)) return {};
  return host;
}

void HostTable::evict(HostId id, const Host& host) const {
  if (const Status put = spill_->put(id, packed(host)); !put.ok()) {
    add_warning(put.error());
    resident_.emplace(id, host);
  }
}

std::string HostTable::packed(const Host& host) const {
  std::string record;
  ByteWriter out(record);
  put_text(out, host.name);
  if (is_new(host)) return record;
  put_state(host, out);
  out.put(host.gate);
  out.put(host.addresses_until);
  for (const bool flag : {host.own, host.delivered}) out.put<std::uint8_t>(flag ? 1 : 0);
  out.put(host.closed);
  for (const OriginRules& origin : host.origins) put_rules(origin, out);
  return record;
}

bool HostTable::unpack(std::string_view record, Host& host) const {
  ByteReader in(record);
  set_up(host, get_text(in));
  if (in.left() == 0) return in.ok();
  get_state(host, in);
  in.get(host.gate);
  in.get(host.addresses_until);
  host.own = in.get<std::uint8_t>() != 0;
  host.delivered = in.get<std::uint8_t>() != 0;
  in.get(host.closed);
  for (OriginRules& origin : host.origins) get_rules(in, origin);
  return in.ok();
}

std::uint64_t HostTable::bytes_of(const Host& host) {
  std::uint64_t sum =
      sizeof(Host) + kNode + host.name.capacity() + host.addresses.size() * sizeof(NetAddress);
  for (const OriginRules& origin : host.origins) {
    if (origin.rules != nullptr) sum += origin.rules->memory() + kNode;
  }
  return sum;
}

// Evicts hosts that were not used since the last scan; if that is not enough, any idle host.
void HostTable::evict_idle() {
  const std::uint64_t wanted = storage_.memory / 8 * 3;
  for (int round = 0; round < 2 && resident_bytes_ > wanted; ++round) {
    for (auto at = resident_.begin(); at != resident_.end() && resident_bytes_ > wanted;) {
      Host& host = at->second;
      if (!host.idle() || std::exchange(host.used, false)) {
        ++at;
        continue;
      }
      const Status put = spill_->put(at->first, packed(host));
      if (!put.ok()) {
        add_warning(put.error());
        break;
      }
      resident_bytes_ -= bytes_of(host);
      at = resident_.erase(at);
    }
  }
}

void HostTable::tidy(Time now) {
  now_ = std::max(now_, now);
  if (uses_ > resident_.size() / 4) {
    uses_ = 0;
    resident_bytes_ = 0;
    for (const auto& [id, host] : resident_) resident_bytes_ += bytes_of(host);
    if (spill_ && storage_.memory > 0 && resident_bytes_ > storage_.memory / 2) evict_idle();
  }
  std::erase_if(targets_,
                [now](const auto& entry) { return entry.second.opens <= now && entry.second.active == 0; });
  if (sites_.size() + addresses_.size() > forget_at_) {
    std::erase_if(sites_,
                  [now](const auto& entry) { return entry.second.opens <= now && entry.second.pages == 0; });
    std::erase_if(addresses_, [now](const auto& entry) { return entry.second <= now; });
    forget_at_ = std::max(kFew, 2 * (sites_.size() + addresses_.size()));
  }
  bytes_ = resident_bytes_ + sites_.size() * (sizeof(std::uint64_t) + sizeof(Site) + kNode) +
           addresses_.size() * (sizeof(NetAddress) + sizeof(Time) + 2 * kNode) + ids_.counts().memory +
           (spill_ ? spill_->memory() : 0);
}

void HostTable::fail(const Error& error) const {
  if (status_.ok())
    status_ = Error{fmt::format("{}; resume the crawl to rebuild the file", error.text), error.kind};
}

void HostTable::add_warning(const Error& error) const {
  if (warnings_.size() < 16) warnings_.push_back(error.text);
}

std::vector<std::string> HostTable::take_warnings() {
  std::vector<std::string> all = std::exchange(warnings_, {});
  for (std::string& text : ids_.take_reports()) all.push_back(std::move(text));
  return all;
}

// ---- All hosts

void HostTable::for_each_evicted(const std::function<void(HostId, std::string_view record)>& visit) const {
  if (!spill_) return;
  const Status read = spill_->for_each([&](HostId id, std::string_view record) -> Status {
    if (!resident_.contains(id) && !is_name_only(record)) visit(id, record);
    return {};
  });
  if (!read.ok()) fail(read.error());
}

// Evicted hosts are copied as records: decoding millions of them would bring their addresses into memory.
void HostTable::save(ByteWriter& out) const {
  const auto put = [&out](HostId id, std::string_view record) {
    out.put<std::uint8_t>(1);
    out.put(id);
    put_text(out, record);
  };
  for (const auto& [id, host] : resident_) {
    if (!is_new(host)) put(id, packed(host));
  }
  for_each_evicted(put);
  out.put<std::uint8_t>(0);
}

Status HostTable::load(ByteReader& in, Time now) {
  now_ = std::max(now_, now);
  while (in.get<std::uint8_t>() != 0) {
    const auto id = in.get<HostId>();
    Host host;
    if (!unpack(get_text(in), host) || !in.ok() || id >= size() || host.name != this->host(id).name)
      return error("a saved host is not one of the folder's");
    // Valid for one run only: the name is looked up again, and budgets may have changed.
    host.own = false;
    host.addresses_until = {};
    host.closed = 0;
    resident_[id] = std::move(host);
    if (resident_.size() % kFew == 0) tidy(now);
  }
  return in.ok() ? Status() : error("the saved hosts are damaged");
}

std::vector<HostId> HostTable::with_gates(Time now) const {
  std::vector<HostId> ids;
  const auto take = [&](HostId id, const Host& host) {
    if (!is_new(host) && (host.gate > now || own_gate(host) > now)) ids.push_back(id);
  };
  for (const auto& [id, host] : resident_) take(id, host);
  for_each_evicted([&](HostId id, std::string_view record) {
    Host host;
    if (unpack(record, host)) take(id, host);
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace bowerbird
