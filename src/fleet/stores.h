// The stores and the stream of a fleet on its broker.
#pragma once

#include <memory>

#include "base/keyed_hash.h"
#include "base/result.h"
#include "fleet/bus.h"
#include "fleet/names.h"

namespace bowerbird {

struct FleetStoresMade {
  std::unique_ptr<BusStore> records, leases;
  HashKey key;  // of the fleet's messages, drawn by its first process
};
// Opens them, and creates those that do not exist.
Result<FleetStoresMade> make_stores(Bus& bus, const FleetNames& names, double lease_s);

}  // namespace bowerbird
