#include "web/site/faults.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/rng.h"
#include "base/suggest.h"
#include "base/units.h"

namespace bowerbird {

namespace {

constexpr std::array<FaultInfo, 30> kFaults = {{
    {Fault::kNotFound, "not-found", "404", 0},
    {Fault::kGone, "gone", "410", 0},
    {Fault::kForbidden, "forbidden", "403", 0},
    {Fault::kError, "error", "500", 0},
    {Fault::kUnavailable, "unavailable", "503 with Retry-After", 2},
    {Fault::kTooMany, "too-many", "429 with Retry-After", 1},
    {Fault::kMoved, "moved", "a chain of redirects that ends at the page", 0},
    {Fault::kLoop, "loop", "redirects in a circle", 0},
    {Fault::kTruncated, "truncated", "the connection ends in the middle of the body", 0},
    {Fault::kOverlong, "overlong", "Content-Length is half of what is sent", 0},
    {Fault::kReset, "reset", "the connection is reset in the middle of the body", 0},
    {Fault::kDropped, "dropped", "the connection is reset before the response", 0},
    {Fault::kEmpty, "empty", "the connection is closed without a response", 0},
    {Fault::kStall, "stall", "no response; the connection stays open", 0},
    {Fault::kHang, "hang", "half of the body; the connection stays open", 0},
    {Fault::kDrip, "drip", "a few bytes at a time", 0},
    {Fault::kGarbage, "garbage", "not HTTP", 0},
    {Fault::kBadChunk, "bad-chunk", "a chunk size that is not a number", 0},
    {Fault::kBadCoding, "bad-coding", "a damaged gzip body", 0},
    {Fault::kNoLength, "no-length", "a body that ends with the connection, as in HTTP/1.0", 0},
    {Fault::kEndless, "endless", "endless body", 0},
    {Fault::kHugeHead, "huge-head", "half a megabyte of header fields", 0},
    {Fault::kBinary, "binary", "random bytes as text/html", 0},
    {Fault::kVanishing, "vanishing", "404 or 410 for 30 % of the time, ten days each", 0},
    {Fault::kRestless, "restless", "a counter, a token and the ETag differ in every response", 0},
    {Fault::kNoValidators, "no-validators", "neither ETag nor Last-Modified", 0},
    {Fault::kWeakTag, "weak-etag", "a weak ETag", 0},
    {Fault::kStuckTag, "stuck-etag", "an ETag that never changes, and 304 to clients that have it", 0},
    {Fault::kFutureDate, "future-date", "Last-Modified in a year from now, and no ETag", 0},
    {Fault::kUnaskedNotModified, "unasked-304", "304 to every request", 0},
}};

Result<NamedShare> parse_item(std::string_view item, std::string_view what,
                              const std::vector<std::string>& names) {
  const std::size_t equals = item.find('=');
  std::string_view name = item.substr(0, equals);
  NamedShare share{0, 1, 0, false};
  if (const std::size_t colon = name.find(':'); colon != name.npos) {
    const std::string_view times = name.substr(colon + 1);
    const auto [end, fault] = std::from_chars(times.data(), times.data() + times.size(), share.times);
    if (times.empty() || fault != std::errc() || end != times.data() + times.size()) {
      return error("'{}': '{}' is not a number of times", item, times);
    }
    share.has_times = true;
    name = name.substr(0, colon);
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return error("unknown {} '{}'{}", what, name, did_you_mean(name, names));
  share.name = static_cast<std::size_t>(found - names.begin());
  if (equals != item.npos) {
    const auto value = parse_share(item.substr(equals + 1));
    if (!value) return error("'{}': {}", item, value.error().text);
    share.share = *value;
  }
  return share;
}

}  // namespace

std::span<const FaultInfo> all_faults() {
  return kFaults;
}

std::string_view fault_name(Fault fault) {
  return fault == Fault::kNone ? "-" : kFaults[static_cast<std::size_t>(fault) - 1].name;
}

Result<std::vector<NamedShare>> parse_named_shares(std::string_view text, std::string_view what,
                                                   const std::vector<std::string>& names) {
  std::vector<NamedShare> shares;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    BB_TRY(const NamedShare share, parse_item(text.substr(0, comma), what, names));
    shares.push_back(share);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
  }
  return shares;
}

Result<std::vector<FaultRule>> parse_faults(std::string_view text) {
  std::vector<std::string> names;
  for (const FaultInfo& info : kFaults) names.emplace_back(info.name);
  BB_TRY(const auto shares, parse_named_shares(text, "fault", names));
  std::vector<FaultRule> rules;
  double sum = 0;
  for (const NamedShare& share : shares) {
    const FaultInfo& info = kFaults[share.name];
    rules.push_back({info.fault, share.share, share.has_times ? share.times : info.times});
    sum += share.share;
  }
  if (sum > 1.0000001) return error("'{}': the shares add up to more than 100 %", text);
  return rules;
}

FaultRule FaultTable::pick(std::uint64_t bits) const {
  double u = to_unit(bits);
  for (const FaultRule& rule : rules_) {
    if (u < rule.share) return rule;
    u -= rule.share;
  }
  return {};
}

}  // namespace bowerbird
