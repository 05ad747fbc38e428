// fleet_accounts FOLDER...: prints the cash of the ordering of a fleet, for tools/chaos. One line of JSON.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "../tests/fleet_accounts.h"

int main(int argc, char** argv) {
  const auto sums = bowerbird::fleet_accounts({argv + 1, argv + argc});
  if (!sums.ok()) {
    std::fprintf(stderr, "fleet_accounts: %s\n", sums.error().text.c_str());
    return 1;
  }
  std::printf("%s\n", nlohmann::json(*sums).dump().c_str());
}
