#include "fleet/fleet_exchange.h"

#include <chrono>
#include <utility>

#include "fleet/fleet_check.h"
#include "fleet/seal.h"
#include "fleet/wire.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr int kOpenTries = 5;
constexpr std::int64_t kRenewMs = 900;
constexpr auto kSendEvery = std::chrono::milliseconds(100);
constexpr int kFlushTries = 50;
// Of a broken process (FleetOptions::Broken): how many commits its log is behind, and how long it
// believes that its lease is valid.
constexpr std::uint64_t kBrokenBehind = 30;
constexpr std::int64_t kBrokenHoldMs = 5000;
// How long the end of a process waits for its log.
constexpr std::int64_t kLogMs = 20'000;

}  // namespace

// Opens the stores of the fleet, creating them if necessary, and checks that our options match.
Result<FleetExchange::Stores> FleetExchange::open(Bus& bus, const FleetOptions& options) {
  Stores stores;
  BB_TRY(stores.at, make_stores(bus, options.names(), options.lease_s));
  BB_TRY(stores.fleet_id, check_member(*stores.at.records, options));
  FleetOptions with_key = options;
  with_key.key = stores.at.key;
  if (options.replicates_state) BB_TRY_VOID(check_log(bus, with_key, stores.fleet_id));
  return stores;
}

// Nobody has claimed our log, and our folder is not older than it.
Status FleetExchange::check_log(Bus& bus, const FleetOptions& options, const std::string& fleet_id) {
  const MemberLog log = MemberLog::of(options.names(), fleet_id, options.member, options.identity.member);
  BB_TRY(const auto tail, read_tail(bus, log));
  if (!tail) return {};
  if (tail->claim) return taken_over(options.member, tail->claim->by);
  return check_commit(options.folder, options.commit, tail->commit ? tail->commit->position.commit : 0);
}

OrphanFolders FleetExchange::orphans() {
  if (!options_.replicates_state) return {};
  return {[this](const LostMember& lost) { return orphans_.is_here(lost); },
          [this](const LostMember& lost) { return orphans_.read(lost); },
          [this](const std::string& name) { orphans_.withdraw(name); }};
}

Result<std::unique_ptr<FleetExchange>> FleetExchange::join(std::unique_ptr<Bus> bus,
                                                           const FleetOptions& options, const Clock& clock) {
  // A busy broker, or one that has just started, may take longer than a call waits.
  auto stores = open(*bus, options);
  for (int i = 1; i < kOpenTries && !stores.ok() && stores.error().kind == ErrorKind::kRetry; ++i) {
    stores = open(*bus, options);
  }
  if (!stores.ok()) return stores.error();
  FleetOptions with_key = options;
  with_key.key = stores->at.key;
  std::unique_ptr<FleetExchange> made(new FleetExchange(with_key, std::move(bus), std::move(*stores), clock));
  BB_TRY_VOID(made->listen());
  return made;
}

FleetExchange::FleetExchange(const FleetOptions& options, std::unique_ptr<Bus> bus, Stores stores,
                             const Clock& clock)
    : options_(options),
      clock_(clock),
      fence_(std::make_shared<CommitFence>(clock)),
      bus_(std::move(bus)),
      stores_(std::move(stores)),
      lease_(*stores_.at.records, *stores_.at.leases, options_, clock, fence_),
      orphans_(*bus_, stores_.fleet_id, options_),
      control_(*bus_, {*stores_.at.records, *stores_.at.leases}, options_, lease_, mailbox_, clock,
               orphans()),
      slots_(*bus_, options.names(), options.member,
             Slots::Granters{[this](const std::string& gate) { return control_.granter_of(gate); },
                             [this] { return control_.granters_changed_ms(); },
                             [this] { return fence_->lapses(); }},
             clock),
      outgoing_(
          *bus_, options.names(), options.member, [this] { return may_work(); },
          [this](std::string text) {
            mailbox_.update([&](FleetNews& news) { news.warnings.push_back(std::move(text)); });
          },
          clock),
      arrivals_(options.coordinator.partitions, options.key) {
  if (options.coordinator.pages > 0) {
    // until we know how many pages the others have
    mailbox_.update([](FleetNews& news) { news.page_limit = 0; });
  }
  if (!options_.replicates_state) return;
  log_ = std::make_unique<LogKeeper>(
      *bus_, MemberLog::of(options_.names(), stores_.fleet_id, options_.member, options_.identity.member),
      options_.member, options_.folder, options_.commit, clock_,
      LogKeeper::Listener{[this] { mailbox_.update([](FleetNews&) {}); },
                          [this](const std::string& why) { lose(why); }});
}

void FleetExchange::lose(const std::string& why) {
  if (options_.broken == FleetOptions::Broken::kFencing) return;
  fence_->lose(why);
  mailbox_.lose(why);
}

Status FleetExchange::listen() {
  const FleetNames names{options_.fleet};
  BB_TRY_VOID(bus_->subscribe(names.to("in", options_.member),
                              [this](BusMessage message) { take_message(std::move(message)); }));
  BB_TRY_VOID(bus_->subscribe(names.to("ok", options_.member),
                              [this](const BusMessage& message) { take_receipts(message); }));
  BB_TRY_VOID(slots_.begin());
  sending_thread_ = std::thread([this] { run_sending(); });
  slots_thread_ = std::thread([this] {
    while (sending_) slots_.publish(kSendEvery);
  });
  return {};
}

FleetExchange::~FleetExchange() {
  stop();
  if (log_) log_->stop();
  fence_->lose("the process has ended");
  sending_ = false;
  if (sending_thread_.joinable()) sending_thread_.join();
  if (slots_thread_.joinable()) slots_thread_.join();
  bus_->stop_listening();
}

// ---- Deliveries, in the client's threads

void FleetExchange::take_message(BusMessage delivery) {
  Arrivals::Delivered delivered = arrivals_.add(std::move(delivery));
  if (delivered.message) {
    mailbox_.update([&](FleetNews& news) { news.messages.push_back(std::move(*delivered.message)); });
  }
  if (!delivered.receipts.empty()) outgoing_.acknowledge(std::move(delivered.receipts));
}

void FleetExchange::take_receipts(const BusMessage& message) {
  const auto content = unsealed(message.data, MessageKind::kReceipts, options_.key);
  auto ids = content ? read_receipts(*content) : std::nullopt;
  if (!ids) return;
  outgoing_.confirm(*ids);
  mailbox_.update(
      [&](FleetNews& news) { news.confirmed.insert(news.confirmed.end(), ids->begin(), ids->end()); });
}

void FleetExchange::received(const std::vector<MessageId>& ids) {
  outgoing_.acknowledge(arrivals_.committed(ids));
}

void FleetExchange::dropped(const std::vector<MessageId>& ids) {
  Receipts receipts = arrivals_.committed(ids);
  receipts.by_carrier.clear();  // a receipt confirms all messages up to its number
  outgoing_.acknowledge(std::move(receipts));
}

void FleetExchange::committing() {
  watch_.commit_requested(now_ms());
}

void FleetExchange::committed(std::uint64_t number) {
  commit_ = number;
  watch_.commit_durable();
  if (!log_ || (options_.broken == FleetOptions::Broken::kOrder && number % kBrokenBehind != 0)) return;
  log_->committed(number);
}

std::optional<std::uint64_t> FleetExchange::logged() const {
  return log_ && options_.broken == FleetOptions::Broken::kNothing ? log_->accepted() : commit_.load();
}

void FleetExchange::wait_for_log() {
  if (log_) log_->wait(kLogMs);
}

void FleetExchange::report(MemberReport report) {
  watch_.stepped(now_ms());
  mailbox_.report(std::move(report));
}

// Outlives this object.
std::function<Status()> FleetExchange::fence() const {
  return [fence = fence_] { return fence->wait(); };
}

// ---- Threads

void FleetExchange::live() {
  lease_thread_ = std::thread([this] { run_lease(); });
  if (log_) log_->begin();
}

void FleetExchange::begin(std::function<void()> wake) {
  mailbox_.set_wake(std::move(wake));
  control_thread_ = std::thread([this] { run_control(); });
}

void FleetExchange::run_lease() {
  while (!stopped()) {
    Heartbeat heartbeat = mailbox_.heartbeat();
    heartbeat.round = control_.round();
    heartbeat.commit = logged().value_or(0);
    if (log_) heartbeat.lag = log_->lag();
    heartbeat.no_room = orphans_.no_room();
    heartbeat.time = static_cast<std::uint64_t>(WallClock().now_us() / 1000);
    const bool stalled = watch_.is_stalled(now_ms());
    const Status renewed = stalled ? Status() : lease_.renew(std::move(heartbeat));
    const bool out = !renewed.ok() && renewed.error().kind != ErrorKind::kRetry;
    if (out && options_.broken == FleetOptions::Broken::kFencing) {
      fence_->hold_until(now_ms() + kBrokenHoldMs);
    } else if (out) {
      mailbox_.lose(renewed.error().text);
    }
    sleep(renewed.ok() && !control_.near_budget() ? kRenewMs : ControlLoop::kTickMs);
  }
  // The crawl may be waiting for a commit.
  if (mailbox_.lost()) fence_->lose("this process is no longer a member of its fleet");
}

void FleetExchange::run_control() {
  while (!stopped()) {
    control_.tick();
    sleep(ControlLoop::kTickMs);
  }
}

void FleetExchange::run_sending() {
  while (sending_) {
    if (!outgoing_.step()) outgoing_.wait(kSendEvery);
  }
}

bool FleetExchange::stopped() const {
  if (mailbox_.lost()) return true;
  const MutexLock lock(mutex_);
  return stopped_;
}

void FleetExchange::sleep(std::int64_t ms) const {
  const MutexLock lock(mutex_);
  if (!stopped_) changed_.wait_for(mutex_, std::chrono::milliseconds(ms));
}

void FleetExchange::stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (lease_thread_.joinable()) lease_thread_.join();
  if (control_thread_.joinable()) control_thread_.join();
}

void FleetExchange::finish() {
  for (int i = 0; i < kFlushTries && !outgoing_.all_sent(); ++i) outgoing_.wait(kSendEvery);
  stop();
  control_.finish();
  lease_.release(logged().value_or(0));
}

}  // namespace bowerbird
