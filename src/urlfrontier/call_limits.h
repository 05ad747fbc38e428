// Limits of the arguments of UrlFrontier's calls. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "urlfrontier/url_frontier.h"

namespace bowerbird {

inline constexpr std::size_t kLongestGivenUrl = 8 << 10;
inline constexpr std::size_t kLongestQueueName = 1 << 10;
// A frame of the journal holds at most 64 MiB; the input of a call is well below.
inline constexpr std::size_t kMostCallBytes = std::size_t{24} << 20;
inline constexpr Time kLatestTime{Duration{std::int64_t{1} << 50}};

inline Status check_time(Time time) {
  if (time >= Time{} && time < kLatestTime) return {};
  return error("{} is not a valid time in milliseconds", milliseconds_of(time));
}

inline Time clamp_due(Time due) {
  return due >= kLatestTime ? kForever : std::max(due, Time{});
}

inline Status check_queue_name(std::string_view name) {
  if (name.size() <= kLongestQueueName) return {};
  return error("the name of a queue has {} bytes: at most {}", name.size(), kLongestQueueName);
}

inline Status check_call_size(std::size_t bytes) {
  if (bytes <= kMostCallBytes) return {};
  return error("the URLs and payloads of one call have {} bytes: the limit is {}", bytes, kMostCallBytes);
}

inline Status check_call_size(std::span<const UrlInput> inputs) {
  std::size_t sum = 0;
  for (const UrlInput& input : inputs) {
    sum += std::min(input.url.size(), kLongestGivenUrl) + input.queue.size() + 16;
    if (input.payload) sum += input.payload->size() + 64;
  }
  return check_call_size(sum);
}

}  // namespace bowerbird
