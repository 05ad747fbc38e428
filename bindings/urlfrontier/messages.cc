#include "messages.h"

#include "stored.pb.h"
#include "sys/clock.h"

namespace bowerbird {

const std::string& crawl_name(const std::string& id) {
  static const std::string kDefault = "DEFAULT";
  return id.empty() ? kDefault : id;
}

Time wall_time() {
  return Time{Duration{WallClock().now_us() / 1000}};
}

Time time_of_seconds(std::uint64_t seconds) {
  constexpr std::uint64_t kLatest = std::uint64_t{1} << 39;  // later than any date
  return seconds >= kLatest ? kForever : Time{std::chrono::seconds{seconds}};
}

std::string make_payload(const urlfrontier::URLInfo& info, std::uint64_t created) {
  stored::Payload payload;
  payload.set_created(created);
  for (const auto& [key, list] : info.metadata()) {
    auto& values = (*payload.mutable_metadata())[key];
    for (const std::string& value : list.values()) values.add_values(value);
  }
  return payload.SerializeAsString();
}

std::uint64_t created_of(std::string_view bytes) {
  stored::Payload payload;
  if (!payload.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return 0;
  return payload.created();
}

void fill_info(const std::string& url, const std::string& queue, const std::string& bytes,
               const std::string& crawl, urlfrontier::URLInfo& info) {
  info.set_url(url);
  info.set_key(queue);
  info.set_crawlid(crawl);
  stored::Payload payload;
  if (!payload.ParseFromString(bytes)) return;
  for (const auto& [key, list] : payload.metadata()) {
    auto& values = (*info.mutable_metadata())[key];
    for (const std::string& value : list.values()) values.add_values(value);
  }
}

void fill_item(const UrlStatus& status, const std::string& crawl, urlfrontier::URLItem& item) {
  const std::uint64_t created = created_of(status.payload);
  urlfrontier::KnownURLItem& known = *item.mutable_known();
  fill_info(status.url, status.queue, status.payload, crawl, *known.mutable_info());
  item.set_creation_date(created);
  if (status.state == UrlState::kCompleted) return;
  Time due{std::chrono::seconds{created}};
  if (status.due) due = *status.due;
  if (status.leased_until && *status.leased_until < kForever) due = *status.leased_until;
  known.set_refetchable_from_date(
      static_cast<std::uint64_t>(std::max<std::int64_t>(milliseconds_of(due) / 1000, 1)));
}

std::string_view parent_of(const urlfrontier::URLInfo& info, const std::string& key) {
  const auto found = info.metadata().find(key);
  if (found == info.metadata().end() || found->second.values().empty()) return {};
  return found->second.values(found->second.values_size() - 1);
}

urlfrontier::AckMessage::Status ack_status(PutAnswer answer) {
  switch (answer) {
    case PutAnswer::kDone:
      return urlfrontier::AckMessage::OK;
    case PutAnswer::kKnown:
    case PutAnswer::kRefused:
      return urlfrontier::AckMessage::SKIPPED;
    case PutAnswer::kFailed:
      break;
  }
  return urlfrontier::AckMessage::FAIL;
}

}  // namespace bowerbird
