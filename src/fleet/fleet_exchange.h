// One process of a fleet, as its crawl sees it: connects Exchange to the parts that talk to the broker.
//
// Lease says whether we may work, ControlLoop follows the plan, Outgoing sends, Arrivals and Mailbox receive,
// Slots shares hosts and addresses. This class owns them and runs four threads. One renews the lease: a busy
// broker answers slowly, and the control loop makes many requests. The others run the control loop, send
// messages, and ask for and grant slots. Threads: one user, the crawl's.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/thread_annotations.h"
#include "fleet/arrivals.h"
#include "fleet/bus.h"
#include "fleet/commit_fence.h"
#include "fleet/control_loop.h"
#include "fleet/exchange/exchange.h"
#include "fleet/fleet_options.h"
#include "fleet/lease.h"
#include "fleet/log_keeper.h"
#include "fleet/log_orphans.h"
#include "fleet/mailbox.h"
#include "fleet/outgoing.h"
#include "fleet/slots.h"
#include "fleet/stall_watch.h"
#include "fleet/stores.h"
#include "sys/clock.h"

namespace bowerbird {

class FleetExchange final : public Exchange {
 public:
  // Waits a moment for the broker. Errors: it does not answer, or our options do not match the fleet's.
  static Result<std::unique_ptr<FleetExchange>> join(std::unique_ptr<Bus> bus, const FleetOptions& options,
                                                     const Clock& clock);
  ~FleetExchange() override;

  // The id of the fleet.
  const std::string& fleet_id() const { return stores_.fleet_id; }

  void live() override;
  void begin(std::function<void()> wake) override;
  void take(FleetNews& news) override { mailbox_.take(news); }
  bool may_work() const override { return lease_.held() && !mailbox_.lost(); }
  void send(std::vector<Message> messages) override { outgoing_.add(std::move(messages)); }
  void received(const std::vector<MessageId>& ids) override;
  void dropped(const std::vector<MessageId>& ids) override;
  void absorbed(const std::string& member) override { mailbox_.absorbed(member); }
  void report(MemberReport report) override;
  void committing() override;
  void committed(std::uint64_t number) override;
  std::optional<std::uint64_t> logged() const override;
  void wait_for_log() override;
  std::function<Status()> fence() const override;
  void end_waiting() override { fence_->end_waiting(); }
  Time slot(const std::vector<SharedGate>& gates, Time now) override { return slots_.want(gates, now); }
  void finish() override;

 private:
  struct Stores {
    FleetStoresMade at;
    std::string fleet_id;
  };
  FleetExchange(const FleetOptions& options, std::unique_ptr<Bus> bus, Stores stores, const Clock& clock);
  static Result<Stores> open(Bus& bus, const FleetOptions& options);
  static Status check_log(Bus& bus, const FleetOptions& options, const std::string& fleet_id);
  OrphanFolders orphans();
  void lose(const std::string& why);
  Status listen();
  void take_message(BusMessage delivery);
  void take_receipts(const BusMessage& message);

  std::int64_t now_ms() const { return clock_.now_us() / 1000; }
  bool stopped() const;
  void stop();
  void sleep(std::int64_t ms) const;
  void run_lease();
  void run_control();
  void run_sending();

  const FleetOptions options_;
  const Clock& clock_;
  const std::shared_ptr<CommitFence> fence_;
  StallWatch watch_;
  std::unique_ptr<Bus> bus_;
  Stores stores_;
  Mailbox mailbox_;
  Lease lease_;
  LogOrphans orphans_;
  ControlLoop control_;
  Slots slots_;
  Outgoing outgoing_;
  Arrivals arrivals_;
  mutable Mutex mutex_;
  mutable Condition changed_;
  bool stopped_ GUARDED_BY(mutex_) = false;
  std::atomic<bool> sending_ = true;
  std::atomic<std::uint64_t> commit_ = 0;  // the number of our last one on disk
  std::unique_ptr<LogKeeper> log_;         // null: there are no logs
  std::thread lease_thread_, control_thread_, sending_thread_, slots_thread_;
};

}  // namespace bowerbird
