// How a crawl is kept and found again: commits, snapshots, and the way back.
#include <algorithm>

#include "base/varint.h"
#include "crawl/crawl_setup.h"
#include "crawl/crawler.h"
#include "crawl/journal_events.h"
#include "parse/robots_text.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kFormat = 0x3130'6c77'6172'6362;  // changes with the layout of the snapshot

}  // namespace

void Crawler::commit(bool with_snapshot) {
  std::string event;
  for (const HostId id : touched_hosts_) {
    event.clear();
    ByteWriter out(event);
    out.put(id);
    hosts_->save_host(id, out);
    store_->add_event(kEventHost, event);
    is_touched_[id] = false;
  }
  touched_hosts_.clear();
  const std::string state = counts_to_state(counts_, end_);
  last_commit_ = clock_now();
  if (with_snapshot) {
    store_->commit(state, snapshot());
    last_snapshot_ = last_commit_;
  } else {
    store_->commit(state);
  }
}

std::string Crawler::snapshot() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.put(kFormat);
  out.put<std::uint64_t>(hosts_->size());
  for (HostId id = 0; id < hosts_->size(); ++id) {
    const Host& host = (*hosts_)[id];
    hosts_->save_host(id, out);
    out.put(host.gate);
    const bool known = host.robots_state == RobotsState::kKnown;
    out.put<std::uint8_t>(known ? 1 : 0);
    if (!known) continue;
    out.put(host.robots_until);
    out.put<std::uint8_t>(host.robots_reached ? 1 : 0);
    const std::string text = host.robots->to_text();
    out.put_array(std::span<const char>(text.data(), text.size()));
  }
  brain_->save(out);
  return bytes;
}

// The rules of a host that answers only with errors are not kept as text: they forbid everything.
void Crawler::load_robots(HostId id, Time until, bool reached, std::string_view text) {
  Host& host = (*hosts_)[id];
  host.robots_until = until;
  host.robots_reached = reached;
  host.robots_state = RobotsState::kKnown;
  host.robots = std::make_shared<RobotsRules>(reached ? RobotsRules::make(parse_robots(text), token_)
                                                      : RobotsRules::none_allowed());
}

void Crawler::record_robots(HostId id) {
  const Host& host = (*hosts_)[id];
  std::string event;
  put_varint(event, id);
  put_varint(event, static_cast<std::uint64_t>(host.robots_until));
  put_varint(event, host.robots_reached ? 1 : 0);
  event += host.robots->to_text();
  store_->add_event(kEventRobots, event);
}

Status Crawler::restore() {
  CrawlEnd ended = CrawlEnd::kNotYet;
  if (!counts_from_state(store_->state(), counts_, ended) && !store_->state().empty()) {
    return error("{}: the counters of this crawl cannot be read", options_.out);
  }
  run_ms_before_ = counts_.run_ms;
  BB_TRY_VOID(store_->for_each_url([this](PageId, std::string_view url) { brain_->intern(url); }));
  if (brain_->urls().size() != store_->pages()) {
    return error("{}: its list of URLs holds one twice; the folder is damaged", options_.out);
  }
  BB_TRY(const auto saved, store_->snapshot());
  if (saved) {
    ByteReader in(*saved);
    const auto format = in.get<std::uint64_t>();
    const auto count = in.get<std::uint64_t>();
    if (format != kFormat || count > hosts_->size()) {
      return error("{}: its snapshot is of another version of the program", options_.out);
    }
    std::vector<char> text;
    for (HostId id = 0; id < count; ++id) {
      hosts_->load_host(id, in);
      in.get((*hosts_)[id].gate);
      if (in.get<std::uint8_t>() == 0) continue;
      const auto until = in.get<Time>();
      const bool reached = in.get<std::uint8_t>() != 0;
      in.get_array(text);
      load_robots(id, until, reached, {text.data(), text.size()});
    }
    BB_TRY_VOID(brain_->load(in));
    if (!in.ok()) return error("{}: its snapshot is damaged", options_.out);
  }
  BB_TRY_VOID(store_->replay([this](const Event& event) { return replay_event(event); }));
  wall_start_us_ = std::max(wall_start_us_, brain_->now() * 1000);
  return {};
}

// What was under way is to be tried again, and gates that waited for it open at their time.
void Crawler::reopen_hosts() {
  const Time now = std::max(clock_now(), brain_->now());
  for (const PageId page : brain_->frontier().in_flight()) brain_->retry(page, now, false);
  for (HostId id = 0; id < hosts_->size(); ++id) tell_gate(id, now);
}

Status Crawler::replay_event(const Event& event) {
  BB_TRY(const bool known, brain_->replay(event));
  if (known) return {};
  if (event.type == kEventHost) {
    ByteReader in(event.payload);
    const auto id = in.get<HostId>();
    if (!in.ok() || id >= hosts_->size()) return error("the journal names a host that is not there");
    hosts_->load_host(id, in);
  } else if (event.type == kEventRobots) {
    VarintReader in(event.payload);
    const std::uint64_t id = in.get();
    const std::uint64_t until = in.get();
    const bool reached = in.get() != 0;
    if (!in.ok() || id >= hosts_->size()) return error("the journal names a host that is not there");
    load_robots(static_cast<HostId>(id), static_cast<Time>(until), reached,
                event.payload.substr(event.payload.size() - in.left()));
  }
  return {};
}

}  // namespace bowerbird
