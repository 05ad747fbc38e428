// The queues of a UrlFrontier: the units of politeness, by default the hosts of the URLs.
//
// Ids are dense and permanent: a queue and its settings stay when its last URL is deleted. Threads: one
// owner.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/keyed_hash.h"
#include "base/time.h"

namespace bowerbird {

using QueueId = HostId;
inline constexpr QueueId kNoQueue = kNoHost;
// Later than any time passed by a caller.
inline constexpr Time kForever{Duration{std::int64_t{1} << 61}};

struct UrlQueue {
  std::string name;
  Duration delay = -1ms;         // between two URLs; below 0: the default
  Time blocked_until{};          //
  Time served{-1ms};             // when a URL was last handed out; below 0: never
  std::uint64_t limit = 0;       // maximum number of completed and leased URLs; 0: no limit
  std::uint64_t urls = 0;        // known
  std::uint64_t completed = 0;   // of those
  std::uint64_t in_process = 0;  // known and leased
  std::uint64_t again = 0;       // completed and to be fetched again, now or later
  Time gate{};                   // as the queues of pages were told

  // URLs that may still be handed out.
  std::uint64_t open() const { return urls - completed + again; }
  bool is_over_limit() const { return limit > 0 && completed + in_process >= limit; }
};

class QueueTable {
 public:
  std::optional<QueueId> find(std::string_view name) const {
    const auto found = ids_.find(name);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }
  // The name must be unknown.
  QueueId add(std::string name) {
    const auto id = static_cast<QueueId>(queues_.size());
    ids_.emplace(name, id);
    queues_.push_back({.name = std::move(name)});
    name_bytes_ += queues_.back().name.capacity();
    return id;
  }
  QueueId size() const { return static_cast<QueueId>(queues_.size()); }
  UrlQueue& operator[](QueueId id) { return queues_[id]; }
  const UrlQueue& operator[](QueueId id) const { return queues_[id]; }
  std::uint64_t bytes() const {
    return queues_.capacity() * sizeof(UrlQueue) + 2 * name_bytes_ + ids_.size() * 64;
  }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  std::vector<UrlQueue> queues_;
  std::unordered_map<std::string, QueueId, KeyedStringHash, std::equal_to<>> ids_;
  std::uint64_t name_bytes_ = 0;
};

}  // namespace bowerbird
