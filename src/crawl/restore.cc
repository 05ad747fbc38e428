#include "crawl/restore.h"

#include "base/varint.h"
#include "crawl/journal_events.h"
#include "parse/robots_text.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kFormat = 0x3230'6c77'6172'6362;  // changes with the layout of the snapshot

}  // namespace

std::string crawl_snapshot(const HostTable& hosts, const Brain& brain) {
  std::string bytes;
  ByteWriter out(bytes);
  out.put(kFormat);
  out.put<std::uint64_t>(hosts.size());
  for (HostId id = 0; id < hosts.size(); ++id) {
    const Host& host = hosts[id];
    hosts.save_host(id, out);
    out.put(host.gate);
    const bool known = host.robots_state == RobotsState::kKnown;
    out.put<std::uint8_t>(known ? 1 : 0);
    if (!known) continue;
    out.put(host.robots_until);
    out.put<std::uint8_t>(host.robots_reached ? 1 : 0);
    const std::string text = host.robots->to_text();
    out.put_array(std::span<const char>(text.data(), text.size()));
  }
  brain.save(out);
  return bytes;
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

Status CrawlRestorer::load_snapshot(std::string_view bytes) {
  ByteReader in(bytes);
  const auto format = in.get<std::uint64_t>();
  const auto count = in.get<std::uint64_t>();
  if (format != kFormat || count > hosts_.size()) {
    return error("the snapshot is of another version of the program");
  }
  std::vector<char> text;
  for (HostId id = 0; id < count; ++id) {
    hosts_.load_host(id, in);
    in.get(hosts_[id].gate);
    if (in.get<std::uint8_t>() == 0) continue;
    const auto until = in.get<Time>();
    const bool reached = in.get<std::uint8_t>() != 0;
    in.get_array(text);
    load_robots(id, until, reached, {text.data(), text.size()});
  }
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
