#include "crawl/config/policy_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "policy/registry.h"

namespace bowerbird {

namespace {

// A crawl knows about ten times as many pages as it fetches. Without a budget, this number is assumed.
constexpr std::uint64_t kKnownPerPage = 10;
constexpr std::uint64_t kKnownWithoutBudget = 20'000'000;
constexpr double kLinksPerPage = 30;

std::uint64_t known_pages(const CrawlOptions& options) {
  const std::uint64_t pages =
      options.order.expected_pages > 0 ? options.order.expected_pages : options.budget.pages;
  if (pages == 0) return kKnownWithoutBudget;
  return std::min(pages, kMaxPages / kKnownPerPage) * kKnownPerPage;
}

}  // namespace

std::uint64_t policy_bytes(const CrawlOptions& options, std::string_view policy) {
  const auto known = static_cast<double>(known_pages(options));
  const double links = known / kKnownPerPage * kLinksPerPage;
  const std::uint64_t graph = graph_bytes_of(options);
  return memory_of(policy).value().bytes(known, links, static_cast<double>(graph));
}

PolicyChoice choose_policy(const CrawlOptions& options, std::uint64_t memory) {
  if (options.memory.budget > 0)
    memory = std::min(memory > 0 ? memory : options.memory.budget, options.memory.budget);
  if (options.order.policy != kAutoPolicy) return {options.order.policy, ""};
  if (!options.order.topic.empty()) return {"similar", "default with a topic"};
  const std::uint64_t known = known_pages(options);
  const std::uint64_t needed = policy_bytes(options, "lipr");
  const std::string cost =
      fmt::format("needs {} for {} known pages", format_bytes(needed), format_count(known));
  // The other half is for URLs, the frontier and requests in flight.
  if (memory == 0 || needed <= memory / 2) return {"lipr", "default; " + cost};
  return {"fpr@100", fmt::format("default; lipr {}, more than half of {}", cost, format_bytes(memory))};
}

}  // namespace bowerbird
