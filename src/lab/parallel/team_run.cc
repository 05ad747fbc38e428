#include "lab/parallel/team_run.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <limits>

#include "base/rng.h"
#include "frontier/popular_pages.h"
#include "lab/hosts.h"
#include "lab/lab_frontier.h"
#include "lab/parallel/outbox.h"
#include "lab/parallel/partition.h"
#include "lab/parallel/popular.h"
#include "lab/topic.h"

namespace bowerbird {
namespace {

using Clock = std::chrono::steady_clock;

// A page of another process to which this one may cross over, and the worth of the link to it.
struct Foreign {
  Visit visit;
  Link link;
};

struct Proc {
  std::unique_ptr<Frontier> frontier;
  std::vector<Outbox> outboxes;  // by receiver
  std::uint64_t crawled = 0;
  std::uint64_t unsent = 0;     // pages crawled since the last batch
  bool idle = false;            // nothing to crawl and nothing to send, until something arrives
  std::deque<Foreign> foreign;  // cross-over: in the order found
  PopularPages popular;
  std::uint64_t given = 0;  // sites, or pages, by dynamic coordination
};

// The mean URL length, from a sample of the web's names.
double mean_url_length(const Web& web) {
  constexpr PageId kSample = 1000;
  constexpr double kUsual = 70;
  if (!web.names || web.graph->pages() == 0) return kUsual;
  const PageId pages = web.graph->pages();
  double length = 0;
  for (PageId i = 0; i < kSample; ++i) {
    length += static_cast<double>(web.names->name(static_cast<PageId>(to_below(draw(2, i), pages))).size());
  }
  return length / kSample;
}

class TeamRun {
 public:
  TeamRun(const Setting& setting, const RunRequest& request, RunMonitor& monitor)
      : setting_(setting),
        team_(request.team),
        graph_(*setting.web.graph),
        hosts_(setting.web.hosts.get()),
        topic_(setting.web.topic.get()),
        monitor_(monitor),
        evaluation_(setting),
        url_bytes_(mean_url_length(setting.web)) {
    result_.policy = request.policy;
    result_.strategy = request.strategy;
    result_.random_seed = request.random_seed;
    figures_.pages.resize(team_.procs);
  }

  Status prepare(const RunRequest& request) {
    BB_TRY_VOID(check_team(team_));
    BB_TRY(partition_, Partition::make(setting_.web, team_));
    const std::uint64_t each = std::max<std::uint64_t>(1, setting_.expected_pages() / team_.procs);
    for (unsigned i = 0; i < team_.procs; ++i) {
      Proc proc;
      RunRequest own = request;
      own.random_seed = i == 0 ? request.random_seed : draw(request.random_seed, i);
      BB_TRY(proc.frontier, make_frontier(setting_, own, each));
      proc.outboxes.resize(team_.procs);
      if (team_.learn) proc.popular = PopularPages(team_.replicate);
      procs_.push_back(std::move(proc));
    }
    travels_ = team_.scores && procs_.front().frontier->policy().travels();
    seen_.resize(graph_.pages());
    if (team_.mode == Mode::kExchange) batch_of_.resize(graph_.pages());
    return {};
  }

  Result<RunResult> crawl(const std::atomic<bool>& stop) {
    start_ = Clock::now();
    enqueue_seeds();
    const std::uint64_t most = setting_.page_budget == 0 ? ~std::uint64_t{0} : setting_.page_budget;
    sample();
    for (std::uint64_t tick = 1; figures_.downloads < most; ++tick) {
      if (!turn(most)) break;
      if (tick % kReport != 0) continue;
      report();
      if (stop.load(std::memory_order_relaxed)) {
        result_.stopped = true;
        break;
      }
    }
    result_.wall_seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    result_.seconds = result_.wall_seconds - std::chrono::duration<double>(outside_).count();
    BB_TRY_VOID(graph_.status());
    return finish();
  }

 private:
  static constexpr std::uint64_t kReport = 256;
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  bool independent() const { return team_.coordination == Coordination::kIndependent; }
  Proc& proc(ProcId id) { return procs_[id]; }

  // Seeds go to their owners, or round-robin if there are no owners; a replicated page is a seed of its
  // owner.
  void enqueue_seeds() {
    std::vector<std::vector<SeedPage>> seeds(team_.procs);
    double total = 0;
    for (std::size_t i = 0; i < setting_.seeds.size(); ++i) {
      const SeedPage& seed = setting_.seeds[i];
      total += seed.weight;
      const auto round = static_cast<ProcId>(i % team_.procs);
      seeds[independent() ? round : owner(seed.page)].push_back(seed);
    }
    if (team_.replicate > 0 && !team_.learn) {
      replicated_.resize(graph_.pages());
      const double little = 1 / static_cast<double>(std::max<std::uint64_t>(1, setting_.expected_pages()));
      for (const PageId page : most_linked(graph_, team_.replicate)) {
        replicated_[page] = true;
        seeds[owner(page)].push_back({page, total * little});
      }
    }
    for (unsigned i = 0; i < team_.procs; ++i) procs_[i].frontier->seed(seeds[i], total);
  }

  // The owner of a page; with dynamic coordination it is assigned here.
  ProcId owner(PageId page) {
    const ProcId found = partition_.owner(page);
    return found != kNoProc ? found : give_away(page);
  }

  // Chooses the process with the least work: the pages it knows, plus the average number of pages per site
  // for every site it was given. Without the second, all sites that are first seen between two batches would
  // go to one process, which does not know of them yet.
  ProcId give_away(PageId page) {
    std::uint64_t known = 0;
    for (const Proc& own : procs_) known += own.frontier->counts().discovered;
    const double mean =
        1 + static_cast<double>(known) / static_cast<double>(std::max<std::uint64_t>(1, given_));
    ProcId least = 0;
    double work = std::numeric_limits<double>::infinity();
    for (unsigned i = 0; i < team_.procs; ++i) {
      const double own = static_cast<double>(procs_[i].frontier->counts().discovered) +
                         mean * static_cast<double>(procs_[i].given);
      if (own < work) least = static_cast<ProcId>(i);
      work = std::min(work, own);
    }
    partition_.assign(page, least);
    ++procs_[least].given;
    ++given_;
    return least;
  }

  // One page each; false if no process has anything left to do.
  bool turn(std::uint64_t most) {
    bool busy = false;
    for (unsigned i = 0; i < team_.procs && figures_.downloads < most; ++i) {
      const auto id = static_cast<ProcId>(i);
      if (proc(id).idle) continue;
      if (const auto job = next(proc(id))) {
        visit(id, *job);
        busy = true;
      } else {
        const bool sent = send(id);
        proc(id).idle = !sent;
        busy = sent || busy;
      }
    }
    return busy;
  }

  std::optional<Job> next(Proc& own) {
    for (;;) {
      if (auto job = own.frontier->next(Time{})) return job;
      if (own.foreign.empty()) return {};
      const Foreign foreign = own.foreign.front();
      own.foreign.pop_front();
      deliver(own, foreign.visit, std::span(&foreign.link, 1));
    }
  }

  void visit(ProcId id, const Job& job) {
    Proc& own = proc(id);
    const auto start = Clock::now();
    const std::span<const PageId> targets = graph_.out(job.page, buffer_);
    const std::uint32_t across = flag_hosts(hosts_, job.page, targets, links_);
    flag_topic(topic_, job.page, links_, topic_buffer_);
    outside_ += Clock::now() - start;
    if (!independent()) set_routes(id, own);
    const Visit visit = own.frontier->complete(job.page, links_, is_on_topic(topic_, job.page));
    if (job.links_only) return;
    if (!independent()) pass_on(own, visit);
    ++own.crawled;
    ++own.unsent;
    count(id, job.page, targets, across);
    if (own.unsent >= team_.batch) send(id);
  }

  void set_routes(ProcId id, Proc& own) {
    for (Link& link : links_) {
      if (owner(link.page) == id) continue;
      if (team_.mode == Mode::kFirewall) {
        link.route = LinkRoute::kDropped;
      } else if (team_.mode == Mode::kExchange) {
        const bool known = (!replicated_.empty() && replicated_[link.page]) || own.popular.knows(link.page);
        link.route = known ? LinkRoute::kDropped : LinkRoute::kRemote;
      } else {
        link.route = LinkRoute::kRemote;
      }
    }
  }

  // Remote links go into the outboxes, or on the list of pages to cross over to.
  void pass_on(Proc& own, const Visit& visit) {
    receivers_.clear();
    for (const Link& link : links_) {
      if (link.route == LinkRoute::kDropped && team_.learn) own.popular.saw(link.page);
      if (link.route != LinkRoute::kRemote) continue;
      if (team_.mode == Mode::kCrossOver) {
        own.foreign.push_back({visit, {link.page, link.other_host, LinkRoute::kLocal}});
        continue;
      }
      own.popular.saw(link.page);
      receivers_.emplace_back(partition_.owner(link.page), link);
    }
    if (receivers_.empty()) return;
    std::stable_sort(receivers_.begin(), receivers_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    ProcId last = kNoProc;
    for (const auto& [receiver, link] : receivers_) {
      Outbox& outbox = own.outboxes[receiver];
      if (receiver != last) outbox.page(visit);
      last = receiver;
      outbox.link(link.page, link.other_host);
    }
  }

  // Sends the pending links; false if there were none.
  bool send(ProcId id) {
    Proc& own = proc(id);
    own.unsent = 0;
    bool any = false;
    for (unsigned to = 0; to < team_.procs; ++to) {
      Outbox& outbox = own.outboxes[to];
      if (outbox.empty()) continue;
      any = true;
      count_batch(outbox);
      outbox.for_each(
          [&](const Visit& visit, std::span<const Link> links) { deliver(procs_[to], visit, links); });
      outbox.clear();
    }
    if (any) own.popular.sent(own.crawled);
    return any;
  }

  void deliver(Proc& to, const Visit& visit, std::span<const Link> links) {
    to.idle = false;
    if (travels_) {
      to.frontier->receive(visit, links);
      return;
    }
    arrivals_.clear();
    for (const Link& link : links) arrivals_.push_back({link.page, 1});
    to.frontier->seed(arrivals_, static_cast<double>(std::max<std::uint64_t>(1, setting_.expected_pages())));
  }

  // Counts each URL once per batch, the links to it, and the worth of each linking page once.
  void count_batch(const Outbox& outbox) {
    constexpr std::uint64_t kVisitBytes = 16, kLinkBytes = 2;
    ++figures_.messages;
    const auto batch = static_cast<std::uint32_t>(figures_.messages);
    std::uint64_t urls = 0;
    for (const Link& link : outbox.links()) {
      urls += batch_of_[link.page] != batch ? 1 : 0;
      batch_of_[link.page] = batch;
    }
    figures_.exchanged += urls;
    figures_.exchanged_bytes += static_cast<std::uint64_t>(url_bytes_ * static_cast<double>(urls));
    if (travels_) {
      figures_.exchanged_bytes += kVisitBytes * outbox.pages() + kLinkBytes * outbox.links().size();
    }
  }

  void count(ProcId id, PageId page, std::span<const PageId> targets, std::uint32_t across) {
    ++figures_.downloads;
    ++figures_.pages[id];
    if (seen_[page]) return;
    seen_[page] = true;
    ++result_.crawled;
    result_.links += targets.size();
    result_.other_host += across;
    if (evaluation_.judges()) {
      const auto start = Clock::now();
      evaluation_.page(page, targets);
      outside_ += Clock::now() - start;
    }
    if (result_.crawled == next_sample_) sample();
  }

  void sample() {
    FrontierSample now{result_.crawled, 0, 0,
                       std::chrono::duration<double>(Clock::now() - start_ - outside_).count()};
    for (const Proc& own : procs_) {
      now.primary += own.frontier->counts().primary;
      now.secondary += own.frontier->counts().secondary;
    }
    result_.frontier.push_back(now);
    result_.peak_queue = std::max(result_.peak_queue, now.primary + now.secondary);
    const std::size_t next = result_.frontier.size();
    next_sample_ = next < setting_.points.size() ? setting_.points[next] : kNever;
    report();
  }

  void report() {
    std::uint64_t bytes = 0;
    for (const Proc& own : procs_) bytes += own.frontier->bytes();
    // A page costs its 4 bytes of state only in the process that knows it; the tables of the others stay
    // untouched.
    bytes -= std::min<std::uint64_t>(bytes, 4 * (team_.procs - 1) * std::uint64_t{graph_.pages()});
    result_.peak_bytes = std::max(result_.peak_bytes, bytes);
    monitor_.pages.store(result_.crawled, std::memory_order_relaxed);
    monitor_.links.store(result_.links, std::memory_order_relaxed);
    monitor_.bytes.store(result_.peak_bytes, std::memory_order_relaxed);
  }

  RunResult finish() {
    report();
    for (const Proc& own : procs_) {
      const FrontierCounts& counts = own.frontier->counts();
      result_.known += counts.discovered;
      result_.revisits += counts.links_only;
      result_.dropped += counts.dropped;
      const std::vector<Account> accounts = own.frontier->policy().accounts();
      result_.accounts.resize(accounts.size());
      for (std::size_t i = 0; i < accounts.size(); ++i) {
        result_.accounts[i].first = accounts[i].name;
        result_.accounts[i].second += accounts[i].value;
      }
    }
    figures_.distinct = result_.crawled;
    result_.team = figures_;
    result_.scores = evaluation_.finish(result_.stopped);
    return std::move(result_);
  }

  const Setting& setting_;
  const TeamOptions& team_;
  const Graph& graph_;
  const PageHosts* hosts_;
  const WebTopic* topic_;
  RunMonitor& monitor_;
  Evaluation evaluation_;
  double url_bytes_;
  Clock::time_point start_;
  Clock::duration outside_{0};

  Partition partition_;
  std::vector<Proc> procs_;
  bool travels_ = true;
  std::uint64_t given_ = 0;              // to all processes together
  std::vector<bool> seen_;               // by page: crawled by a process
  std::vector<bool> replicated_;         // by page; empty if none is
  std::vector<std::uint32_t> batch_of_;  // by page: the last batch it was in

  // Scratch of visit() and deliver().
  LinkBuffer buffer_;
  LinkBuffer topic_buffer_;
  std::vector<Link> links_;
  std::vector<std::pair<ProcId, Link>> receivers_;
  std::vector<SeedPage> arrivals_;

  std::uint64_t next_sample_ = kNever;
  TeamFigures figures_;
  RunResult result_;
};

}  // namespace

Result<RunResult> run_team(const Setting& setting, const RunRequest& request, RunMonitor& monitor,
                           const std::atomic<bool>& stop) {
  TeamRun run(setting, request, monitor);
  BB_TRY_VOID(run.prepare(request));
  return run.crawl(stop);
}

}  // namespace bowerbird
