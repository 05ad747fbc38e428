// A broker in memory, for unit tests: stores whose values expire by a manual clock, queues that deliver at
// once, and failures on demand.
//
// Threads: any, but callbacks run in the thread that publishes.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/bus.h"
#include "sys/clock.h"

namespace bowerbird {

// What all connections to one broker share.
struct FakeBroker {
  explicit FakeBroker(const Clock& time) : clock(time) {}

  struct Value {
    BusEntry entry;
    std::int64_t written_us = 0;
  };
  struct Store {
    std::int64_t ttl_us = 0;  // 0: values stay
    std::map<std::string, Value> values;
  };
  struct Kept {
    std::string subject;
    std::string data;
    bool delivered = false;
  };
  struct Queue {
    std::string subject;
    std::string to;
    std::uint64_t delivered = 0;
  };

  const Clock& clock;
  std::recursive_mutex mutex;
  std::uint64_t revision = 0;
  std::map<std::string, std::shared_ptr<Store>> stores;
  std::map<std::string, Kept> kept;     // by the reply that acknowledges it
  std::map<std::string, Queue> queues;  // by name
  std::map<std::string, Bus::Receive> subscribers;
  std::uint64_t accepted = 0;         // by publish_kept
  std::uint64_t lost = 0;             // publications without a subscriber
  bool full = false;                  // refuses messages
  std::optional<Error> broken;        // every call fails with this
  std::uint64_t refusals = 0;         // stores requested meanwhile
  std::set<std::string> deaf_queues;  // queues that cannot be taken over
  std::map<std::string, std::vector<std::string>> logs;
  std::uint64_t lost_answers = 0;  // so many of the next appended messages are stored without an answer
  std::uint64_t lost_appends = 0;  // so many of those after them do not arrive

  void deliver() {
    for (auto& [name, queue] : queues) {
      const auto to = subscribers.find(queue.to);
      if (to == subscribers.end()) continue;
      for (auto& [reply, message] : kept) {
        if (message.subject != queue.subject || std::exchange(message.delivered, true)) continue;
        ++queue.delivered;
        to->second({message.subject, reply, message.data});
      }
    }
  }
};

class FakeStore final : public BusStore {
 public:
  FakeStore(FakeBroker& broker, std::shared_ptr<FakeBroker::Store> store)
      : broker_(broker), store_(std::move(store)) {}

  Result<std::optional<BusEntry>> get(const std::string& key) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    const FakeBroker::Value* const found = find(key);
    return found == nullptr ? std::optional<BusEntry>() : std::optional(found->entry);
  }
  Result<std::uint64_t> put(const std::string& key, const std::string& value) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    store_->values[key] = {{value, ++broker_.revision}, broker_.clock.now_us()};
    return broker_.revision;
  }
  Result<std::optional<std::uint64_t>> create(const std::string& key, const std::string& value) override {
    return put_if(key, value, 0);
  }
  Result<std::optional<std::uint64_t>> update(const std::string& key, const std::string& value,
                                              std::uint64_t revision) override {
    return put_if(key, value, revision);
  }
  Status remove(const std::string& key) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    store_->values.erase(key);
    return {};
  }
  Result<std::map<std::string, BusEntry>> all(const std::string& prefix) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    std::map<std::string, BusEntry> all;
    for (const auto& [key, value] : store_->values) {
      if (key.starts_with(prefix) && find(key) != nullptr) all[key] = value.entry;
    }
    return all;
  }

 private:
  const FakeBroker::Value* find(const std::string& key) const {
    const auto found = store_->values.find(key);
    if (found == store_->values.end()) return nullptr;
    const std::int64_t age = broker_.clock.now_us() - found->second.written_us;
    return store_->ttl_us > 0 && age >= store_->ttl_us ? nullptr : &found->second;
  }
  // revision 0: only if there is no such key.
  Result<std::optional<std::uint64_t>> put_if(const std::string& key, const std::string& value,
                                              std::uint64_t revision) {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    const FakeBroker::Value* const found = find(key);
    if ((found == nullptr ? 0 : found->entry.revision) != revision) return std::optional<std::uint64_t>();
    BB_TRY(const std::uint64_t written, put(key, value));
    return std::optional(written);
  }

  FakeBroker& broker_;
  std::shared_ptr<FakeBroker::Store> store_;
};

class FakeBus final : public Bus {
 public:
  explicit FakeBus(FakeBroker& broker) : broker_(broker) {}

  Result<std::unique_ptr<BusStore>> store(const std::string& name, double ttl_s) override {
    const std::lock_guard lock(broker_.mutex);
    broker_.refusals += broker_.broken ? 1 : 0;
    if (broker_.broken) return *broker_.broken;
    auto& found = broker_.stores[name];
    if (!found) {
      found = std::make_shared<FakeBroker::Store>();
      found->ttl_us = static_cast<std::int64_t>(ttl_s * 1e6);
    }
    return std::unique_ptr<BusStore>(std::make_unique<FakeStore>(broker_, found));
  }
  Result<std::unique_ptr<BusStore>> existing_store(const std::string& name) override {
    if (!broker_.stores.contains(name)) return error("no store {}", name);
    return store(name, 0);
  }
  Status make_stream(const std::string&, const std::string&, std::uint64_t) override {
    return broker_.broken ? Status(*broker_.broken) : Status();
  }
  std::vector<bool> publish_kept(const std::vector<BusRequest>& requests) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.full || broker_.broken) return std::vector<bool>(requests.size());
    for (const BusRequest& one : requests) {
      broker_.kept["ack." + std::to_string(1'000'000 + ++broker_.accepted)] = {one.subject, one.data, false};
    }
    broker_.deliver();
    return std::vector<bool>(requests.size(), true);
  }
  std::vector<bool> take_over(const std::string&, const std::vector<BusQueue>& queues,
                              const std::string& to) override {
    const std::lock_guard lock(broker_.mutex);
    std::vector<bool> taken;
    for (const BusQueue& queue : queues) {
      taken.push_back(!broker_.broken && !broker_.deaf_queues.contains(queue.name));
      if (!taken.back()) continue;
      broker_.queues[queue.name] = {queue.subject, to, 0};
      for (auto& [reply, message] : broker_.kept) {
        if (message.subject == queue.subject) message.delivered = false;
      }
    }
    broker_.deliver();
    return taken;
  }
  Result<std::vector<std::optional<QueueInfo>>> look_at(const std::string&,
                                                        const std::vector<BusQueue>& queues) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    std::vector<std::optional<QueueInfo>> infos;
    for (const BusQueue& queue : queues) {
      const auto found = broker_.queues.find(queue.name);
      if (found == broker_.queues.end()) {
        infos.emplace_back();
        continue;
      }
      QueueInfo info{0, found->second.delivered, found->second.to};
      for (const auto& [reply, message] : broker_.kept) {
        info.waiting += message.subject == queue.subject && !message.delivered ? 1 : 0;
      }
      infos.emplace_back(std::move(info));
    }
    return infos;
  }
  Status make_log(const std::string& name, const std::string&) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    broker_.logs[name];
    return {};
  }
  Result<std::optional<LogEnd>> end_of_log(const std::string& name) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    const auto found = broker_.logs.find(name);
    if (found == broker_.logs.end()) return std::optional<LogEnd>();
    LogEnd end{found->second.empty() ? 0u : 1u, found->second.size(), 0};
    for (const std::string& one : found->second) end.bytes += one.size();
    return std::optional(end);
  }
  AppendResult append(const std::string& name, const std::string&, std::string_view data,
                      std::uint64_t last) override {
    const std::lock_guard lock(broker_.mutex);
    const auto found = broker_.logs.find(name);
    if (broker_.broken || found == broker_.logs.end()) return AppendResult::kUnknown;
    if (broker_.lost_answers == 0 && broker_.lost_appends > 0) {
      --broker_.lost_appends;
      return AppendResult::kUnknown;
    }
    if (found->second.size() != last) return AppendResult::kConflict;
    found->second.emplace_back(data);
    if (broker_.lost_answers == 0) return AppendResult::kAccepted;
    --broker_.lost_answers;
    return AppendResult::kUnknown;
  }
  Result<std::vector<LogMessage>> read_log(const std::string& name, std::uint64_t first,
                                           std::size_t count) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    std::vector<LogMessage> messages;
    const std::vector<std::string>& log = broker_.logs[name];
    for (std::uint64_t i = first; i < first + count && i <= log.size(); ++i)
      messages.push_back({i, log[i - 1]});
    return messages;
  }
  Status publish(const std::string& subject, std::string_view data) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    if (broker_.kept.erase(subject) > 0) return {};
    const auto found = broker_.subscribers.find(subject);
    if (found == broker_.subscribers.end()) {
      ++broker_.lost;
    } else {
      found->second({subject, "", std::string(data)});
    }
    return {};
  }
  Status subscribe(const std::string& subject, Receive receive) override {
    const std::lock_guard lock(broker_.mutex);
    if (broker_.broken) return *broker_.broken;
    broker_.subscribers[subject] = std::move(receive);
    subjects_.push_back(subject);
    broker_.deliver();
    return {};
  }
  void stop_listening() override {
    const std::lock_guard lock(broker_.mutex);
    for (const std::string& subject : subjects_) broker_.subscribers.erase(subject);
    subjects_.clear();
  }

 private:
  FakeBroker& broker_;
  std::vector<std::string> subjects_;
};

}  // namespace bowerbird
