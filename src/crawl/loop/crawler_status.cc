// The status of the running crawl.
#include <algorithm>

#include "base/units.h"
#include "crawl/loop/crawler.h"

namespace bowerbird {

namespace {

std::string wait_text(Duration wait) {
  const auto s = std::chrono::ceil<std::chrono::seconds>(wait).count();
  return s < 90 ? fmt::format("{} s", s) : fmt::format("{} min", (s + 30) / 60);
}

}  // namespace

std::string Crawler::stall(Time now) const {
  if (slots_->pages() > 0 || run_.stopping) return {};
  if (is_paused()) return "the crawl is paused";
  if (store().congested()) return "the disk cannot keep up";
  if (log_is_behind()) return "the NATS server has not accepted the last two commits";
  if (bandwidth_.used_up()) return "the --bandwidth limit is reached";
  if (const std::uint64_t hosts = preparer_->hosts() + slots_->waiting(); hosts > 0) {
    return fmt::format("waiting for DNS or robots.txt of {}", plural(hosts, "host"));
  }
  const Time until = std::min(run_.nothing_until, requisites_ ? requisites_->next_due() : kNever);
  if (until >= kNever && state().control().any_pause()) return "all remaining pages are paused";
  if (until >= kNever) return "no host is eligible for fetching";
  if (refresher_->is_on() && until > now + 1s)
    return fmt::format("no page is due; next request in {}", wait_text(until - now));
  if (until > now + 1s) {
    const std::string next = wait_text(until - now);
    if (failures_->waits_until() <= now)
      return fmt::format("all remaining hosts are waiting for their delays; next request in {}", next);
    return fmt::format("all remaining hosts are backing off; next request in {} ({})", next,
                       failures_->waiting());
  }
  return {};
}

CrawlStatus Crawler::status() const {
  CrawlStatus status;
  status.counts = counts_;
  status.phase = run_.stopping ? CrawlPhase::kStopping : CrawlPhase::kRunning;
  const FrontierCounts& frontier = state().frontier().counts();
  status.known = state().pages();
  status.queued = frontier.primary + frontier.secondary;
  status.under_way = under_way();
  status.requisites_pending = state().requisites().pending().size();
  status.hosts.known = hosts().size();
  status.hosts.given_up = failures_->closed(HostEnd::kUnreachable) + failures_->closed(HostEnd::kCrawlDelay);
  status.hosts.at_budget = failures_->closed(HostEnd::kBudget) + failures_->closed(HostEnd::kDomainBudget);
  status.hosts.repeating = failures_->closed(HostEnd::kNearDuplicates);
  status.hosts.active = hosts().active();
  status.hosts.waiting = state().frontier().hosts_waiting();
  status.memory = memory_use();
  status.policy = options_.order.policy;
  status.policy_why = notes_.policy_why;
  status.has_topic = topic_ != nullptr;
  status.troubles = committer_->warnings_logged();
  status.guaranteed = state().bound() == nullptr ? -1 : state().bound()->covered();
  status.seconds = static_cast<double>(counts_.run_ms - run_.ms_before) / 1000;
  status.run_pages = counts_.pages - run_.pages_before;
  status.rates.pages = run_.rates.pages_per_second();
  status.rates.bytes = run_.rates.bytes_per_second();
  status.rates.steady_pages = run_.rates.steady_pages_per_second();
  status.rates.steady_bytes = run_.rates.steady_bytes_per_second();
  status.budgets.pages = options_.budget.pages;
  status.budgets.bytes = options_.budget.bytes;
  status.budgets.seconds = options_.budget.time.count();
  if (const FleetState* const fleet = state().fleet()) {
    const ExchangeCounts& counts = fleet->counts();
    status.sharing.on = true;
    status.sharing.urls_sent = counts.urls_sent;
    status.sharing.urls_received = counts.urls_received;
    status.sharing.messages_sent = counts.messages_sent;
    status.sharing.bytes_sent = counts.bytes_sent;
    status.sharing.partitions = fleet->held().size();
    status.sharing.unlogged = session_ ? session_->unlogged() : 0;
  }
  if (run_.end == CrawlEnd::kNoDns) {
    for (std::string& url : state().seed_urls())
      status.counts.add_failed_seed({std::move(url), std::string(rule_of(Outcome::kDnsFailed).what)});
  }
  if (run_.end != CrawlEnd::kNotYet && failures_->closed(HostEnd::kCrawlDelay) > 0)
    add_seeds_of_slow_hosts(status.counts);
  status.stall = stall(clock_.now());
  status.failure = failures_->last();
  if (run_.last.page != kNoPage) status.last_url = state().url(run_.last.page);
  if (run_.failed.page != kNoPage) {
    status.last_error =
        fmt::format("{}: {}", state().url(run_.failed.page),
                    run_.failed.status >= 400 ? fmt::format("HTTP {}", run_.failed.status)
                                              : std::string(rule_of(run_.failed.outcome).what));
  }
  status.refused = preparer_->refused();
  status.redirected = notes_.redirected;
  return status;
}

// Seeds that stay queued because of a Crawl-delay of more than a day.
void Crawler::add_seeds_of_slow_hosts(CrawlCounts& counts) const {
  for (PageId page = 0; page < state().pages(); ++page) {
    if (!is_seed(page) ||
        hosts()[state().host(page)].closed != static_cast<std::uint8_t>(HostEnd::kCrawlDelay) ||
        was_fetched(page))
      continue;
    counts.add_failed_seed({state().url(page), std::string(host_end_text(HostEnd::kCrawlDelay))});
  }
}

MemoryUse Crawler::memory_use() const {
  MemoryUse use = memory_->use();
  const KnownUrlsCounts known = state().known().counts();
  const CrawlState::Bytes bytes = state().bytes();
  const StoreCounts stored = store().counts();
  use.parts = {{"known URLs", known.memory},
               {"URL texts", stored.urls_memory},
               {"pages", bytes.pages},
               {"frontier", bytes.frontier - bytes.ordering},
               {"ordering", bytes.ordering},
               {"RankMass bound", bytes.bound},
               {"refreshing", bytes.refresh},
               {"hosts", hosts().bytes()},
               {"requisites", bytes.requisites},
               {"waiting to be written", stored.queued_bytes},
               {"payload digests", stored.payload_memory},
               {"near-duplicates", simhashes_.bytes()},
               {"bodies in flight", bodies()}};
  std::uint64_t sum = 0;
  for (const MemoryPart& part : use.parts) sum += part.bytes;
  use.parts.push_back({"the program", use.resident > sum ? use.resident - sum : 0});
  use.urls_on_disk = known.spilled;
  use.hosts_on_disk = hosts().size() - hosts().in_memory();
  use.disk = known.disk + hosts().disk();
  use.queued_on_disk = state().frontier().spilled().now;
  const GraphUse graph = state().frontier().policy().graph_use();
  use.links_on_disk = graph.links_on_disk;
  use.links_disk = graph.disk;
  use.queue_disk = crawl_->spill().bytes() - graph.disk;
  use.dropped = state().frontier().counts().dropped;
  use.dropped_worth = state().frontier().counts().dropped_worth;
  use.asked_disk = known.asked_disk;
  use.waiting_pages = batcher_.pages();
  return use;
}

}  // namespace bowerbird
