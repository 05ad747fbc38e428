#include "crawl/config/memory_budget.h"

#include <algorithm>
#include <array>

namespace bowerbird {

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
// What a crawl needs at its start.
constexpr std::uint64_t kProgram = 64 * kMiB;
// A page in flight: its connection with TLS buffers, the request, a body of usual size.
constexpr std::uint64_t kUnderWay = kMiB / 16;
// Where each stage begins, as a share of the budget.
constexpr std::array<double, 4> kBegins = {0, 0.86, 0.90, 0.94};
constexpr double kEndsBelow = 0.03;
// Caches may grow while the resident memory is below this share of the budget.
constexpr double kIdleBelow = 0.82;

}  // namespace

MemoryShares memory_shares(std::uint64_t budget) {
  if (budget == 0) return {};
  MemoryShares shares;
  shares.known_urls = (budget - std::min(kProgram, budget / 2)) / 8 * 3;
  shares.url_cache = budget / 32;
  shares.queue = budget / 8;
  shares.graph = budget / 16;
  shares.store_queue = std::min(64 * kMiB, budget / 16);
  shares.payloads = budget / 32;
  shares.simhashes = budget / 32;
  shares.hosts = budget / 16;
  shares.bodies = budget / 16;
  shares.connections = budget / 8;
  shares.bound = budget / 8;
  return shares;
}

std::uint64_t least_memory(std::uint64_t connections) {
  return 96 * kMiB + connections * kUnderWay;
}

std::string_view memory_stage_text(MemoryStage stage) {
  switch (stage) {
    case MemoryStage::kEasy:
      return "normal";
    case MemoryStage::kCaches:
      return "caches shrink";
    case MemoryStage::kSpill:
      return "spilling";
    case MemoryStage::kFull:
      return "full";
  }
  return "";
}

MemoryStage memory_stage_of(std::string_view text) {
  for (const MemoryStage stage : {MemoryStage::kCaches, MemoryStage::kSpill, MemoryStage::kFull}) {
    if (memory_stage_text(stage) == text) return stage;
  }
  return MemoryStage::kEasy;
}

MemoryStage MemoryWatch::look(std::uint64_t resident) {
  most_ = std::max(most_, resident);
  if (budget_ == 0) return stage_;
  const double share = static_cast<double>(resident) / static_cast<double>(budget_);
  auto stage = static_cast<std::size_t>(stage_);
  while (stage + 1 < kBegins.size() && share >= kBegins[stage + 1]) ++stage;
  while (stage > 0 && share < kBegins[stage] - kEndsBelow) --stage;
  stage_ = static_cast<MemoryStage>(stage);
  return stage_;
}

std::uint64_t MemoryWatch::room(std::uint64_t resident, std::uint64_t held) const {
  const auto most = static_cast<std::uint64_t>(kIdleBelow * static_cast<double>(budget_)) + held;
  return most > resident ? most - resident : 0;
}

}  // namespace bowerbird
