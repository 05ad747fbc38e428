// One exchange with a server, as the crawl hands it to the store; and what the store remembers of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/varint.h"
#include "parse/fingerprint.h"

namespace bowerbird {

// Why a body is not whole (WARC 1.1, section 5.13).
enum class Truncated : std::uint8_t { kNo, kLength, kTime, kDisconnect, kUnspecified };
std::string_view truncated_text(Truncated truncated);

struct StoredFetch {
  PageId page = 0;
  std::string url;           // canonical: WARC-Target-URI
  std::int64_t time_us = 0;  // wall clock, when the request began
  std::string
      request;  // request line, fields and the empty line, as sent (HTTP/2: as HTTP/1.1 would); or empty
  std::string response_head;  // status line, fields and the empty line, as received (HTTP/2: likewise)
  std::string body;           // without the transfer coding (chunks); see `decoded`
  bool decoded = false;       // the content coding (gzip ...) is undone too
  std::uint16_t status = 0;
  std::string mime;            // "text/html"; of the answer, for index and log
  std::string title;           // of the page, or empty
  std::string ip;              // of the server, or empty
  std::optional<Sha1> digest;  // of the body, where it is known already
  Truncated truncated = Truncated::kNo;
  std::string metadata;  // application/warc-fields, by append_warc_field; empty: no metadata record
  std::string log;       // further members of the line in crawl.jsonl: "\"ms\":12,\"depth\":3"

  std::size_t bytes() const {
    return url.size() + request.size() + response_head.size() + body.size() + metadata.size() + log.size();
  }
};

// A line "name: value" of application/warc-fields; line breaks in the value become blanks.
void append_warc_field(std::string& out, std::string_view name, std::string_view value);

// A record of fetches.log: where in the WARCs an exchange lies. From these come the index and, at a resume,
// the table of known payloads.
struct FetchEntry {
  PageId page = 0;
  std::int64_t time_us = 0;
  std::uint16_t status = 0;
  bool revisit = false;
  Truncated truncated = Truncated::kNo;
  Sha1 digest{};             // of the body
  std::uint64_t offset = 0;  // of the response or revisit record
  std::uint64_t length = 0;  // as stored
  std::string mime;
  std::string title;
  std::string file;  // name of the WARC, without folder

  void put(std::string& out) const;
  static FetchEntry get(VarintReader& in);
};

}  // namespace bowerbird
