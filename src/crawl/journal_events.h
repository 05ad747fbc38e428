// The types of the events that a crawl writes to its journal, beside the store's own; their layout is where
// they are written (brain.cc, resume.cc). A number, once used, keeps its meaning.
#pragma once

#include <cstdint>

namespace bowerbird {

inline constexpr std::uint8_t kEventSeeds = 16;    // pages that are seeds, with weights
inline constexpr std::uint8_t kEventNext = 17;     // a page was asked of the frontier
inline constexpr std::uint8_t kEventRetry = 18;    // a page is to be tried again
inline constexpr std::uint8_t kEventGate = 19;     // a host's gate was set
inline constexpr std::uint8_t kEventHost = 20;     // what politeness knows of a host
inline constexpr std::uint8_t kEventRobots = 21;   // the rules of a host
inline constexpr std::uint8_t kEventReceive = 22;  // links that another process found
inline constexpr std::uint8_t kEventAdopt = 23;    // a partition came, with its pages
inline constexpr std::uint8_t kEventGive = 24;     // partitions went
inline constexpr std::uint8_t kEventCut = 25;      // what is to be sent was packed, full or not
inline constexpr std::uint8_t kEventConfirm = 26;  // what was sent is safe with its receiver
inline constexpr std::uint8_t kEventAbsorb = 27;   // what a lost process had still to send
inline constexpr std::uint8_t kEventCross = 28;    // a foreign page is followed

}  // namespace bowerbird
