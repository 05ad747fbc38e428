#include "archive/full_responses.h"

#include <algorithm>
#include <memory>

#include "archive/warc_records.h"
#include "base/ascii.h"
#include "base/keyed_hash.h"
#include "parse/dates.h"
#include "store/digest_text.h"
#include "store/warc_writer.h"

namespace bowerbird {

namespace {

constexpr std::size_t kLargestBlock = std::size_t{1} << 30;

struct Wanted {
  std::size_t file;
  std::uint64_t offset;
  std::string digest;
  std::uint64_t key;
};

struct ReadBlock {
  WarcHead head;
  std::string http_head;
  std::string body;
};

Result<ReadBlock> read_block(const RecordPosition& place) {
  BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(place.path, place.offset));
  BB_TRY(const bool there, reader->next());
  if (!there) return error("{}: there is no record at byte {}", place.path, place.offset);
  ReadBlock read;
  read.head = reader->head();
  BB_TRY(const std::string block, reader->read_all(kLargestBlock));
  HttpSplitter http;
  read.body = is_http(read.head) ? std::string(http.feed(block)) : block;
  read.http_head = http.head();
  return read;
}

bool belongs_to_revisit(std::string_view name) {
  for (const char* field :
       {"WARC-Type", "WARC-Record-ID", "WARC-Profile", "WARC-Refers-To", "WARC-Refers-To-Target-URI",
        "WARC-Refers-To-Date", "WARC-Block-Digest", "WARC-Truncated", "Content-Length"}) {
    if (equals_ignoring_case(name, field)) return true;
  }
  return false;
}

}  // namespace

std::uint64_t payload_key(std::string_view digest) {
  const auto known = sha1_of_text(digest);
  if (!known) return keyed_hash(digest);
  return keyed_hash({reinterpret_cast<const char*>(known->data()), known->size()});
}

Result<FullResponses> FullResponses::find(CaptureSource& source, const WaczPart& part, OtherPayloads* others,
                                          const Progress& progress) {
  std::vector<std::uint64_t> present;
  std::vector<Wanted> wanted;
  const auto gather = [&](const Capture& capture) -> Status {
    if (!part.holds(capture)) return {};
    const std::uint64_t key = payload_key(capture.digest);
    if (!capture.revisit) {
      present.push_back(key);
    } else {
      wanted.push_back({capture.file, capture.offset, std::string(capture.digest), key});
    }
    return {};
  };
  BB_TRY_VOID(source.for_each(gather, progress));
  std::sort(present.begin(), present.end());
  std::erase_if(
      wanted, [&](const Wanted& one) { return std::binary_search(present.begin(), present.end(), one.key); });
  FullResponses found;
  if (wanted.empty()) return found;

  std::unordered_map<std::uint64_t, RecordPosition> places;
  for (const Wanted& one : wanted) places[one.key];
  const auto look = [&](const Capture& capture) -> Status {
    if (capture.revisit) return {};
    const auto at = places.find(payload_key(capture.digest));
    if (at != places.end() && at->second.path.empty())
      at->second = {source.files()[capture.file].path, capture.offset};
    return {};
  };
  BB_TRY_VOID(source.for_each(look, progress));
  for (const Wanted& one : wanted) {
    RecordPosition& place = places[one.key];
    const auto digest = sha1_of_text(one.digest);
    if (place.path.empty() && others != nullptr && digest) {
      if (const auto other = others->locate(*digest)) place = {other->path, other->offset};
    }
    if (place.path.empty()) {
      ++found.missing_;
    } else {
      found.entries_.push_back({one.file, one.offset, place});
    }
  }
  return found;
}

Result<std::string> full_response(const RecordPosition& revisit, const RecordPosition& payload) {
  BB_TRY(const ReadBlock own, read_block(revisit));
  BB_TRY(const ReadBlock original, read_block(payload));
  const auto digest = sha1_of_text(own.head.field("WARC-Payload-Digest"));
  if (digest && sha1(original.body) != *digest) return std::string();
  const bool not_modified =
      own.head.field("WARC-Profile").find("server-not-modified") != std::string_view::npos ||
      own.http_head.empty();
  const std::string& head = not_modified ? original.http_head : own.http_head;
  WarcHead made;
  made.version = own.head.version;
  made.fields.emplace_back("WARC-Type", "response");
  const auto date = parse_w3c_date(own.head.field("WARC-Date"));
  made.fields.emplace_back("WARC-Record-ID",
                           response_id(fmt::format("{} full", record_url(own.head)),
                                       date.value_or(0) * 1'000'000, digest.value_or(Sha1{})));
  for (const auto& [name, value] : own.head.fields) {
    if (!belongs_to_revisit(name)) made.fields.emplace_back(name, value);
  }
  made.fields.emplace_back("Content-Length", std::to_string(head.size() + original.body.size()));
  return record_text(made, head + original.body);
}

}  // namespace bowerbird
