#include "fleet/stores.h"

#include <cstdint>

#include "fleet/identity.h"
#include "fleet/seal.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kStreamBytes = std::uint64_t{1} << 30;

constexpr char kMessageKey[] = "key";

Result<HashKey> message_key(BusStore& keys) {
  BB_TRY(const auto entry, keys.get(kMessageKey));
  if (!entry) {
    const std::string drawn = random_id();
    BB_TRY(const auto created, keys.create(kMessageKey, drawn));
    if (!created) return error(ErrorKind::kRetry, "another process has just created the key of the fleet");
    return read_key(drawn).value();
  }
  const auto key = read_key(entry->value);
  if (!key) return error("the fleet's key on the broker is damaged");
  return *key;
}

}  // namespace

Result<FleetStoresMade> make_stores(Bus& bus, const FleetNames& names, double lease_s) {
  FleetStoresMade stores;
  BB_TRY(stores.records, bus.store(names.records(), 0));
  BB_TRY(stores.leases, bus.store(names.leases(), lease_s));
  BB_TRY_VOID(bus.make_stream(names.stream(), names.subjects(), kStreamBytes));
  BB_TRY(const auto keys, bus.store(names.keys(), 0));
  BB_TRY(stores.key, message_key(*keys));
  return stores;
}

}  // namespace bowerbird
