#include "urlfrontier/queue_table.h"

namespace bowerbird {

void QueueTable::save(ByteWriter& out) const {
  out.put<std::uint64_t>(queues_.size());
  for (const UrlQueue& queue : queues_) {
    out.put_array(std::span<const char>(queue.name));
    out.put(queue.delay);
    out.put(queue.blocked_until);
    out.put(queue.served);
    out.put(queue.limit);
    out.put(queue.urls);
    out.put(queue.completed);
    out.put(queue.in_process);
    out.put(queue.again);
    out.put(queue.gate);
  }
}

void QueueTable::load(ByteReader& in) {
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    std::vector<char> name;
    in.get_array(name);
    if (find({name.data(), name.size()})) in.reject();
    if (!in.ok()) return;
    UrlQueue& queue = queues_[add(std::string(name.begin(), name.end()))];
    in.get(queue.delay);
    in.get(queue.blocked_until);
    in.get(queue.served);
    in.get(queue.limit);
    in.get(queue.urls);
    in.get(queue.completed);
    in.get(queue.in_process);
    in.get(queue.again);
    in.get(queue.gate);
  }
}

}  // namespace bowerbird
