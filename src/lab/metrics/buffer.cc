#include "lab/metrics/buffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace bowerbird {
namespace {

// Heap order: the top is the page to drop.
constexpr auto kKeptLonger = [](const auto& a, const auto& b) {
  return a.estimate != b.estimate ? a.estimate > b.estimate : a.number < b.number;
};

}  // namespace

Result<BufferSize> BufferSize::parse(std::string_view text) {
  if (text.ends_with('%') || text.find('.') != std::string_view::npos) {
    if (const auto share = parse_share(text); share.ok()) {
      return BufferSize{*share, true, fmt::format("{:.6g}", *share)};
    }
  } else if (const auto count = parse_count(text); count.ok() && *count > 0) {
    return BufferSize{static_cast<double>(*count), false, fmt::format("{}", *count)};
  }
  return error("buffer size '{}': a share of the pages (5%) or a number of them (5000)", text);
}

std::uint64_t BufferSize::pages(std::uint64_t judged) const {
  if (!is_share) return std::min(static_cast<std::uint64_t>(number), judged);
  // Shares are written in decimal: 0.15 of 20 is 3 although 0.15 is stored as slightly less.
  return static_cast<std::uint64_t>(number * static_cast<double>(judged) + 1e-6);
}

Result<std::vector<BufferSize>> parse_buffers(const std::vector<std::string>& words) {
  std::vector<BufferSize> sizes;
  if (words.size() == 1 && words.front() == "none") return sizes;
  for (const std::string& word : words) {
    BB_TRY(sizes.emplace_back(), BufferSize::parse(word));
  }
  return sizes;
}

LimitedBuffer::LimitedBuffer(EstimateKind kind, const Graph& graph, const Yardstick& yardstick,
                             std::span<const std::uint64_t> sizes)
    : yardstick_(&yardstick), estimate_(kind, graph, yardstick) {
  for (const std::uint64_t size : sizes) buffers_.push_back({size, size >= yardstick.pages(), {}});
}

void LimitedBuffer::page(PageId page, std::span<const PageId> links) {
  const auto number = static_cast<PageId>(order_.size());
  order_.push_back(page);
  const bool recomputed = estimate_.crawled(page, links);
  for (Buffer& buffer : buffers_) {
    if (recomputed) put_right(buffer);
    if (!buffer.holds_all && buffer.size > 0) join(buffer, number);
  }
}

void LimitedBuffer::put_right(Buffer& buffer) {
  for (Kept& kept : buffer.heap) kept.estimate = estimate_.of(order_[kept.number]);
  std::make_heap(buffer.heap.begin(), buffer.heap.end(), kKeptLonger);
}

void LimitedBuffer::join(Buffer& buffer, PageId number) {
  auto& heap = buffer.heap;
  heap.push_back({estimate_.of(order_[number]), number});
  std::push_heap(heap.begin(), heap.end(), kKeptLonger);
  while (heap.size() > buffer.size) {
    std::pop_heap(heap.begin(), heap.end(), kKeptLonger);
    const double now = estimate_.of(order_[heap.back().number]);
    if (now > heap.back().estimate) {
      heap.back().estimate = now;
      std::push_heap(heap.begin(), heap.end(), kKeptLonger);
    } else {
      heap.pop_back();
    }
  }
}

std::vector<double> LimitedBuffer::fractions() const {
  std::vector<double> fractions;
  for (const Buffer& buffer : buffers_) {
    std::uint64_t hot = buffer.holds_all ? order_.size() : 0;
    for (const Kept& kept : buffer.heap) {
      if (yardstick_->rank(order_[kept.number]) < buffer.size) ++hot;
    }
    fractions.push_back(buffer.size == 0 ? 0 : static_cast<double>(hot) / static_cast<double>(buffer.size));
  }
  return fractions;
}

}  // namespace bowerbird
