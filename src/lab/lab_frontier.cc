#include "lab/lab_frontier.h"

#include <algorithm>

#include "lab/directories.h"
#include "policy/registry.h"
#include "url/host.h"

namespace bowerbird {
namespace {

HintSource hint_source(const Setting& setting) {
  if (!setting.web.names) return {};
  return [&setting](PageId page) {
    const std::string url = setting.web.names->name(page);
    PageHints hints;
    hints.location = static_cast<float>(location_score(url, setting.location));
    hints.depth = static_cast<std::uint16_t>(std::min(path_depth(url), 0xffffu));
    hints.on_topic = setting.web.topic && setting.web.topic->named[page];
    return hints;
  };
}

HostSource host_source(const Setting& setting) {
  if (!setting.web.hosts) return {};
  return [hosts = setting.web.hosts.get()](PageId page) { return hosts->host(page); };
}

}  // namespace

Result<std::unique_ptr<Frontier>> make_frontier(const Setting& setting, const RunRequest& request,
                                                std::uint64_t expected_pages, const MemoryLimits& limits) {
  PolicyContext context;
  context.expected_pages = expected_pages;
  context.seed = request.random_seed;
  context.threads = request.threads;
  context.hosts = host_source(setting);
  if (setting.web.names) context.groups = directories_of(*setting.web.names);
  if (setting.judged()) context.importance = setting.yardsticks.front().values();
  if (limits.spill != nullptr) {
    context.spill = limits.spill;
    context.graph_bytes = limits.graph;
  }
  BB_TRY(auto policy, make_policy(request.policy, context));

  FrontierOptions options;
  options.strategy = request.strategy;
  options.expected_pages = expected_pages;
  options.seed = request.random_seed;
  options.page_capacity = setting.web.graph->pages();
  options.queue_bytes = limits.queue;
  options.spill = limits.spill;
  return Frontier::make(options, std::move(policy), hint_source(setting), host_source(setting));
}

}  // namespace bowerbird
