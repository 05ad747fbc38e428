#include "fleet/identity.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "fleet/names.h"
#include "store/crawl_reader.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr char kIdentityFile[] = "/fleet-member.json";

std::string id_in(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string random_id() {
  std::uint64_t bits[2];
  CHECK(::getrandom(bits, sizeof bits, 0) == sizeof bits);
  return fmt::format("{:016x}{:016x}", bits[0], bits[1]);
}

Result<std::optional<MemberIdentity>> read_identity(const std::string& folder) {
  const std::string path = folder + kIdentityFile;
  if (!file_exists(path)) return std::optional<MemberIdentity>();
  BB_TRY(const auto file, MappedFile::open(path));
  const nlohmann::json json = nlohmann::json::parse(file->text(), nullptr, false);
  MemberIdentity identity;
  if (json.is_object()) {
    identity.fleet = id_in(json, "fleet");
    identity.member = id_in(json, "member");
    identity.joined = json.contains("joined") && json["joined"].is_boolean() && json["joined"].get<bool>();
  }
  if (!is_random_id(identity.member) || (!identity.fleet.empty() && !is_random_id(identity.fleet)))
    return error(ErrorKind::kNeedsUser, "{}: this file is damaged; restore it from a copy", path);
  return std::optional(std::move(identity));
}

Status write_identity(const std::string& folder, const MemberIdentity& identity) {
  BB_TRY_VOID(make_folder(folder));
  const nlohmann::json json = {
      {"fleet", identity.fleet}, {"member", identity.member}, {"joined", identity.joined}};
  return write_file(folder + kIdentityFile, json.dump(2) + "\n", 0600);
}

bool is_folder_of(const std::string& folder, const std::string& member_id) {
  const auto identity = read_identity(folder);
  return !member_id.empty() && identity.ok() && *identity && (*identity)->member == member_id;
}

Result<std::uint64_t> last_commit_in(const std::string& folder) {
  if (!CrawlReader::holds_crawl(folder)) return std::uint64_t{0};
  BB_TRY(const auto reader, CrawlReader::open(folder));
  return reader->commit().number;
}

std::string place_of(const std::string& folder) {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  struct stat found {};
  if (boot.empty() || ::stat(folder.c_str(), &found) != 0) return {};
  return fmt::format("{}:{}:{}", boot, found.st_dev, found.st_ino);
}

}  // namespace bowerbird
