// The facts about a URL that are needed rarely: its payload, its first visit as the ordering was told of it,
// and when it is due again. Stored in the journal; in memory is only where.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/varint.h"
#include "policy/policy.h"
#include "urlfrontier/queue_table.h"

namespace bowerbird {

struct UrlRecord {
  std::string payload;
  std::optional<Visit> visit;  // none: it was never completed with the ordering's knowledge
  Time due = kForever;         // of a completed URL

  std::string encode() const;
  // None if the bytes are no record.
  static std::optional<UrlRecord> decode(std::string_view bytes);
};

}  // namespace bowerbird
