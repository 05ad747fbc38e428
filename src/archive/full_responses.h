// Full responses for revisit records whose original is not in the same package.
//
// A revisit record refers to a response elsewhere. In a package without that response it could not be
// shown. So a response is written with the revisit's header and the original's body, if the original is
// available: in another part of the same archive, or in an archive that the crawl was compared with.
// Bodies are checked against the digest of the revisit. Memory: 8 bytes per capture, and an entry per
// such revisit. Threads: one user.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "archive/captures.h"
#include "archive/wacz_parts.h"
#include "base/progress.h"
#include "base/result.h"
#include "store/other_payloads.h"

namespace bowerbird {

// A record in a WARC file.
struct RecordPosition {
  std::string path;
  std::uint64_t offset = 0;
};

class FullResponses {
 public:
  // A revisit in the part, and the position of its payload.
  struct Entry {
    std::size_t file = 0;
    std::uint64_t offset = 0;
    RecordPosition payload;
  };

  // others: archives that the crawl was compared with; null: none.
  static Result<FullResponses> find(CaptureSource& source, const WaczPart& part, OtherPayloads* others,
                                    const Progress& progress);

  const std::vector<Entry>& entries() const { return entries_; }
  std::uint64_t missing() const { return missing_; }  // revisits whose original was not found

 private:
  std::vector<Entry> entries_;
  std::uint64_t missing_ = 0;
};

// The response record; empty: the payload does not match the digest of the revisit.
Result<std::string> full_response(const RecordPosition& revisit, const RecordPosition& payload);

// A key for a digest in any encoding.
std::uint64_t payload_key(std::string_view digest);

}  // namespace bowerbird
