// Facts about a URL that are rarely needed: its payload, its first visit as the ordering was told of it,
// and when it is due again. Stored in the journal; only the position is in memory. Plain data.
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
  std::optional<Visit> visit;  // none: never completed in a way that the ordering counted
  Time due = kForever;         // of a completed URL

  std::string encode() const;
  // None: the bytes are not a valid record.
  static std::optional<UrlRecord> decode(std::string_view bytes);
};

}  // namespace bowerbird
