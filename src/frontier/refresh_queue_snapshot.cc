// The refresh queue as bytes, and back. What can be computed from the pages is not saved.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "frontier/refresh_queue.h"

namespace bowerbird {
namespace {

constexpr std::uint64_t kRefreshFormat = 0x3568736572666572;  // "refresh5"

bool sound(const ChangeHistory& history) {
  const auto good = [](double x) { return std::isfinite(x) && x >= 0; };
  return good(history.changes) && good(history.dated) && good(history.change_days) && good(history.days);
}

bool sound(const RefreshSlot& slot) {
  const double importance = slot.importance, rate = slot.rate;
  return slot.level < kRefreshLevels && std::isfinite(importance) && importance > 0 && std::isfinite(rate) &&
         rate >= 0;
}

}  // namespace

// Everything of a fixed size, except the hosts.
struct RefreshQueue::Fixed {
  RefreshTime base;
  double price, overall, least_new_due, most_new_due, overdue_due;
  ChangeHistory all;
  RefreshCounts counts;
  Tick now;
  std::array<RefreshLevel, 2> price_level;
  std::array<RefreshLevel, 2> rest_level;
  std::uint32_t started;
  std::uint64_t hosts;
};

void RefreshQueue::save(ByteWriter& out) const {
  out.put(kRefreshFormat);
  out.put(Fixed{base_, price_, overall_, least_new_due_, most_new_due_, overdue_due_, all_, counts_, now_,
                price_level_, rest_level_, started_ ? 1u : 0u, hosts_.size()});
  out.put_array(records_.view());
  std::vector<std::pair<PageId, Tick>> postponed(postponed_.begin(), postponed_.end());
  std::sort(postponed.begin(), postponed.end());
  out.put<std::uint64_t>(postponed.size());
  for (const auto& [page, until] : postponed) {
    out.put(page);
    out.put(until);
  }
  for (const Host& host : hosts_) {
    out.put(host.history);
    out.put(host.rate);
    out.put<std::uint32_t>((host.open[kHeld] ? 1u : 0u) | (host.open[kNew] ? 2u : 0u));
    out.put(host.announced);
    out.put(host.confirmed);
    for (const Pages& pages : host.sides) {
      out.put(pages.price);
      out.put_array(pages.slots);
    }
  }
  std::vector<PageId> announced(announced_.begin(), announced_.end());
  std::sort(announced.begin(), announced.end());
  out.put_array(announced);
}

Status RefreshQueue::load(ByteReader& in) {
  CHECK(hosts_.empty());
  if (in.get<std::uint64_t>() != kRefreshFormat) return error("this is not a refresh queue of this version");
  const auto fixed = in.get<Fixed>();
  base_ = fixed.base;
  price_ = fixed.price;
  overall_ = fixed.overall;
  least_new_due_ = fixed.least_new_due;
  most_new_due_ = fixed.most_new_due;
  overdue_due_ = fixed.overdue_due;
  all_ = fixed.all;
  now_ = fixed.now;
  price_level_ = fixed.price_level;
  rest_level_ = fixed.rest_level;
  started_ = fixed.started != 0;
  std::uint64_t known = 0;
  in.each<RefreshRecord>([&](const RefreshRecord& record) {
    if (!record.is_sound()) in.reject();
    known += record.known() ? 1 : 0;
    records_.push_back(record);
  });
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const auto page = in.get<PageId>();
    postponed_[page] = in.get<Tick>();
  }
  std::vector<bool> listed(records_.size());
  for (std::uint64_t id = 0; id < fixed.hosts && in.ok(); ++id) load_host(in, listed);
  in.each<PageId>([&](PageId page) {
    if (knows(page)) announced_.insert(page);
  });
  const std::uint64_t found = counts_.held + counts_.new_pages;
  counts_ = fixed.counts;
  if (known != found || found != counts_.held + counts_.new_pages || !sound(all_) || !(overall_ > 0) ||
      !std::isfinite(price_)) {
    in.reject();
  }
  for (const Side side : {kHeld, kNew}) {
    if (price_level_[side] >= kRefreshLevels || rest_level_[side] > price_level_[side]) in.reject();
  }
  if (!in.ok()) return error("the saved refresh queue is damaged");
  return {};
}

// The next host. listed: pages that belong to an earlier host.
void RefreshQueue::load_host(ByteReader& in, std::vector<bool>& listed) {
  const auto id = static_cast<HostId>(hosts_.size());
  Host& host = host_at(id);
  in.get(host.history);
  in.get(host.rate);
  const auto open = in.get<std::uint32_t>();
  host.open = {(open & 1) != 0, (open & 2) != 0};
  in.get(host.announced);
  in.get(host.confirmed);
  if (!sound(host.history) || !(host.rate > 0)) in.reject();
  for (const Side side : {kHeld, kNew}) {
    Pages& pages = host.sides[side];
    in.get(pages.price);
    if (pages.price >= kRefreshLevels) in.reject();
    in.each<RefreshSlot>([&](const RefreshSlot& slot) {
      const PageId page = slot.page;
      if (!knows(page) || listed[page] || side_of(records_[page]) != side || host_of(page) != id ||
          !sound(slot) || slot.postponed() != postponed_.contains(page)) {
        in.reject();
        return;
      }
      listed[page] = true;
      pages.ascending = pages.ascending && (pages.slots.empty() || pages.slots.back().page < page);
      if (slot.in_flight()) in_flight_.emplace(page, static_cast<std::uint32_t>(pages.slots.size()));
      push_tightly(pages.slots, slot);
      ++(side == kNew ? counts_.new_pages : counts_.held);
    });
    if (!in.ok()) return;
    while (pages.blocks.size() * kBlock < pages.slots.size()) pages.blocks.push({});
    pages.blocks.set_all([&](std::size_t block) { return block_offer(pages, side, block); });
    update_host(id, side);
  }
}

}  // namespace bowerbird
