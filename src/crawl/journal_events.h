// The types of the events that a crawl writes to its journal, beside the store's own; their layout is where
// they are written (brain.cc, resume.cc). A number, once used, keeps its meaning.
#pragma once

#include <cstdint>

namespace bowerbird {

inline constexpr std::uint8_t kEventSeeds = 16;     // pages that are seeds, with weights
inline constexpr std::uint8_t kEventNext = 17;      // a page was asked of the frontier
inline constexpr std::uint8_t kEventRetry = 18;     // a page is to be tried again
inline constexpr std::uint8_t kEventGate = 19;      // a host's gate was set
inline constexpr std::uint8_t kEventHost = 20;      // what politeness knows of a host
inline constexpr std::uint8_t kEventRobots = 21;    // the rules of a host
inline constexpr std::uint8_t kEventRevisit = 22;   // a page gave links that it had held back
inline constexpr std::uint8_t kEventLimit = 23;     // the queue is limited to so many bytes from here on
inline constexpr std::uint8_t kEventAdmit = 24;     // links that were left out are followed after all
inline constexpr std::uint8_t kEventLeaveOut = 25;  // a page does not belong to the crawl any more
inline constexpr std::uint8_t kEventSettle = 26;    // a page of a merged crawl, its state and score
inline constexpr std::uint8_t kEventReceive = 30;   // links that another process found
inline constexpr std::uint8_t kEventAdopt = 31;     // a partition came, with its pages
inline constexpr std::uint8_t kEventGive = 32;      // partitions went
inline constexpr std::uint8_t kEventCut = 33;       // what is to be sent was packed, full or not
inline constexpr std::uint8_t kEventConfirm = 34;   // what was sent is safe with its receiver
inline constexpr std::uint8_t kEventAbsorb = 35;    // what a lost process had still to send
inline constexpr std::uint8_t kEventCross = 36;     // a foreign page is followed
inline constexpr std::uint8_t kEventTopic = 40;     // the page whose links come next is about the topic
inline constexpr std::uint8_t kEventFailed = 41;    // the page whose links come next was not fetched

}  // namespace bowerbird
