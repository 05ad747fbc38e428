#include "crawl/restore.h"

#include "base/varint.h"
#include "crawl/journal_events.h"
#include "parse/robots_text.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kRestoreFormat = 0x3330'6c77'6172'6362;  // changes with the layout of the snapshot

constexpr std::uint64_t kTidyEvery = 1024;  // events

}  // namespace

void save_crawl(const HostTable& hosts, const Brain& brain, ByteWriter& out) {
  out.put(kRestoreFormat);
  hosts.save(out);
  brain.save(out);
}

std::string host_event(const HostTable& hosts, HostId id) {
  std::string event;
  ByteWriter out(event);
  out.put(id);
  hosts.save_host(id, out);
  return event;
}

std::string robots_event(const HostTable& hosts, HostId id) {
  const Host& host = hosts[id];
  std::string event;
  put_varint(event, id);
  put_varint(event, static_cast<std::uint64_t>(host.robots_until));
  put_varint(event, host.robots_reached ? 1 : 0);
  return event + host.robots->to_text();
}

Status CrawlRestorer::load_snapshot(ByteReader& in) {
  if (in.get<std::uint64_t>() != kRestoreFormat)
    return error("the snapshot is of another version of the program");
  BB_TRY_VOID(hosts_.load(in));
  BB_TRY_VOID(brain_.load(in));
  if (!in.ok()) return error("the snapshot is damaged");
  return {};
}

// The rules of a host that answers only with errors forbid everything, whatever the text.
void CrawlRestorer::load_robots(HostId id, Time until, bool reached, std::string_view text) {
  Host& host = hosts_[id];
  host.robots_until = until;
  host.robots_reached = reached;
  host.robots_state = RobotsState::kKnown;
  host.robots = std::make_shared<RobotsRules>(reached ? RobotsRules::make(parse_robots(text), token_)
                                                      : RobotsRules::none_allowed());
}

Status CrawlRestorer::replay_event(const Event& event) {
  if (++events_ % kTidyEvery == 0) hosts_.tidy(brain_.now());
  BB_TRY(const bool known, brain_.replay(event));
  if (known) return {};
  if (event.type == kEventHost) {
    ByteReader in(event.payload);
    const auto id = in.get<HostId>();
    if (!in.ok() || id >= hosts_.size()) return error("the journal names a host that is not there");
    hosts_.load_host(id, in);
  } else if (event.type == kEventRobots) {
    VarintReader in(event.payload);
    const std::uint64_t id = in.get();
    const std::uint64_t until = in.get();
    const bool reached = in.get() != 0;
    if (!in.ok() || id >= hosts_.size()) return error("the journal names a host that is not there");
    load_robots(static_cast<HostId>(id), static_cast<Time>(until), reached,
                event.payload.substr(event.payload.size() - in.left()));
  }
  return {};
}

}  // namespace bowerbird
