// Who a crawl folder is in its fleet, whatever its path and its machine are called.
//
// Problem: names repeat. A restored backup, a cloned machine and a folder of another fleet have the same
// member name, path and host name, and would continue with work that others have done since. Therefore a
// fleet has a random id, kept for ever by its broker, and so has every member. Both are in the folder too, in
// fleet-member.json. A process joins only if they agree, and if its folder has the last commit that the
// broker knows of. Threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

struct MemberIdentity {
  std::string fleet;    // id of the fleet; empty: it has joined none yet
  std::string member;   // id of this folder
  bool joined = false;  // the broker has had a record of it
};

// 128 random bits, in hexadecimal digits.
std::string random_id();

// None: the folder has never been a member of a fleet.
Result<std::optional<MemberIdentity>> read_identity(const std::string& folder);
// Creates the folder too. Only its owner can read the file.
Status write_identity(const std::string& folder, const MemberIdentity& identity);
// Whether this folder, as seen from here, is that of the member with this id.
bool is_folder_of(const std::string& folder, const std::string& member_id);

// The number of the last commit in a crawl folder; 0: it holds no crawl.
Result<std::uint64_t> last_commit_in(const std::string& folder);

// Distinguishes the folder from all its copies: the running kernel, device and inode. Empty: not known.
std::string place_of(const std::string& folder);

}  // namespace bowerbird
