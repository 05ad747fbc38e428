#include "export/record_lister.h"

#include <utility>

namespace bowerbird {

void RecordLister::add(const Capture& capture) {
  const std::uint64_t digest = digest_hash(capture.digest);
  const auto file = static_cast<std::uint32_t>(capture.file);
  if (!capture.revisit && digest != 0) payloads_.try_emplace(digest, Payload{capture.offset, file});
  auto record = listed_record(capture, selection_, counts_);
  if (!record) return;
  if (record->revisit) others_.find(capture.digest, *record);
  records_.push_back(*record);
}

std::vector<ListedRecord> RecordLister::take(ListCounts& counts) {
  for (ListedRecord& record : records_) {
    if (!record.revisit) continue;
    const auto found = payloads_.find(record.digest_hash);
    if (found != payloads_.end()) {
      record.payload_offset = found->second.offset;
      record.payload_file = found->second.file;
    }
    record.revisit = found == payloads_.end() && !has_body_elsewhere(record);
  }
  counts_.missing_payloads +=
      std::erase_if(records_, [](const ListedRecord& record) { return record.revisit; });
  if (selection_.duplicates != Duplicates::kKeep) {
    counts_.duplicates += std::erase_if(records_, [&](const ListedRecord& record) {
      return record.digest_hash != 0 && !seen_.insert(record.digest_hash).second;
    });
  }
  counts = std::exchange(counts_, {});
  return std::exchange(records_, {});
}

}  // namespace bowerbird
