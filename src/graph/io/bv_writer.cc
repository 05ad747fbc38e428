#include "graph/io/bv_writer.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <optional>
#include <vector>

#include "graph/io/bv_graph.h"

namespace bowerbird {

namespace {

constexpr PageId kCompressedPerTick = 1 << 14;

// One kind of numbers: how they are written, and their length in bits.
class Coder {
 public:
  Coder(const BvOptions& options, BvPart part) : code_(options.codes[part]), k_(options.zeta_k) {
    for (std::uint64_t x = 0; x < kKnown; ++x) lengths_[x] = static_cast<std::uint16_t>(length_of(x));
  }
  std::uint64_t length(std::uint64_t x) const { return x < kKnown ? lengths_[x] : length_of(x); }
  void write(BitWriter& out, std::uint64_t x) const { bv::write_code(out, code_, k_, x); }

 private:
  static constexpr std::uint64_t kKnown = 1024;

  std::uint64_t length_of(std::uint64_t x) const { return bv::code_length(code_, k_, x); }

  BvCode code_;
  std::uint32_t k_;
  std::array<std::uint16_t, kKnown> lengths_;
};

std::uint64_t distance(PageId page, PageId link) {
  return bv::to_natural(std::int64_t{link} - std::int64_t{page});
}

// The runs of a list that become intervals, and the rest: calls interval(left, length) and residual(link) in
// ascending order.
template <typename Interval, typename Residual>
void split(std::span<const PageId> links, std::uint32_t min_interval, Interval&& interval,
           Residual&& residual) {
  for (std::size_t i = 0; i < links.size();) {
    std::size_t end = i + 1;
    while (end < links.size() && links[end] == links[end - 1] + 1) ++end;
    if (min_interval != 0 && end - i >= min_interval) {
      interval(links[i], static_cast<std::uint32_t>(end - i));
    } else {
      for (std::size_t j = i; j < end; ++j) residual(links[j]);
    }
    i = end;
  }
}

// A list as a difference from another one.
struct Difference {
  std::vector<std::uint32_t> blocks;  // lengths: copied, skipped, copied ...; the last one is left out
  std::vector<PageId> extras;         // what is not copied

  void compute(std::span<const PageId> list, std::span<const PageId> source) {
    blocks.clear();
    extras.clear();
    bool copying = true;
    std::uint32_t run = 0;
    const auto turn = [&] {
      blocks.push_back(run);
      copying = !copying;
      run = 0;
    };
    std::size_t i = 0, j = 0;
    while (i < list.size() && j < source.size()) {
      if (list[i] < source[j]) {
        extras.push_back(list[i++]);
        continue;
      }
      const bool same = list[i] == source[j];
      if (same != copying) turn();
      ++run;
      ++j;
      i += same;
    }
    // The rest of the source is skipped implicitly; only the end of a copied block must be written.
    if (j < source.size() && copying) turn();
    extras.insert(extras.end(), list.begin() + static_cast<std::ptrdiff_t>(i), list.end());
  }
};

class Compressor {
 public:
  Compressor(const BvOptions& options, PageId pages, ByteSink& lists, ByteSink& offsets)
      : options_(options),
        pages_(pages),
        lists_(lists),
        offsets_(offsets),
        window_(std::bit_ceil(std::min(options.window, pages) + std::size_t{1})) {
    stats_.pages = pages;
    write_offset();
  }

  Status add(PageId page, std::span<const PageId> links) {
    BB_TRY_VOID(check(page, links));
    Slot& mine = slot(page);
    mine.links.assign(links.begin(), links.end());
    mine.chain = 0;
    stats_.links += links.size();
    count(stats_.outdegree_bits, [&] { outdegree_.write(lists_, links.size()); });
    if (!links.empty()) write_list(page, mine);
    write_offset();
    return lists_.status();
  }

  Result<BvStats> finish() {
    BB_TRY_VOID(lists_.finish());
    BB_TRY_VOID(offsets_.finish());
    return stats_;
  }

 private:
  struct Slot {
    std::vector<PageId> links;
    std::uint32_t chain = 0;  // references to follow until a list that has none
  };

  Slot& slot(PageId page) { return window_[page & (window_.size() - 1)]; }

  Status check(PageId page, std::span<const PageId> links) const {
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (links[i] >= pages_)
        return error("page {}: a link to {}, but there are only {} pages", page, links[i], pages_);
      if (i > 0 && links[i] <= links[i - 1])
        return error("page {}: its links are not ascending and distinct", page);
    }
    return {};
  }

  std::uint64_t extras_length(PageId page, std::span<const PageId> extras) const {
    if (extras.empty()) return 0;
    std::uint64_t length = 0, intervals = 0, next = 0;
    std::optional<PageId> last;
    split(
        extras, options_.min_interval,
        [&](PageId left, std::uint32_t size) {
          length += interval_.length(intervals++ == 0 ? distance(page, left) : left - next - 1);
          length += interval_.length(size - options_.min_interval);
          next = std::uint64_t{left} + size;
        },
        [&](PageId link) {
          length += residual_.length(last ? link - *last - 1 : distance(page, link));
          last = link;
        });
    return length + (options_.min_interval == 0 ? 0 : interval_.length(intervals));
  }

  std::uint64_t blocks_length(const std::vector<std::uint32_t>& blocks) const {
    std::uint64_t length = block_count_.length(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) length += block_.length(blocks[i] - (i > 0));
    return length;
  }

  // Finds the reference that makes the list shortest, and stores the difference in best_.
  std::uint32_t choose(PageId page, const Slot& mine) {
    best_.blocks.clear();
    best_.extras.assign(mine.links.begin(), mine.links.end());
    if (options_.window == 0) return 0;
    std::uint32_t chosen = 0;
    std::uint64_t shortest = reference_.length(0) + extras_length(page, best_.extras);
    for (std::uint32_t back = 1; back <= options_.window && back <= page; ++back) {
      const Slot& source = slot(page - back);
      if (source.links.empty() || source.chain >= options_.max_ref_count) continue;
      candidate_.compute(mine.links, source.links);
      const std::uint64_t length =
          reference_.length(back) + blocks_length(candidate_.blocks) + extras_length(page, candidate_.extras);
      if (length >= shortest) continue;
      shortest = length;
      chosen = back;
      std::swap(best_, candidate_);
    }
    return chosen;
  }

  void write_list(PageId page, Slot& mine) {
    const std::uint32_t reference = choose(page, mine);
    if (options_.window > 0) count(stats_.reference_bits, [&] { reference_.write(lists_, reference); });
    if (reference > 0) {
      mine.chain = slot(page - reference).chain + 1;
      stats_.chain_total += mine.chain;
      stats_.distance_total += reference;
      count(stats_.block_bits, [&] { write_blocks(); });
    }
    stats_.copied_links += mine.links.size() - best_.extras.size();
    if (!best_.extras.empty()) write_extras(page);
  }

  void write_blocks() {
    block_count_.write(lists_, best_.blocks.size());
    for (std::size_t i = 0; i < best_.blocks.size(); ++i) block_.write(lists_, best_.blocks[i] - (i > 0));
  }

  void write_extras(PageId page) {
    if (options_.min_interval > 0) count(stats_.interval_bits, [&] { write_intervals(page); });
    count(stats_.residual_bits, [&] {
      std::optional<PageId> last;
      split(
          best_.extras, options_.min_interval, [](PageId, std::uint32_t) {},
          [&](PageId link) {
            residual_.write(lists_, last ? link - *last - 1 : distance(page, link));
            last = link;
            ++stats_.residual_links;
          });
    });
  }

  void write_intervals(PageId page) {
    std::uint64_t intervals = 0;
    split(
        best_.extras, options_.min_interval, [&](PageId, std::uint32_t) { ++intervals; }, [](PageId) {});
    interval_.write(lists_, intervals);
    std::optional<std::uint64_t> next;
    split(
        best_.extras, options_.min_interval,
        [&](PageId left, std::uint32_t size) {
          interval_.write(lists_, next ? left - *next - 1 : distance(page, left));
          interval_.write(lists_, size - options_.min_interval);
          next = std::uint64_t{left} + size;
          stats_.interval_links += size;
        },
        [](PageId) {});
  }

  // Adds the bits that `write` writes to a counter.
  template <typename Write>
  void count(std::uint64_t& bits, Write&& write) {
    const std::uint64_t before = lists_.position();
    write();
    bits += lists_.position() - before;
  }

  void write_offset() {
    offset_.write(offsets_, lists_.position() - last_offset_);
    last_offset_ = lists_.position();
  }

  const BvOptions options_;
  const PageId pages_;
  BitWriter lists_;
  BitWriter offsets_;
  std::vector<Slot> window_;
  Difference best_, candidate_;
  std::uint64_t last_offset_ = 0;
  BvStats stats_;

  const Coder outdegree_{options_, BvPart::kOutdegrees};
  const Coder block_{options_, BvPart::kBlocks};
  const Coder residual_{options_, BvPart::kResiduals};
  const Coder reference_{options_, BvPart::kReferences};
  const Coder block_count_{options_, BvPart::kBlockCount};
  const Coder offset_{options_, BvPart::kOffsets};
  const Coder interval_{options_, BvPart::kIntervals};
};

// Up to three decimals, as java.text.DecimalFormat("0.###") writes it.
std::string decimal(double value) {
  std::string text = fmt::format("{:.3f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

double log_factorial(double n) {
  return n == 0 ? 0 : n * std::log(n) - n + 0.5 * std::log(2 * std::numbers::pi * n);
}

// Relative to the fewest bits that distinguish all graphs with this many pages and links.
double compression_ratio(const BvStats& stats) {
  const double links = static_cast<double>(stats.links);
  const double all = static_cast<double>(stats.pages) * static_cast<double>(stats.pages);
  const double bound =
      (log_factorial(all) - log_factorial(links) - log_factorial(all - links)) / std::log(2.0);
  return bound > 0 ? static_cast<double>(stats.graph_bits()) / bound : 0;
}

}  // namespace

std::string format_bv_properties(const BvStats& stats, const BvOptions& options) {
  std::string text = "#BVGraph properties\n";
  const auto put = [&](std::string_view key, const auto& value) {
    text += fmt::format("{}={}\n", key, value);
  };
  const auto put_share = [&](std::string_view key, std::uint64_t total) {
    put(key, decimal(stats.pages == 0 ? 0 : double(total) / double(stats.pages)));
  };
  put("graphclass", "it.unimi.dsi.webgraph.BVGraph");
  put("version", 0);
  put("nodes", stats.pages);
  put("arcs", stats.links);
  put("windowsize", options.window);
  put("maxrefcount", options.max_ref_count);
  put("minintervallength", options.min_interval);
  put("zetak", options.zeta_k);
  put("compressionflags", options.codes.format());
  put("bitsperlink", decimal(stats.bits_per_link()));
  put("bitspernode", decimal(stats.bits_per_page()));
  put("compratio", decimal(compression_ratio(stats)));
  put_share("avgref", stats.chain_total);
  put_share("avgdist", stats.distance_total);
  put("copiedarcs", stats.copied_links);
  put("intervalisedarcs", stats.interval_links);
  put("residualarcs", stats.residual_links);
  const std::pair<std::string_view, std::uint64_t> accounts[] = {{"outdegrees", stats.outdegree_bits},
                                                                 {"references", stats.reference_bits},
                                                                 {"blocks", stats.block_bits},
                                                                 {"intervals", stats.interval_bits},
                                                                 {"residuals", stats.residual_bits}};
  for (const auto& [name, bits] : accounts) {
    put(fmt::format("bitsfor{}", name), bits);
    put_share(fmt::format("avgbitsfor{}", name), bits);
  }
  return text;
}

Result<BvStats> compress_bv(const Graph& graph, const BvOptions& options, ByteSink& lists, ByteSink& offsets,
                            const Progress& progress) {
  BB_TRY_VOID(options.validate());
  const PageId pages = graph.pages();
  const auto compressor = std::make_unique<Compressor>(options, pages, lists, offsets);
  Status status;
  PageId done = 0;
  graph.scan(0, pages, [&](PageId page, std::span<const PageId> links) {
    if (page % kCompressedPerTick == 0 && !progress.tick("compressing", page, pages)) status = error("stopped");
    if (status.ok()) status = compressor->add(page, links);
    ++done;
    return status.ok();
  });
  BB_TRY_VOID(graph.status());
  if (!status.ok()) return status.error();
  CHECK(done == pages);
  return compressor->finish();
}

Result<BvStats> write_bv(const Graph& graph, const std::string& basename, const BvOptions& options,
                         const Progress& progress) {
  const std::string base = bv_basename(basename);
  BB_TRY(const auto lists, OutputFile::create(base + ".graph"));
  BB_TRY(const auto offsets, OutputFile::create(base + ".offsets"));
  BB_TRY(const auto properties, OutputFile::create(base + ".properties"));
  BB_TRY(const BvStats stats, compress_bv(graph, options, *lists, *offsets, progress));
  BB_TRY_VOID(properties->write(format_bv_properties(stats, options)));
  // From here until the last file is in place there are no properties, so that the lists of one graph are
  // never read with the properties of another.
  std::remove((base + ".properties").c_str());
  BB_TRY_VOID(lists->finish());
  BB_TRY_VOID(offsets->finish());
  BB_TRY_VOID(properties->finish());
  return stats;
}

}  // namespace bowerbird
