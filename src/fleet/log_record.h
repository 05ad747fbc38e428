// The records of a member's log on the broker, as bytes.
//
// The log of a member has what every commit added to the files that a restore needs (store/folder_copy.h), so
// that other processes can continue from it when the machine of the member is lost. A record is one message:
// a piece of a commit, or a claim by the process that takes over the member, or its withdrawal. A commit
// without its last piece does not count. Each record names the fleet and the folder of the member, and ends
// in the tag of the fleet (seal.h), which is also its checksum. Pieces are compressed with zstd. Nothing in
// them is secret: an option is in the journal only if it is fixed, and no fixed option is secret. The reader
// trusts no number, and returns nothing for bytes that no writer produces. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/keyed_hash.h"
#include "store/folder_copy.h"

namespace bowerbird {

// A piece holds about this much before compression. A broker accepts messages of 1 MiB.
inline constexpr std::size_t kPieceBytes = std::size_t{512} << 10;

// Consecutive bytes of a file. A block of a log may have several parts; the last one has its number of
// records.
struct LogPart {
  CopiedFile file = CopiedFile::kJournal;
  std::uint32_t records = 0;
  std::string bytes;
  friend bool operator==(const LogPart&, const LogPart&) = default;
};

// How a commit ends.
struct LoggedCommit {
  CopyPosition position;    // after it
  std::uint64_t bytes = 0;  // of all copied files, on the disk of the member
  friend bool operator==(const LoggedCommit&, const LoggedCommit&) = default;
};

struct LogPiece {
  std::uint64_t commit = 0;
  std::uint64_t number = 0;          // of this piece, from 0
  std::optional<LoggedCommit> last;  // only in the last piece
  std::vector<LogPart> parts;
};

struct LogClaim {
  std::string by;
  std::uint64_t commit = 0;  // the last one that counts
  bool withdrawn = false;    // the member may continue
};

struct LogRecord {
  std::string fleet, member;  // ids
  std::variant<LogPiece, LogClaim> content;
};

std::string write_log_record(const LogRecord& record, const HashKey& key);
std::optional<LogRecord> read_log_record(std::string_view message, const HashKey& key);
// The same without the parts of a piece.
std::optional<LogRecord> read_log_head(std::string_view message, const HashKey& key);

}  // namespace bowerbird
