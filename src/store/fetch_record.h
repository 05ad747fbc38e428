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

// What a 304 response refers to: the response that is still valid.
struct NotModified {
  std::string url;
  std::int64_t time_us = 0;
  Sha1 digest{};  // of its body
};

struct StoredFetch {
  PageId page = 0;           // kNoPage: no page of the crawl, such as robots.txt
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
  bool noarchive = false;                   // the page asks not to be shown from an archive
  bool requisite = false;                   // fetched for a page that needs it, and no page itself
  std::optional<NotModified> not_modified;  // a 304 response: stored as a revisit of this
  std::string metadata;   // application/warc-fields, by append_warc_field; empty: no metadata record
  std::string main_text;  // of the page; empty: no conversion record
  std::string log;        // further members of the line in crawl.jsonl: "\"ms\":12,\"depth\":3"

  std::size_t bytes() const {
    return url.size() + request.size() + response_head.size() + body.size() + metadata.size() +
           main_text.size() + log.size();
  }
};

// A record of another kind, such as a DNS answer.
struct StoredRecord {
  std::string type;  // "response"
  std::string url;
  std::string content_type;
  std::int64_t time_us = 0;
  std::string block;
};

// A line "name: value" of application/warc-fields; line breaks in the value become blanks.
void append_warc_field(std::string& out, std::string_view name, std::string_view value);

// A record of fetches.log: where in the WARCs an exchange lies. From these come the index and, at a resume,
// the table of known payloads.
struct FetchEntry {
  PageId page = 0;  // kNoPage: `url` says what it is
  std::int64_t time_us = 0;
  std::uint16_t status = 0;
  bool revisit = false;
  Truncated truncated = Truncated::kNo;
  bool noarchive = false;
  bool requisite = false;    // no page; not in folders of old versions
  bool derived_id = false;   // the id of the record is response_id(); not in folders of old versions
  Sha1 digest{};             // of the body
  std::uint64_t offset = 0;  // of the response or revisit record
  std::uint64_t length = 0;  // as stored
  std::string mime;
  std::string title;
  std::string file;  // name of the WARC, without folder
  std::string url;   // of what is no page of the crawl; empty: see `page`

  void put(std::string& out) const;
  static FetchEntry get(VarintReader& in);
};

// What the store counts, as a commit keeps it.
struct StoredCounts {
  std::uint64_t warc_files = 0;  // begun
  std::uint64_t fetches = 0;     // of pages, in the WARCs
  std::uint64_t revisits = 0;
  std::uint64_t body_bytes = 0;  // as fetched
  std::uint64_t warc_bytes = 0;  // as stored
  bool ok = true;                // false: the text is not one of these

  std::string text() const;
};
StoredCounts stored_counts(std::string_view text);

}  // namespace bowerbird
