#include "fleet/join.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "fleet/member.h"

namespace bowerbird {

Result<std::unique_ptr<Exchange>> join_fleet(const CrawlOptions& options) {
  const ShareOptions& share = options.share;
  FleetOptions fleet;
  fleet.url = options.fleet;
  fleet.fleet = options.fleet_name;
  fleet.member = share.member;
  std::error_code failed;
  fleet.folder = std::filesystem::absolute(options.out, failed).lexically_normal().string();
  fleet.lease_s = options.lease_s;
  fleet.coordinator.partitions = static_cast<std::uint32_t>(share.partitions);
  fleet.coordinator.procs = std::max<std::uint64_t>(1, share.procs);
  fleet.coordinator.dynamic = options.coordination == "dynamic";
  fleet.coordinator.pages = options.pages;
  fleet.coordinator.bytes = options.bytes;
  fleet.coordinator.time_s = options.time_s;
  fleet.coordinator.settings = nlohmann::json({{"partition", std::string(name_of(share.partitioning))},
                                               {"partition-rules", share.rules},
                                               {"partitions", share.partitions},
                                               {"policy", options.policy},
                                               {"strategy", options.strategy}})
                                   .dump();
  BB_TRY(auto member, FleetMember::join(fleet));
  return std::unique_ptr<Exchange>(std::move(member));
}

}  // namespace bowerbird
