#include "urlfrontier/url_record.h"

#include "urlfrontier/url_events.h"

namespace bowerbird {

std::string UrlRecord::encode() const {
  std::string out;
  put_string(out, payload);
  put_signed(out, due);
  url_events::put(out, visit.has_value());
  if (!visit) return out;
  put_varint(out, visit->page);
  put_varint(out, visit->discovered);
  url_events::put(out, visit->score);
  put_varint(out, visit->links);
  put_varint(out, visit->other_host);
  put_varint(out, visit->crawled);
  put_varint(out, visit->known);
  return out;
}

std::optional<UrlRecord> UrlRecord::decode(std::string_view bytes) {
  VarintReader in(bytes);
  UrlRecord record;
  record.payload = std::string(in.get_string());
  record.due = in.get_signed();
  bool visited = false;
  url_events::get(in, visited);
  if (visited) {
    Visit visit;
    url_events::get(in, visit.page);
    url_events::get(in, visit.discovered);
    url_events::get(in, visit.score);
    url_events::get(in, visit.links);
    url_events::get(in, visit.other_host);
    url_events::get(in, visit.crawled);
    url_events::get(in, visit.known);
    record.visit = visit;
  }
  if (!in.ok() || !in.at_end()) return std::nullopt;
  return record;
}

}  // namespace bowerbird
