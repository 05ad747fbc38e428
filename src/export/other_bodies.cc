#include "export/other_bodies.h"

#include <algorithm>

#include "store/digest_text.h"

namespace bowerbird {

void OtherBodies::find(std::string_view digest, ListedRecord& record) {
  if (archives_ == nullptr) return;
  const auto sha1 = sha1_of_text(digest);
  const auto found = sha1 ? archives_->locate(*sha1) : std::nullopt;
  if (!found) return;
  // Most records are in the file of the one before.
  auto path = std::find(paths_.rbegin(), paths_.rend(), found->path);
  if (path == paths_.rend()) {
    paths_.push_back(found->path);
    path = paths_.rbegin();
  }
  record.payload_file = kElsewhere + static_cast<std::uint32_t>(paths_.rend() - path - 1);
  record.payload_offset = found->offset;
}

}  // namespace bowerbird
