// Bodies of revisits that are in archives outside of the input: those that a crawl used with --dedup.
//
// find() gives a record the file and place of its body there. Files are numbered from kElsewhere, so that
// they differ from those of the input. Bodies are compared with the revisit's digest when they are read
// (record_body.h): an archive may have changed since. Memory: a name per file. Threads: find() has one user;
// path() may be called by any while nobody finds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "export/selection.h"
#include "store/other_payloads.h"

namespace bowerbird {

class OtherBodies {
 public:
  static constexpr std::uint32_t kElsewhere = std::uint32_t{1} << 31;

  // archives: outlive the object; null: none.
  explicit OtherBodies(OtherPayloads* archives = nullptr) : archives_(archives) {}

  // Nothing happens if no archive has it. digest: of the revisit.
  void find(std::string_view digest, ListedRecord& record);
  const std::string& path(std::uint32_t file) const { return paths_[file - kElsewhere]; }

 private:
  OtherPayloads* archives_;
  std::vector<std::string> paths_;
};

inline bool has_body_elsewhere(const ListedRecord& record) {
  return record.payload_file >= OtherBodies::kElsewhere;
}

}  // namespace bowerbird
