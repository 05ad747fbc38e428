#include "fetch/archived_body.h"

#include <string>
#include <utility>

#include "parse/http_head.h"

namespace bowerbird {

void undo_rare_codings(FetchOutcome& fetch, const CodingLimits& limits) {
  if (fetch.decoded || fetch.body.empty()) return;
  const std::string coding = joined_fields(fetch.head, "content-encoding");
  if (coding.empty() || is_common_coding(coding)) return;
  std::string decoded;
  switch (decode_body(coding, fetch.body, limits, decoded)) {
    case CodingResult::kPlain:
      fetch.decoded = true;
      return;
    case CodingResult::kCut:
      if (!fetch.truncated && !has_partial_body(fetch)) return;
      [[fallthrough]];
    case CodingResult::kWhole:
    case CodingResult::kWrongChecksum:
      fetch.body = std::move(decoded);
      fetch.decoded = true;
      return;
    case CodingResult::kDamaged:
    case CodingResult::kTooLarge:
    case CodingResult::kUnknown:
      return;
  }
}

bool has_partial_body(const FetchOutcome& fetch) {
  const bool cut =
      fetch.end == FetchEnd::kTimedOut || fetch.end == FetchEnd::kCutShort || fetch.end == FetchEnd::kBroken;
  return cut && fetch.status >= 200 && !fetch.body.empty() &&
         (fetch.head.ends_with("\n\r\n") || fetch.head.ends_with("\n\n"));
}

}  // namespace bowerbird
