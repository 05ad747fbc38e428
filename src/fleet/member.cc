#include "fleet/member.h"

#include <algorithm>

#include "sys/clock.h"
#include "url/partition.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kStreamBytes = std::uint64_t{1} << 30;
constexpr std::int64_t kFlushMs = 5000;
constexpr int kOpenTries = 5;

// What is there of the fleet, made if need be.
struct Fleet {
  std::unique_ptr<BusStore> kept, leases;
  std::optional<BusEntry> record;  // ours
  std::optional<BusEntry> plan;
};

Result<Fleet> open_fleet(Bus& bus, const FleetNames& names, const FleetOptions& options) {
  Fleet fleet;
  BB_TRY(fleet.kept, bus.store(names.kept(), 0));
  BB_TRY(fleet.leases, bus.store(names.leases(), options.lease_s));
  BB_TRY_VOID(bus.make_stream(names.stream(), names.subjects(), kStreamBytes));
  BB_TRY(fleet.record, fleet.kept->get(FleetNames::member(options.member)));
  BB_TRY(fleet.plan, fleet.kept->get(kPlanKey));
  return fleet;
}

}  // namespace

Result<std::unique_ptr<FleetMember>> FleetMember::join(const FleetOptions& options) {
  BB_TRY(auto bus, Bus::connect(options.url));
  const FleetNames names{options.fleet};
  // A busy engine, or one that has just begun, may take longer than a call waits.
  auto opened = open_fleet(*bus, names, options);
  for (int i = 1; i < kOpenTries && !opened.ok(); ++i) opened = open_fleet(*bus, names, options);
  BB_TRY(Fleet fleet, std::move(opened));
  if (fleet.plan) {
    BB_TRY(const FleetPlan plan, FleetPlan::from_json(fleet.plan->value));
    BB_TRY_VOID(plan.accepts(options.coordinator.partitions, options.coordinator.settings));
  }
  std::unique_ptr<FleetMember> member(
      new FleetMember(options, std::move(bus), std::move(fleet.kept), std::move(fleet.leases)));
  FleetMember* const m = member.get();
  if (fleet.record) {
    BB_TRY(const MemberRecord record, MemberRecord::from_json(fleet.record->value));
    BB_TRY_VOID(m->may_be(record));
  }
  BB_TRY_VOID(m->bus_->subscribe(names.to("in", options.member),
                                 [m](BusMessage message) { m->take_message(std::move(message)); }));
  BB_TRY_VOID(m->bus_->subscribe(names.to("ok", options.member),
                                 [m](const BusMessage& message) { m->take_receipts(message); }));
  BB_TRY_VOID(m->slots_->begin());
  return member;
}

FleetMember::FleetMember(const FleetOptions& options, std::unique_ptr<Bus> bus,
                         std::unique_ptr<BusStore> kept, std::unique_ptr<BusStore> leases)
    : options_(options),
      names_{options.fleet},
      machine_(machine_name()),
      bus_(std::move(bus)),
      kept_(std::move(kept)),
      leases_(std::move(leases)) {
  coordinator_ = std::make_unique<Coordinator>(*bus_, *kept_, *leases_, names_, options.coordinator);
  slots_ = std::make_unique<Slots>(*bus_, names_, options.member, [this](const std::string& key) {
    const std::lock_guard lock(mutex_);
    if (plan_.owners.empty()) return std::string();
    return plan_.owners[partition_of(key, static_cast<std::uint32_t>(plan_.owners.size()))];
  });
  if (options.coordinator.pages > 0) news_.page_limit = 0;  // until we know how the others stand
  outgoing_ = std::make_unique<Outgoing>(*bus_, names_, options.member, [this] { return may_work(); });
}

FleetMember::~FleetMember() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  if (lease_holder_.joinable()) lease_holder_.join();
  if (keeper_.joinable()) keeper_.join();
  if (absorber_.joinable()) absorber_.join();
  outgoing_.reset();
  bus_->stop_listening();
}

void FleetMember::live() {
  lease_holder_ = std::thread([this] { hold_lease(); });
}

void FleetMember::begin(std::function<void()> wake) {
  {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
  }
  keeper_ = std::thread([this] { keep(); });
}

bool FleetMember::may_work() const {
  return MonotonicClock().now_us() / 1000 < lease_until_ms_.load(std::memory_order_relaxed);
}

void FleetMember::tell(const std::function<void(FleetNews&)>& change) {
  std::function<void()> wake;
  {
    const std::lock_guard lock(mutex_);
    change(news_);
    wake = wake_;
  }
  if (wake) wake();
}

void FleetMember::take_message(BusMessage received) {
  std::string carrier;
  Message message;
  if (!Outgoing::open(received.data, carrier, message) ||
      message.id.partition >= options_.coordinator.partitions) {
    outgoing_->acknowledge({{received.reply}, {}});  // nobody can ever read it
    return;
  }
  Outgoing::Receipts older;
  tell([&](FleetNews& news) {
    Unacknowledged& entry = pending_[{message.id.sender, message.id.partition, message.id.number}];
    // Its carrier keeps it until we confirm it, and what it sends again is not to gather in the engine.
    if (carrier != kOrigin) older.replies = std::exchange(entry.replies, {});
    if (!received.reply.empty()) entry.replies.push_back(std::move(received.reply));
    entry.carriers.insert(carrier);
    news.messages.push_back(std::move(message));
  });
  if (!older.replies.empty()) outgoing_->acknowledge(std::move(older));
}

void FleetMember::take_receipts(const BusMessage& message) {
  std::vector<MessageId> ids = Outgoing::read_receipts(message.data);
  outgoing_->confirm(ids);
  tell([&](FleetNews& news) { std::move(ids.begin(), ids.end(), std::back_inserter(news.confirmed)); });
}

void FleetMember::take(FleetNews& news) {
  const std::lock_guard lock(mutex_);
  std::move(news_.messages.begin(), news_.messages.end(), std::back_inserter(news.messages));
  std::move(news_.confirmed.begin(), news_.confirmed.end(), std::back_inserter(news.confirmed));
  std::move(news_.orphans.begin(), news_.orphans.end(), std::back_inserter(news.orphans));
  if (news_.plan) news.plan = std::move(news_.plan);
  news.stop = news.stop || news_.stop;
  news.ended = news.ended || news_.ended;
  news.page_limit = news_.page_limit;
  if (!news_.lost.empty()) news.lost = news_.lost;
  news_.messages.clear();
  news_.confirmed.clear();
  news_.orphans.clear();
  news_.plan.reset();
}

void FleetMember::send(std::vector<Message> messages) {
  outgoing_->add(std::move(messages));
}

void FleetMember::received(const std::vector<MessageId>& ids) {
  Outgoing::Receipts receipts;
  {
    const std::lock_guard lock(mutex_);
    for (const MessageId& id : ids) {
      const auto found = pending_.find({id.sender, id.partition, id.number});
      if (found == pending_.end()) continue;
      std::move(found->second.replies.begin(), found->second.replies.end(),
                std::back_inserter(receipts.replies));
      for (const std::string& carrier : found->second.carriers) {
        if (carrier != kOrigin) receipts.by_carrier[carrier].push_back(id);
      }
      pending_.erase(found);
    }
  }
  outgoing_->acknowledge(std::move(receipts));
}

void FleetMember::absorbed(const std::string& member) {
  const std::lock_guard lock(mutex_);
  absorbed_.push_back(member);
  if (report_) ++report_->to_send;  // what it left; the next report counts it
}

void FleetMember::report(MemberReport report) {
  const std::lock_guard lock(mutex_);
  report_ = std::move(report);
}

void FleetMember::finish() {
  outgoing_->flush(kFlushMs);
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  changed_.notify_all();
  if (lease_holder_.joinable()) lease_holder_.join();
  if (keeper_.joinable()) keeper_.join();
  if (gone_) say_left();
  if (lease_) static_cast<void>(leases_->remove(FleetNames::member(options_.member)).ok());
  if (leadership_) static_cast<void>(leases_->remove(kCoordinatorKey).ok());
  lease_until_ms_ = 0;
}

// Nobody need look for what we left.
void FleetMember::say_left() {
  const std::string key = FleetNames::member(options_.member);
  const auto entry = kept_->get(key);
  if (!entry.ok() || !*entry) return;
  auto record = MemberRecord::from_json((*entry)->value);
  if (!record.ok() || record->state != MemberRecord::State::kLeaving) return;
  record->state = MemberRecord::State::kLeft;
  record->pages = report_->status.counts.pages;
  record->bytes = report_->status.counts.bytes;
  static_cast<void>(kept_->update(key, record->to_json(), (*entry)->revision).ok());
}

}  // namespace bowerbird
