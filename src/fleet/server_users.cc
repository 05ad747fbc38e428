#include "fleet/server_users.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "fleet/identity.h"
#include "fleet/names.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr char kUsersFile[] = "/users.json";
constexpr char kMemberUser[] = "member";
constexpr char kWatcherUser[] = "watcher";

std::string user_url(const std::string& user, const std::string& password, const std::string& host,
                     int port) {
  return fmt::format("nats://{}:{}@{}:{}", user, password, host, port);
}

}  // namespace

Result<ServerUsers> ServerUsers::of(const std::string& folder) {
  const std::string path = folder + kUsersFile;
  ServerUsers users;
  if (!file_exists(path)) {
    users.member_password = random_id();
    users.watcher_password = random_id();
    const nlohmann::json json = {{kMemberUser, users.member_password},
                                 {kWatcherUser, users.watcher_password}};
    BB_TRY_VOID(write_file(path, json.dump(2) + "\n", 0600));
    return users;
  }
  BB_TRY(const auto file, MappedFile::open(path));
  const nlohmann::json json = nlohmann::json::parse(file->text(), nullptr, false);
  const auto password = [&](const char* user) {
    const bool there = json.is_object() && json.contains(user) && json[user].is_string();
    return there ? json[user].get<std::string>() : std::string();
  };
  users.member_password = password(kMemberUser);
  users.watcher_password = password(kWatcherUser);
  if (!is_random_id(users.member_password) || !is_random_id(users.watcher_password))
    return error("{}: this file is damaged; delete it to create new passwords", path);
  return users;
}

std::string ServerUsers::member_url(const std::string& host, int port) const {
  return user_url(kMemberUser, member_password, host, port);
}

std::string ServerUsers::watcher_url(const std::string& host, int port) const {
  return user_url(kWatcherUser, watcher_password, host, port);
}

// Names of fleets and passwords need no quoting.
std::string ServerUsers::configuration(const std::string& fleet) const {
  const FleetNames names{fleet};
  std::string readable;
  for (const std::string& store : {names.records(), names.leases()}) {
    for (const char* const call : {"STREAM.INFO", "STREAM.MSG.GET", "DIRECT.GET"})
      readable += fmt::format("        \"$JS.API.{}.KV_{}\"\n", call, store);
    readable += fmt::format("        \"$JS.API.DIRECT.GET.KV_{}.>\"\n", store);
  }
  return fmt::format(
      "authorization {{\n"
      "  users = [\n"
      "    {{ user: {}, password: \"{}\" }}\n"
      "    {{ user: {}, password: \"{}\", permissions: {{\n"
      "      publish: [\n{}        \"$KV.{}.{}\"\n      ]\n"
      "      subscribe: [ \"_INBOX.>\" ]\n"
      "    }} }}\n"
      "  ]\n"
      "}}\n",
      kMemberUser, member_password, kWatcherUser, watcher_password, readable, names.records(), kControlKey);
}

}  // namespace bowerbird
