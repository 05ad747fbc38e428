// Every event that can happen to a UrlFrontier, one struct per event, and how the journal encodes them.
//
// One call of the frontier is one frame of the journal: the time of the call, then its events. A frame is
// in the journal completely or not at all, so a call that a crash interrupts did not happen. Each struct
// lists its fields once, for both encoder and decoder. The number of an event is its position in
// UrlEvent: append new events at the end, or raise kUrlJournalFormat. Plain data.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "base/varint.h"
#include "frontier/off_queue.h"
#include "urlfrontier/queue_table.h"

namespace bowerbird {

inline constexpr std::uint32_t kUrlJournalFormat = 1;

struct QueueAdded {
  std::string name;
  auto fields() { return std::tie(name); }
};
struct UrlAdded {
  QueueId queue = 0;
  std::string url;
  auto fields() { return std::tie(queue, url); }
};
// Sets the priority of a page that is not in the ordering's queue, or enters it again.
struct PriorityGiven {
  PageId page = 0;
  std::int64_t priority = 0;
  auto fields() { return std::tie(page, priority); }
};
// The pages enter as seeds. light: with small weight, since they were found during the crawl.
struct SeedsEntered {
  std::vector<PageId> pages;
  std::vector<double> weights;
  double total = 0;
  bool light = false;
  auto fields() { return std::tie(pages, weights, total, light); }
};
// Links of a page were found. They are kept until the page is completed, or enter at once if it already
// is.
struct LinksFound {
  PageId parent = kNoPage;  // kNoPage: unknown
  std::vector<PageId> links;
  auto fields() { return std::tie(parent, links); }
};
struct UrlTaken {
  PageId page = 0;
  Time until = 0;  // end of the lease
  auto fields() { return std::tie(page, until); }
};
// A page was fetched and has these links. It need not have been leased.
struct UrlCompleted {
  PageId page = 0;
  std::vector<PageId> links;
  Time due = kForever;  // when it is due again
  // Links that are not followed: they count as links but do not enter. `hidden` are those that were
  // unknown before.
  std::vector<PageId> unfollowed;
  std::vector<PageId> hidden;
  auto fields() { return std::tie(page, links, due, unfollowed, hidden); }
};
struct UrlRetried {
  PageId page = 0;
  Time due = 0;
  auto fields() { return std::tie(page, due); }
};
struct UrlsRemoved {
  std::vector<PageId> pages;
  auto fields() { return std::tie(pages); }
};
// A completed page is to be fetched again.
struct UrlScheduled {
  PageId page = 0;
  Time due = 0;
  auto fields() { return std::tie(page, due); }
};
struct QueueChanged {
  QueueId queue = 0;
  Time delay = -1;
  Time blocked_until = 0;
  std::uint64_t limit = 0;
  auto fields() { return std::tie(queue, delay, blocked_until, limit); }
};
struct SettingsChanged {
  bool active = true;
  Time delay = 0;
  auto fields() { return std::tie(active, delay); }
};
// The lease of a page gets another end.
struct LeaseChanged {
  PageId page = 0;
  Time until = 0;
  auto fields() { return std::tie(page, until); }
};
// The facts of a page (url_record.h), which are read from the journal when needed.
struct RecordWritten {
  PageId page = 0;
  std::string record;
  auto fields() { return std::tie(page, record); }
};

using UrlEvent = std::variant<QueueAdded, UrlAdded, SeedsEntered, LinksFound, UrlTaken, UrlCompleted,
                              UrlRetried, UrlsRemoved, UrlScheduled, QueueChanged, SettingsChanged,
                              RecordWritten, LeaseChanged, PriorityGiven>;

namespace url_events {

inline void put(std::string& out, const std::string& text) {
  put_string(out, text);
}
inline void put(std::string& out, bool value) {
  put_varint(out, value ? 1 : 0);
}
inline void put(std::string& out, std::uint32_t value) {
  put_varint(out, value);
}
inline void put(std::string& out, std::uint64_t value) {
  put_varint(out, value);
}
inline void put(std::string& out, std::int64_t value) {
  put_signed(out, value);
}
inline void put(std::string& out, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  out.append(reinterpret_cast<const char*>(&bits), sizeof bits);
}
template <typename T>
void put(std::string& out, const std::vector<T>& values) {
  put_varint(out, values.size());
  for (const T& value : values) put(out, value);
}

inline void get(VarintReader& in, std::string& text) {
  text = std::string(in.get_string());
}
inline void get(VarintReader& in, bool& value) {
  value = in.get_at_most(1) != 0;
}
inline void get(VarintReader& in, std::uint32_t& value) {
  value = static_cast<std::uint32_t>(in.get_at_most(0xffffffffu));
}
inline void get(VarintReader& in, std::uint64_t& value) {
  value = in.get();
}
inline void get(VarintReader& in, std::int64_t& value) {
  value = in.get_signed();
}
inline void get(VarintReader& in, double& value) {
  std::uint64_t bits = 0;
  const std::string_view bytes = in.get_bytes(sizeof bits);
  if (bytes.size() == sizeof bits) bytes.copy(reinterpret_cast<char*>(&bits), sizeof bits);
  value = std::bit_cast<double>(bits);
  if (value != value) in.reject();
}
template <typename T>
void get(VarintReader& in, std::vector<T>& values) {
  values.resize(static_cast<std::size_t>(in.get_at_most(in.left())));
  for (T& value : values) get(in, value);
}

template <typename E, std::size_t I = 0>
constexpr std::uint8_t number_of() {
  if constexpr (std::is_same_v<E, std::variant_alternative_t<I, UrlEvent>>) {
    return I;
  } else {
    return number_of<E, I + 1>();
  }
}

template <std::size_t I = 0>
UrlEvent make(std::uint8_t number) {
  if constexpr (I + 1 < std::variant_size_v<UrlEvent>) {
    if (number > I) return make<I + 1>(number);
  }
  return std::variant_alternative_t<I, UrlEvent>{};
}

}  // namespace url_events

template <typename E>
void put_event(std::string& out, E& event) {
  out.push_back(static_cast<char>(url_events::number_of<E>()));
  std::apply([&](auto&... field) { (url_events::put(out, field), ...); }, event.fields());
}

// Fails if the input is not an event.
inline UrlEvent get_event(VarintReader& in) {
  const std::uint8_t number = in.get_byte();
  if (number >= std::variant_size_v<UrlEvent>) in.reject();
  UrlEvent event = url_events::make(in.ok() ? number : std::uint8_t{0});
  std::visit(
      [&](auto& one) {
        std::apply([&](auto&... field) { (url_events::get(in, field), ...); }, one.fields());
      },
      event);
  return event;
}

}  // namespace bowerbird
