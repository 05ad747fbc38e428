#include "crawl/state/events.h"

#include <limits>

#include "base/event_fields.h"

namespace bowerbird {

namespace {

class EventEncoder : public FieldEncoder<EventEncoder> {
 public:
  EventEncoder(std::string& out, Time now) : FieldEncoder(out), now_(now) {}

  using FieldEncoder::operator();
  void operator()(Time value) { put_relative(milliseconds_of(value)); }
  void operator()(RefreshTime value) { put_varint(out_, static_cast<std::uint64_t>(milliseconds_of(value))); }
  void operator()(Duration value) { put_varint(out_, static_cast<std::uint64_t>(value.count())); }
  void operator()(FetchedBefore& held) {
    (*this)(held.page);
    put_relative(milliseconds_of(held.fetched));
  }
  void operator()(const StoredLink& link) {
    put_varint(out_, link.page);
    out_ += static_cast<char>(link.flags);
  }
  void operator()(const Message& message) { put_message(out_, message); }
  void operator()(MessageId& id) {
    (*this)(id.sender);
    (*this)(id.partition);
    (*this)(id.number);
  }

 private:
  void put_relative(std::int64_t time) {
    put_varint(out_, time >= milliseconds_of(kNever) ? 0 : zigzag(time - milliseconds_of(now_)) + 1);
  }

  Time now_;
};

// Limit of times in a journal, in ms since 1970: their microseconds must not overflow.
constexpr std::int64_t kLatest = std::int64_t{1} << 50;

class EventDecoder : public FieldDecoder<EventDecoder> {
 public:
  EventDecoder(VarintReader& in, Time now) : FieldDecoder(in), now_(now) {}

  using FieldDecoder::operator();
  void operator()(Time& value) { value = Time{get_relative()}; }
  void operator()(RefreshTime& value) { value = RefreshTime{get_duration()}; }
  void operator()(Duration& value) { value = get_duration(); }
  void operator()(FetchedBefore& held) {
    (*this)(held.page);
    held.fetched = RefreshTime{get_relative()};
  }
  void operator()(StoredLink& link) {
    link.page = static_cast<PageId>(in_.get_at_most(kNoPage));
    link.flags = in_.get_byte();
  }
  void operator()(Message& message) { message = get_message(in_); }
  void operator()(MessageId& id) {
    (*this)(id.sender);
    (*this)(id.partition);
    (*this)(id.number);
  }

 private:
  Duration get_relative() {
    const std::uint64_t coded = in_.get();
    if (coded == 0) return kNever.time_since_epoch();
    const std::int64_t difference = unzigzag(coded - 1);
    if (difference < -kLatest || difference > kLatest) {
      in_.reject();
      return kNever.time_since_epoch();
    }
    const std::int64_t time = milliseconds_of(now_) + difference;
    if (time < 0 || time > kLatest) in_.reject();
    return Duration{time};
  }
  Duration get_duration() {
    return Duration{static_cast<std::int64_t>(in_.get_at_most(std::numeric_limits<std::int64_t>::max()))};
  }

  Time now_;
};

}  // namespace

template <typename E>
std::uint8_t event_number() {
  if constexpr (std::is_same_v<E, PageDone>) return kLinksEvent;
  return static_cast<std::uint8_t>(kFirstCrawlEvent + event_position<CrawlEvent, E>());
}

template <typename E>
void encode_event(const E& event, Time now, std::string& out) {
  EventEncoder encode(out, now);
  encode(const_cast<E&>(event));  // fields() is not const, but encoding only reads
}

#define BB_EVENT(E)                        \
  template std::uint8_t event_number<E>(); \
  template void encode_event<E>(const E&, Time, std::string&);
BB_EVENT(PageDone)
BB_EVENT(SeedsAdded)
BB_EVENT(PageTaken)
BB_EVENT(PageRetried)
BB_EVENT(PageExcluded)
BB_EVENT(LinksAdmitted)
BB_EVENT(GateSet)
BB_EVENT(HostChanged)
BB_EVENT(RobotsChanged)
BB_EVENT(QueueLimited)
BB_EVENT(PageMerged)
BB_EVENT(LinksReceived)
BB_EVENT(PartitionAdopted)
BB_EVENT(PieceArrived)
BB_EVENT(PartitionsGiven)
BB_EVENT(BatchesFlushed)
BB_EVENT(MessageConfirmed)
BB_EVENT(OrphanAbsorbed)
BB_EVENT(ForeignPageEntered)
BB_EVENT(PageBlocked)
BB_EVENT(SitemapsFound)
BB_EVENT(RequisitesFound)
BB_EVENT(RequisiteEnded)
BB_EVENT(RefreshStarted)
BB_EVENT(PagesHeld)
BB_EVENT(RefreshTaken)
BB_EVENT(RefreshBlocked)
BB_EVENT(PageVisited)
BB_EVENT(VisitPostponed)
BB_EVENT(PagesListed)
BB_EVENT(ImportanceUpdated)
BB_EVENT(RuleChanged)
BB_EVENT(OptionChanged)
BB_EVENT(ChangeNoted)
BB_EVENT(PagesRequested)
BB_EVENT(RequestsDropped)
BB_EVENT(PagesEntered)
BB_EVENT(PageSuspended)
BB_EVENT(PagesReleased)
BB_EVENT(RequestTaken)
BB_EVENT(RanksComputed)
#undef BB_EVENT

Result<CrawlEvent> decode_event(const Event& event, Time now) {
  CrawlEvent made;
  VarintReader in(event.payload);
  const std::size_t number = event.type == kLinksEvent ? 0 : event.type - std::size_t{kFirstCrawlEvent};
  EventDecoder decode(in, now);
  const bool known = decode_numbered(number, decode, made);
  if (!known || !in.ok() || !in.at_end()) return error("the journal contains an event that cannot be read");
  if (auto* const done = std::get_if<PageDone>(&made)) {
    done->page = event.page;
    done->links = event.links;
  }
  return made;
}

}  // namespace bowerbird
