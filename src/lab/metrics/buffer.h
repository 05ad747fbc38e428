// Limited buffer, P_BC(B): a crawler that sees every page but can keep only B of them, and drops the one with
// the lowest estimated importance whenever it is full. The fraction of the kept pages, at the end, that are
// among the B best. [004]
//
// The page just crawled is added first, then the lowest of the B+1 is dropped; among equals the one crawled
// last. Several sizes are measured at once. Estimates only rise between two recomputations, so each buffer is
// a heap whose entries may be too low and are corrected when they reach the top. Memory: 16 bytes per kept
// page and the memory of Estimate.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/metrics/estimate.h"
#include "lab/metrics/yardstick.h"

namespace bowerbird {

// B: a number of pages, or a share of the judged ones.
struct BufferSize {
  double number = 0;
  bool is_share = true;
  std::string label;  // the key of the JSON output: "0.05" or "5000"

  // "5%", "0.05" or "5000".
  static Result<BufferSize> parse(std::string_view text);
  std::uint64_t pages(std::uint64_t judged) const;
};

// Several sizes; the word "none" means an empty list.
Result<std::vector<BufferSize>> parse_buffers(const std::vector<std::string>& words);

class LimitedBuffer {
 public:
  // Graph and yardstick outlive the object. sizes: in pages.
  LimitedBuffer(EstimateKind kind, const Graph& graph, const Yardstick& yardstick,
                std::span<const std::uint64_t> sizes);

  void page(PageId page, std::span<const PageId> links);
  // For each of the sizes; 0 for an empty buffer.
  std::vector<double> fractions() const;

 private:
  struct Kept {
    double estimate;
    PageId number;  // crawled as number ...
  };
  struct Buffer {
    std::uint64_t size;
    bool holds_all;          // never drops a page, so the heap is not needed
    std::vector<Kept> heap;  // the next page to drop on top
  };

  void join(Buffer& buffer, PageId number);
  void put_right(Buffer& buffer);

  const Yardstick* yardstick_;
  Estimate estimate_;
  std::vector<PageId> order_;  // crawled pages
  std::vector<Buffer> buffers_;
};

}  // namespace bowerbird
