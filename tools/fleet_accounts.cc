// fleet_accounts FOLDER... [--log URL MEMBER FOLDER]...: prints the cash of the ordering of a fleet, for
// tools/chaos. One line of JSON. With --log, FOLDER is written from the log of a member on the NATS server.
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "../tests/fleet_accounts.h"

int main(int argc, char** argv) {
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--log") != 0 || i + 3 >= argc) {
      folders.emplace_back(argv[i]);
      continue;
    }
    const auto made =
        bowerbird::write_folder_from_log(argv[i + 1], argv[i + 2], argv[i + 3], bowerbird::WhichLogs::kAll);
    if (!made.ok() || !*made) {
      std::fprintf(stderr, "fleet_accounts: %s\n", made.ok() ? "there is no log" : made.error().text.c_str());
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
