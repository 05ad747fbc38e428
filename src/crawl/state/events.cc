#include "crawl/state/events.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/varint.h"
#include "crawl/state/hosts.h"

namespace bowerbird {

namespace {

template <typename T>
concept HasFields = requires(T& value) {
  value.fields();
};

// ---- Writing

class EventEncoder {
 public:
  EventEncoder(std::string& out, Time now) : out_(out), now_(now) {}

  template <HasFields T>
  void operator()(T& value) {
    std::apply([this](auto&... field) { ((*this)(field), ...); }, value.fields());
  }
  template <typename T>
  requires std::is_unsigned_v<T>
  void operator()(T value) { put_varint(out_, value); }
  void operator()(Time value) { put_varint(out_, value >= kNoTime ? 0 : zigzag(value - now_) + 1); }
  void operator()(double value) {
    const auto bits = std::bit_cast<std::array<char, sizeof value>>(value);
    out_.append(bits.data(), bits.size());
  }
  void operator()(const std::string& value) { put_string(out_, value); }
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
  template <typename T>
  void operator()(std::vector<T>& values) {
    put_varint(out_, values.size());
    for (T& value : values) (*this)(value);
  }

 private:
  std::string& out_;
  Time now_;
};

// ---- Reading

// Limit of times in a journal, in ms since 1970: their microseconds must not overflow.
constexpr Time kLatest = Time{1} << 50;

class EventDecoder {
 public:
  EventDecoder(VarintReader& in, Time now) : in_(in), now_(now) {}

  template <HasFields T>
  void operator()(T& value) {
    std::apply([this](auto&... field) { ((*this)(field), ...); }, value.fields());
  }
  template <typename T>
  requires std::is_unsigned_v<T>
  void operator()(T& value) { value = static_cast<T>(in_.get_at_most(std::numeric_limits<T>::max())); }
  void operator()(Time& value) {
    const std::uint64_t coded = in_.get();
    value = kNoTime;
    if (coded == 0) return;
    const std::int64_t difference = unzigzag(coded - 1);
    if (difference < -kLatest || difference > kLatest) return in_.reject();
    value = now_ + difference;
    if (value < 0 || value > kLatest) in_.reject();
  }
  void operator()(double& value) {
    const std::string_view bytes = in_.get_bytes(sizeof value);
    if (bytes.size() == sizeof value) std::memcpy(&value, bytes.data(), sizeof value);
    if (!std::isfinite(value)) in_.reject();
  }
  void operator()(std::string& value) { value = in_.get_string(); }
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
  template <typename T>
  void operator()(std::vector<T>& values) {
    for (std::uint64_t count = in_.get_at_most(in_.left()); count > 0 && in_.ok(); --count) {
      (*this)(values.emplace_back());
    }
  }

 private:
  VarintReader& in_;
  Time now_;
};

template <typename E, std::size_t I = 0>
constexpr std::size_t position() {
  if constexpr (std::is_same_v<E, std::variant_alternative_t<I, CrawlEvent>>) {
    return I;
  } else {
    return position<E, I + 1>();
  }
}

template <std::size_t I = 0>
bool decode_as(std::size_t wanted, VarintReader& in, Time now, CrawlEvent& event) {
  if constexpr (I == std::variant_size_v<CrawlEvent>) {
    return false;
  } else {
    if (wanted != I) return decode_as<I + 1>(wanted, in, now, event);
    EventDecoder decode(in, now);
    decode(event.emplace<I>());
    return true;
  }
}

}  // namespace

template <typename E>
std::uint8_t event_number() {
  if constexpr (std::is_same_v<E, PageDone>) return kLinksEvent;
  return static_cast<std::uint8_t>(kFirstCrawlEvent + position<E>());
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
BB_EVENT(PageHeldBack)
BB_EVENT(PagesReleased)
BB_EVENT(RequestTaken)
BB_EVENT(RanksComputed)
#undef BB_EVENT

Result<CrawlEvent> decode_event(const Event& event, Time now) {
  CrawlEvent made;
  VarintReader in(event.payload);
  const std::size_t number = event.type == kLinksEvent ? 0 : event.type - std::size_t{kFirstCrawlEvent};
  const bool known = decode_as(number, in, now, made);
  if (!known || !in.ok() || !in.at_end()) return error("the journal contains an event that cannot be read");
  if (auto* const done = std::get_if<PageDone>(&made)) {
    done->page = event.page;
    done->links = event.links;
  }
  return made;
}

}  // namespace bowerbird
