#include "urlfrontier/url_record.h"

#include "urlfrontier/url_events.h"

namespace bowerbird {

namespace {

auto fields_of(Visit& visit) {
  return std::tie(visit.page, visit.discovered, visit.score, visit.links, visit.other_host, visit.crawled,
                  visit.known);
}

}  // namespace

std::string UrlRecord::encode() const {
  std::string out;
  UrlEventEncoder encode(out);
  encode(payload);
  encode(due);
  encode(visit.has_value());
  if (!visit) return out;
  Visit copy = *visit;
  std::apply([&](auto&... field) { (encode(field), ...); }, fields_of(copy));
  return out;
}

std::optional<UrlRecord> UrlRecord::decode(std::string_view bytes) {
  VarintReader in(bytes);
  UrlEventDecoder decode(in);
  UrlRecord record;
  bool visited = false;
  decode(record.payload);
  decode(record.due);
  decode(visited);
  const auto decode_field = [&](auto& field) {
    if constexpr (std::is_same_v<decltype(field), Score&>)
      decode.score(field);
    else
      decode(field);
  };
  if (visited) {
    std::apply([&](auto&... field) { (decode_field(field), ...); }, fields_of(record.visit.emplace()));
  }
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return record;
}

}  // namespace bowerbird
