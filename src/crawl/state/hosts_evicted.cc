// Which hosts are in memory, and what is written of the others.
#include <algorithm>

#include "base/check.h"
#include "crawl/state/hosts.h"
#include "parse/robots_text.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kNode = 4 * sizeof(void*);  // what the containers add per entry, about
constexpr std::size_t kFew = 1024;

// Nothing has happened to it yet: its name is all there is to know.
bool is_new(const Host& host) {
  return host.origins[0].rules == nullptr && host.origins[1].rules == nullptr && host.opens == 0 &&
         host.gate == 0 && host.pages == 0 && host.failures == 0 && host.answer_ms == 0 &&
         host.addresses.empty() && host.addresses_until == 0 && host.closed == 0;
}

void put_text(ByteWriter& out, std::string_view text) {
  out.put_array(std::span<const char>(text.data(), text.size()));
}

std::string get_text(ByteReader& in) {
  std::vector<char> text;
  in.get_array(text);
  return {text.begin(), text.end()};
}

// 0: not known, 1: not reached, 2: reached, and the rules.
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
  // They were written for everybody, us included.
  origin.rules = std::make_shared<RobotsRules>(
      origin.reached ? RobotsRules::make(parse_robots(get_text(in)), "") : RobotsRules::none_allowed());
}

}  // namespace

Host& HostTable::host(HostId id) const {
  const auto found = resident_.find(id);
  if (found != resident_.end()) {
    found->second.used = true;
    return found->second;
  }
  CHECK(spill_ != nullptr && id < ids_.size());
  Host host;
  const auto record = spill_->get(id);
  if (!record.ok()) {
    note_trouble(record.error());
  } else if (!unpack(*record, host)) {
    note_trouble(Error{fmt::format("the record of host {} makes no sense", id)});
  }
  return resident_.emplace(id, std::move(host)).first->second;
}

void HostTable::put_away(HostId id, const Host& host) const {
  if (const Status put = spill_->put(id, packed(host)); !put.ok()) {
    note_trouble(put.error());
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
  host.name = get_text(in);
  host.site = site_id(host.name);
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

void HostTable::tidy(Time now) {
  std::uint64_t sum = 0;
  for (const auto& [id, host] : resident_) sum += bytes_of(host);
  if (spill_ && storage_.memory > 0 && sum > storage_.memory / 2) {
    // What was not used since the last time goes first; if that is not enough, whatever is idle.
    const std::uint64_t wanted = storage_.memory / 8 * 3;
    for (int round = 0; round < 2 && sum > wanted; ++round) {
      for (auto at = resident_.begin(); at != resident_.end() && sum > wanted;) {
        Host& host = at->second;
        if (!host.idle() || std::exchange(host.used, false)) {
          ++at;
          continue;
        }
        const Status put = spill_->put(at->first, packed(host));
        if (!put.ok()) {
          note_trouble(put.error());
          break;
        }
        sum -= bytes_of(host);
        at = resident_.erase(at);
      }
    }
  }
  std::erase_if(strangers_,
                [now](const auto& entry) { return entry.second.opens <= now && entry.second.active == 0; });
  if (sites_.size() + addresses_.size() > forget_at_) {
    std::erase_if(sites_,
                  [now](const auto& entry) { return entry.second.opens <= now && entry.second.pages == 0; });
    std::erase_if(addresses_, [now](const auto& entry) { return entry.second <= now; });
    forget_at_ = std::max(kFew, 2 * (sites_.size() + addresses_.size()));
  }
  bytes_ = sum + sites_.size() * (sizeof(std::uint64_t) + sizeof(Site) + kNode) +
           addresses_.size() * (sizeof(NetAddress) + sizeof(Time) + 2 * kNode) + ids_.counts().memory +
           (spill_ ? spill_->memory() : 0);
}

void HostTable::note_trouble(const Error& error) const {
  if (troubles_.size() < 16) troubles_.push_back(error.text);
}

std::vector<std::string> HostTable::take_troubles() {
  std::vector<std::string> all = std::exchange(troubles_, {});
  for (std::string& text : ids_.take_reports()) all.push_back(std::move(text));
  return all;
}

// ---- all of them

void HostTable::for_each_dealt_with(const std::function<void(HostId, const Host&)>& visit) const {
  for (const auto& [id, host] : resident_) {
    if (!is_new(host)) visit(id, host);
  }
  if (!spill_) return;
  const Status read = spill_->for_each([&](HostId id, std::string_view record) -> Status {
    if (resident_.contains(id)) return {};
    Host host;
    if (unpack(record, host) && !is_new(host)) visit(id, host);
    return {};
  });
  if (!read.ok()) note_trouble(read.error());
}

void HostTable::save(ByteWriter& out) const {
  for_each_dealt_with([&](HostId id, const Host& host) {
    out.put<std::uint8_t>(1);
    out.put(id);
    put_text(out, packed(host));
  });
  out.put<std::uint8_t>(0);
}

Status HostTable::load(ByteReader& in) {
  while (in.get<std::uint8_t>() != 0) {
    const auto id = in.get<HostId>();
    Host host;
    if (!unpack(get_text(in), host) || !in.ok() || id >= size() || host.name != this->host(id).name)
      return error("a saved host is not one of the folder's");
    // What holds for a run only: the name is asked for anew, and budgets may have changed.
    host.own = false;
    host.addresses_until = 0;
    host.closed = 0;
    resident_[id] = std::move(host);
    if (resident_.size() % kFew == 0) tidy(0);
  }
  return in.ok() ? Status() : error("the saved hosts are damaged");
}

std::vector<HostId> HostTable::with_gates(Time now) const {
  std::vector<HostId> ids;
  for_each_dealt_with([&](HostId id, const Host& host) {
    if (host.gate > now || own_gate(host) > now) ids.push_back(id);
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace bowerbird
