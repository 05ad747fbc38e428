#include "graph/stats.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>
#include <tuple>

namespace bowerbird {

namespace {

constexpr unsigned kStatParts = 64;
constexpr PageId kTick = 1 << 16;

// Whether links stay on the host of a page, for one page after another.
class HostView {
 public:
  explicit HostView(const PageHosts* hosts)
      : hosts_(hosts), contiguous_(hosts != nullptr && hosts->contiguous()) {}

  void enter(PageId page) {
    if (hosts_ == nullptr || (page >= first_ && page < last_)) return;
    std::tie(first_, last_) = hosts_->run(page);
    if (!contiguous_) host_ = hosts_->host(page);
  }
  bool same(PageId target) const {
    if (hosts_ == nullptr || (target >= first_ && target < last_)) return true;
    return !contiguous_ && hosts_->host(target) == host_;
  }

 private:
  const PageHosts* hosts_;
  bool contiguous_;
  PageId first_ = 0;
  PageId last_ = 0;
  HostId host_ = kNoHost;
};

// The counts of one thread.
struct Counts {
  std::uint64_t pages = 0;
  std::uint64_t links = 0;
  std::uint64_t inter_links = 0;
  std::uint64_t max_out = 0;
  PageId max_out_page = kNoPage;
  Histogram out;
  std::array<std::uint64_t, 34> distance{};

  void see(PageId page, std::span<const PageId> row, const HostView& host) {
    ++pages;
    links += row.size();
    out.add(row.size());
    if (max_out_page == kNoPage || row.size() > max_out) {
      max_out = row.size();
      max_out_page = page;
    }
    for (const PageId target : row) {
      if (!host.same(target)) {
        ++inter_links;
        continue;
      }
      ++distance[static_cast<std::size_t>(std::bit_width(target > page ? target - page : page - target))];
    }
  }

  void merge(const Counts& other) {
    pages += other.pages;
    links += other.links;
    inter_links += other.inter_links;
    if (other.max_out_page != kNoPage && (max_out_page == kNoPage || other.max_out > max_out ||
                                          (other.max_out == max_out && other.max_out_page < max_out_page))) {
      max_out = other.max_out;
      max_out_page = other.max_out_page;
    }
    out.merge(other.out);
    for (std::size_t i = 0; i < distance.size(); ++i) distance[i] += other.distance[i];
  }
};

// Reports the work of several threads to one callback.
class SharedProgress {
 public:
  SharedProgress(const Progress& progress, std::uint64_t total) : progress_(progress), total_(total) {}

  bool add(std::uint64_t pages) {
    const std::lock_guard lock(mutex_);
    done_ += pages;
    if (!progress_.tick("counting links", done_, total_)) stopped_ = true;
    return !stopped_;
  }
  bool stopped() const { return stopped_; }

 private:
  const Progress& progress_;
  std::mutex mutex_;
  std::uint64_t done_ = 0;
  const std::uint64_t total_;
  std::atomic<bool> stopped_{false};
};

HostStats host_stats(const PageHosts& hosts, PageId pages, unsigned wanted) {
  HostStats stats;
  stats.hosts = hosts.hosts();
  std::vector<std::uint32_t> size(stats.hosts);
  for (PageId page = 0; page < pages;) {
    const PageId last = hosts.run(page).second;
    size[hosts.host(page)] += last - page;
    page = last;
  }
  for (const std::uint32_t n : size) stats.sizes.add(n);
  for (HostId host = 0; host < stats.hosts; ++host) stats.largest.emplace_back(host, size[host]);
  const auto middle = stats.largest.begin() + std::min<std::ptrdiff_t>(wanted, std::ssize(stats.largest));
  std::partial_sort(stats.largest.begin(), middle, stats.largest.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  stats.largest.erase(middle, stats.largest.end());
  stats.largest.shrink_to_fit();
  return stats;
}

}  // namespace

double GraphStats::inter_share() const {
  return hosts && links > 0 ? static_cast<double>(hosts->inter_links) / static_cast<double>(links) : 0;
}

double GraphStats::mean_distance_bits() const {
  double sum = 0;
  double n = 0;
  for (std::size_t bits = 0; bits < distance.size(); ++bits) {
    sum += static_cast<double>(bits) * static_cast<double>(distance[bits]);
    n += static_cast<double>(distance[bits]);
  }
  return n == 0 ? 0 : sum / n;
}

std::uint64_t GraphStats::estimated_links() const {
  if (sampled == pages || sampled == 0) return links;
  return static_cast<std::uint64_t>(
      std::llround(static_cast<double>(links) * pages / static_cast<double>(sampled)));
}

Result<GraphStats> graph_stats(const Web& web, const StatsOptions& options, const Progress& progress) {
  const Graph& graph = *web.graph;
  const PageId pages = graph.pages();
  const std::uint64_t every = std::max<std::uint64_t>(options.sample_every, 1);
  const bool with_in = options.in_degrees && every == 1;
  std::vector<std::uint32_t> in(with_in ? pages : 0);

  Counts total;
  std::mutex total_mutex;
  SharedProgress shared(progress, pages);
  parallel_ranges(pages, std::min<unsigned>(kStatParts, pages / 1024 + 1), options.threads,
                  [&](unsigned, std::uint64_t first, std::uint64_t last) {
                    Counts counts;
                    HostView host(web.hosts.get());
                    PageId reported = static_cast<PageId>(first);
                    auto visit = [&](PageId page, std::span<const PageId> links) {
                      host.enter(page);
                      counts.see(page, links, host);
                      if (with_in && options.threads == 1) {
                        for (const PageId target : links) ++in[target];
                      } else if (with_in) {
                        for (const PageId target : links)
                          std::atomic_ref(in[target]).fetch_add(1, std::memory_order_relaxed);
                      }
                      if (page - reported < kTick) return true;
                      const bool go_on = shared.add(page - reported);
                      reported = page;
                      return go_on;
                    };
                    if (every == 1) {
                      if (!shared.stopped())
                        graph.scan(static_cast<PageId>(first), static_cast<PageId>(last), visit);
                    } else {
                      LinkBuffer buffer;
                      for (std::uint64_t page = (first + every - 1) / every * every; page < last;
                           page += every) {
                        if (shared.stopped() ||
                            !visit(static_cast<PageId>(page), graph.out(static_cast<PageId>(page), buffer)))
                          break;
                      }
                    }
                    shared.add(last - reported);
                    const std::lock_guard lock(total_mutex);
                    total.merge(counts);
                  });
  BB_TRY_VOID(graph.status());
  if (shared.stopped()) return error("stopped before all links were counted");

  GraphStats stats;
  stats.pages = pages;
  stats.sampled = total.pages;
  stats.links = total.links;
  stats.dangling = total.out.count(0);
  stats.self_loops = total.distance[0];
  stats.max_out_page = total.max_out_page;
  stats.out = std::move(total.out);
  stats.distance = total.distance;
  if (with_in) {
    stats.in.emplace();
    for (const std::uint32_t degree : in) stats.in->add(degree);
    if (pages > 0)
      stats.max_in_page = static_cast<PageId>(std::max_element(in.begin(), in.end()) - in.begin());
  }
  if (web.hosts != nullptr) {
    stats.hosts = host_stats(*web.hosts, pages, options.largest_hosts);
    stats.hosts->inter_links = total.inter_links;
  }
  return stats;
}

double Reach::mean_level() const {
  double sum = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    sum += static_cast<double>(level) * static_cast<double>(levels[level]);
  }
  return reached == 0 ? 0 : sum / static_cast<double>(reached);
}

Result<Reach> walk_from(const Graph& graph, const std::vector<PageId>& seeds, const Progress& progress,
                        unsigned steps) {
  const PageId pages = graph.pages();
  std::vector<bool> known(pages);
  std::vector<PageId> order;
  std::vector<std::uint64_t> known_after;  // after the i-th block of pages
  auto meet = [&](PageId page) {
    if (known[page]) return;
    known[page] = true;
    order.push_back(page);
  };
  for (const PageId seed : seeds) {
    if (seed >= pages) return error("page {} is not in the graph, which has {} pages", seed, pages);
    meet(seed);
  }
  Reach reach;
  LinkBuffer buffer;
  const std::uint64_t block = std::max<std::uint64_t>(1, pages / (16ull * std::max(steps, 1u)));
  std::uint64_t level_end = order.size();
  std::uint64_t level_start = 0;
  reach.longest_queue = order.size();
  for (std::uint64_t i = 0; i < order.size(); ++i) {
    if (i == level_end) {
      reach.levels.push_back(level_end - level_start);
      level_start = level_end;
      level_end = order.size();
    }
    if (i % block == 0) known_after.push_back(order.size() - i);
    for (const PageId link : graph.out(order[i], buffer)) meet(link);
    reach.longest_queue = std::max<std::uint64_t>(reach.longest_queue, order.size() - i - 1);
    if (i % kTick == 0 && !progress.tick("walking", i, pages))
      return error("stopped in the middle of the walk");
  }
  BB_TRY_VOID(graph.status());
  if (!order.empty()) reach.levels.push_back(level_end - level_start);
  reach.reached = order.size();
  for (unsigned step = 0; step <= steps && !known_after.empty(); ++step) {
    const std::uint64_t at = step * reach.reached / (steps * block + (steps == 0));
    reach.queue.push_back(at < known_after.size() ? known_after[at] : 0);
  }
  return reach;
}

}  // namespace bowerbird
