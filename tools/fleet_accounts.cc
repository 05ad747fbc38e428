// fleet_accounts FOLDER... [--log URL MEMBER FOLDER]...: prints the cash of the ordering of a fleet, for
// tools/chaos. One line of JSON. With --log, FOLDER is written from the log of a member on the NATS server.
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "../tests/fleet_accounts.h"
#include "fleet/member_log.h"
#include "fleet/stores.h"

namespace bowerbird {
namespace {

Status write_folder_of(const std::string& url, const std::string& member, const std::string& folder) {
  BB_TRY(const auto bus, Bus::connect(url));
  FleetNames names{"crawl"};
  BB_TRY(const FleetStoresMade stores, make_stores(*bus, names, 4));
  names.key = stores.key;
  BB_TRY(const auto fleet, stores.records->get(kFleetKey));
  BB_TRY(const auto record, stores.records->get(FleetNames::member(member)));
  if (!fleet || !record) return error("{}: there is no such member", member);
  BB_TRY(const FleetRecord known, FleetRecord::from_json(fleet->value));
  BB_TRY(const MemberRecord lost, MemberRecord::from_json(record->value));
  const MemberLog log = MemberLog::of(names, known.id, member, lost.id);
  BB_TRY(const auto tail, read_tail(*bus, log));
  if (!tail) return error("{}: it has no log", member);
  return restore_log(*bus, log, *tail, folder);
}

}  // namespace
}  // namespace bowerbird

int main(int argc, char** argv) {
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--log") != 0 || i + 3 >= argc) {
      folders.emplace_back(argv[i]);
      continue;
    }
    const bowerbird::Status made = bowerbird::write_folder_of(argv[i + 1], argv[i + 2], argv[i + 3]);
    if (!made.ok()) {
      std::fprintf(stderr, "fleet_accounts: %s\n", made.error().text.c_str());
      return 1;
    }
    folders.emplace_back(argv[i + 3]);
    i += 3;
  }
  const auto sums = bowerbird::fleet_accounts(folders);
  if (!sums.ok()) {
    std::fprintf(stderr, "fleet_accounts: %s\n", sums.error().text.c_str());
    return 1;
  }
  std::printf("%s\n", nlohmann::json(*sums).dump().c_str());
}
