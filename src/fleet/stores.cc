#include "fleet/stores.h"

#include <cstdint>

namespace bowerbird {

namespace {

constexpr std::uint64_t kStreamBytes = std::uint64_t{1} << 30;

}  // namespace

Result<FleetStoresMade> make_stores(Bus& bus, const FleetNames& names, double lease_s) {
  FleetStoresMade stores;
  BB_TRY(stores.records, bus.store(names.records(), 0));
  BB_TRY(stores.leases, bus.store(names.leases(), lease_s));
  BB_TRY_VOID(bus.make_stream(names.stream(), names.subjects(), kStreamBytes));
  return stores;
}

}  // namespace bowerbird
