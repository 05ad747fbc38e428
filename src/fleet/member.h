// One process of a fleet: its lease, its partitions, and all it hears and says over the engine.
//
// Problem: exactly one process may hold a partition, and processes die, fall asleep or lose the network
// without saying so. A process holds what it holds as long as its lease stands, which it renews by revision
// (the fencing token): when it has not managed to for the time of the lease, it neither begins nor commits
// nor sends anything until it knows that nobody has taken its place. Others take it: whoever can read the
// folder of a process whose lease is gone claims it, by revision again, and absorbs what it left (orphan.h).
// A claimed process is out for ever; what it did after its last commit counts nowhere.
//
// Threads: the crawl's calls what Exchange has; one of its own renews the lease, a keeper talks to the
// stores, Outgoing sends, the client's threads deliver. One mutex guards what they share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "fleet/bus.h"
#include "fleet/coordinator.h"
#include "fleet/exchange/exchange.h"
#include "fleet/names.h"
#include "fleet/outgoing.h"
#include "fleet/slots.h"

namespace bowerbird {

struct FleetOptions {
  std::string url;
  std::string fleet = "crawl";
  std::string member;
  std::string folder;  // where others may find what we leave
  double lease_s = 10;
  CoordinatorOptions coordinator;
};

class FleetMember final : public Exchange {
 public:
  static Result<std::unique_ptr<FleetMember>> join(const FleetOptions& options);
  ~FleetMember() override;

  void live() override;
  void begin(std::function<void()> wake) override;
  void take(FleetNews& news) override;
  bool may_work() const override;
  void send(std::vector<Message> messages) override;
  void received(const std::vector<MessageId>& ids) override;
  void absorbed(const std::string& member) override;
  void report(MemberReport report) override;
  Time slot(const std::vector<SharedGate>& gates, Time now) override { return slots_->want(gates, now); }
  void finish() override;

 private:
  FleetMember(const FleetOptions& options, std::unique_ptr<Bus> bus, std::unique_ptr<BusStore> kept,
              std::unique_ptr<BusStore> leases);

  // member.cc: from the client's threads.
  void take_message(BusMessage message);
  void take_receipts(const BusMessage& message);
  void tell(const std::function<void(FleetNews&)>& change);

  // keeper.cc: the thread of the lease.
  void hold_lease();
  bool renew();
  Status acquire();
  Status may_be(const MemberRecord& record) const;
  // The keeper's.
  void keep();
  void tick();
  Status read_control();
  Status read_plan();
  std::vector<BusQueue> queues_of(std::span<const std::uint32_t> partitions) const;
  bool take_queues(std::span<const std::uint32_t> partitions);
  Status watch_queues();
  void share_budget(const Roster& roster);
  Status lead(const Roster& roster, std::int64_t now_ms);
  Status look_for_orphans(const Roster& roster, std::int64_t now_ms);
  Status settle_claims(const Roster& roster);
  Status settle_claims_of(const Roster& roster, const std::string& who,
                          const std::set<std::string>& absorbed);
  Status close_claims();
  void absorb(const std::string& name, const MemberRecord& record, std::uint64_t revision);
  LifeSign life_sign();
  void lose(std::string why);
  void say_left();

  FleetOptions options_;
  FleetNames names_;
  std::string machine_;
  std::unique_ptr<Bus> bus_;
  std::unique_ptr<BusStore> kept_;
  std::unique_ptr<BusStore> leases_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<Slots> slots_;
  std::atomic<std::int64_t> lease_until_ms_ = 0;
  std::atomic<bool> hurried_ = false;  // the budget is nearly used up: everybody looks and reports more often

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> wake_;
  FleetNews news_;
  std::optional<MemberReport> report_;
  struct Unacknowledged {
    std::vector<std::string> replies;
    std::set<std::string> carriers;
  };
  std::map<std::tuple<std::string, std::uint32_t, std::uint64_t>, Unacknowledged> pending_;
  std::vector<std::string> absorbed_;  // to be said
  bool finished_ = false;

  std::optional<std::uint64_t> lease_;  // its revision; of the thread that holds it
  // The keeper's own.
  std::optional<std::uint64_t> leadership_;
  std::int64_t led_ms_ = 0, looked_ms_ = 0, watched_ms_ = 0;
  std::uint64_t plan_revision_ = 0;
  FleetPlan plan_;
  std::vector<bool> mine_;
  FleetControl control_;
  bool leaving_ = false;
  bool gone_ = false;  // has left: nothing is ours any more
  std::map<std::string, std::int64_t> missing_since_;
  std::map<std::uint32_t, QueueInfo> seen_queues_;
  std::thread absorber_;
  std::atomic<bool> absorbing_ = false;
  std::thread lease_holder_;
  std::thread keeper_;
  std::unique_ptr<Outgoing> outgoing_;
};

}  // namespace bowerbird
