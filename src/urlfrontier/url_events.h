// Every event that can happen to a UrlFrontier, one struct per event, and how the journal encodes them.
//
// One call of the frontier is one frame of the journal: the time of the call, then its events. A frame is
// in the journal completely or not at all, so a call that a crash interrupts did not happen. Each struct
// lists its fields once, for both encoder and decoder. The number of an event is its position in
// UrlEvent: append new events at the end, or raise kUrlJournalFormat. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "base/event_fields.h"
#include "base/ids.h"
#include "base/time.h"
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
  Time until{};  // end of the lease
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
  Time due{};
  auto fields() { return std::tie(page, due); }
};
struct UrlsRemoved {
  std::vector<PageId> pages;
  auto fields() { return std::tie(pages); }
};
// A completed page is to be fetched again.
struct UrlScheduled {
  PageId page = 0;
  Time due{};
  auto fields() { return std::tie(page, due); }
};
struct QueueChanged {
  QueueId queue = 0;
  Duration delay = -1ms;
  Time blocked_until{};
  std::uint64_t limit = 0;
  auto fields() { return std::tie(queue, delay, blocked_until, limit); }
};
struct SettingsChanged {
  bool active = true;
  Duration delay{};
  auto fields() { return std::tie(active, delay); }
};
// The lease of a page gets another end.
struct LeaseChanged {
  PageId page = 0;
  Time until{};
  auto fields() { return std::tie(page, until); }
};
// The ordering confirmed the score of a queued page, and gave it a lower one.
struct PageDemoted {
  PageId page = 0;
  auto fields() { return std::tie(page); }
};
// The facts of a page (url_record.h), which are read from the journal when needed.
struct RecordWritten {
  PageId page = 0;
  std::string record;
  auto fields() { return std::tie(page, record); }
};

using UrlEvent = std::variant<QueueAdded, UrlAdded, SeedsEntered, LinksFound, UrlTaken, UrlCompleted,
                              UrlRetried, UrlsRemoved, UrlScheduled, QueueChanged, SettingsChanged,
                              RecordWritten, LeaseChanged, PriorityGiven, PageDemoted>;

class UrlEventEncoder : public FieldEncoder<UrlEventEncoder> {
 public:
  using FieldEncoder::FieldEncoder;
  using FieldEncoder::operator();
  void operator()(std::int64_t value) { put_signed(out_, value); }
  void operator()(Time value) { put_signed(out_, milliseconds_of(value)); }
  void operator()(Duration value) { put_signed(out_, value.count()); }
};

class UrlEventDecoder : public FieldDecoder<UrlEventDecoder> {
 public:
  using FieldDecoder::FieldDecoder;
  using FieldDecoder::operator();
  void operator()(std::int64_t& value) { value = in_.get_signed(); }
  void operator()(Time& value) { value = Time{Duration{in_.get_signed()}}; }
  void operator()(Duration& value) { value = Duration{in_.get_signed()}; }
};

template <typename E>
constexpr char url_event_number() {
  return static_cast<char>(event_position<UrlEvent, E>());
}

template <typename E>
void put_event(std::string& out, const E& event) {
  out.push_back(url_event_number<E>());
  UrlEventEncoder encode(out);
  encode(const_cast<E&>(event));  // fields() is not const, but encoding only reads
}

// Fails if the input is not an event.
inline UrlEvent get_event(VarintReader& in) {
  UrlEvent event;
  UrlEventDecoder decode(in);
  if (!decode_numbered(in.get_byte(), decode, event)) in.reject();
  return event;
}

}  // namespace bowerbird
