// Makes the fleet's plan and detects the end of the crawl. One process runs it, elected by a lease.
//
// It keeps nothing that is not in the broker's stores, so any process can continue where another stopped. The
// end of a fleet is detected in two rounds: all members were quiet, and in a second round that began after
// the first was complete, all were still quiet and had done nothing in between. Threads: one user.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/state/crawl_status.h"
#include "fleet/bus.h"
#include "fleet/members.h"
#include "fleet/names.h"
#include "fleet/plan.h"

namespace bowerbird {

struct CoordinatorOptions {
  std::uint32_t partitions = 0;
  std::uint64_t procs = 1;  // to wait for before the first plan
  std::string settings;
  bool dynamic = false;
  std::uint64_t pages = 0, bytes = 0;  // budgets of the whole fleet; 0: none
  double time_s = 0;
};

// The messages by which these partitions begin. Receivers drop repeats.
std::vector<BusRequest> first_messages(const FleetNames& names, const std::vector<std::uint32_t>& partitions);

class Coordinator {
 public:
  Coordinator(Bus& bus, BusStore& records, FleetNames names, CoordinatorOptions options)
      : bus_(bus), records_(records), names_(std::move(names)), options_(std::move(options)) {}

  Status work(const Members& members, std::int64_t now_ms);
  // Stops the fleet if a budget is used up. Every member calls this, because the coordinator may be lost.
  Status watch_budgets(const Members& members);
  // The last plan that this process knows to be good. If it is overwritten with anything else, work() puts it
  // back.
  void remember(const FleetPlan& plan) { good_ = plan; }
  // Replaces the budgets of the whole fleet.
  void set_budgets(const RunBudgets& budgets);
  bool has_page_budget() const { return options_.pages > 0; }
  // What is left of the page budget, as of the last watch_budgets().
  std::uint64_t pages_left() const { return pages_left_; }

 private:
  Status begin(const Members& members);
  Status restore(const BusEntry& entry);
  Status replan(const Members& members, const BusEntry& entry, FleetPlan plan, std::int64_t now_ms);
  Status look_for_end(const Members& members, const FleetPlan& plan);
  bool awaits_requisites(const Members& members);
  Status change(const FleetControl& control, std::uint64_t revision);

  Bus& bus_;
  BusStore& records_;
  FleetNames names_;
  CoordinatorOptions options_;
  struct Used {
    std::uint64_t pages = 0, bytes = 0;
    void raise(const Used& to) {
      pages = std::max(pages, to.pages);
      bytes = std::max(bytes, to.bytes);
    }
  };
  std::map<std::string, Used> used_;  // by member, the maximum reported
  std::uint64_t pages_left_ = 0;
  std::map<std::string, std::uint64_t> quiet_;  // activity by member, in the previous round
  std::int64_t last_balance_ms_ = 0;
  std::optional<FleetPlan> good_;
  int checks_left_ = 0;  // without requisites, before the page budget ends the fleet
};

}  // namespace bowerbird
