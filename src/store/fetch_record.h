// One exchange with a server, as the crawl passes it to the store; and its entry in fetches.log. Plain
// data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/varint.h"
#include "parse/fingerprint.h"

namespace bowerbird {

// Why a body is incomplete (WARC 1.1, section 5.13).
enum class Truncated : std::uint8_t { kNo, kLength, kTime, kDisconnect, kUnspecified };
std::string_view truncated_text(Truncated truncated);

// The stored response to which a 304 response refers.
struct NotModified {
  std::string url;
  std::int64_t time_us = 0;
  Sha1 digest{};  // of the body
};

struct StoredFetch {
  PageId page = 0;           // kNoPage: not a page of the crawl, such as robots.txt
  std::string url;           // canonical; becomes WARC-Target-URI
  std::int64_t time_us = 0;  // wall clock, when the request began
  // Request line, fields and the empty line, as sent; with HTTP/2, in the form of HTTP/1.1. May be empty.
  std::string request;
  std::string response_head;  // status line, fields and the empty line, in the same form
  std::string body;           // without the transfer coding (chunked); see `decoded`
  bool decoded = false;       // without the content coding (such as gzip) either
  std::uint16_t status = 0;
  std::string mime;            // "text/html", of the response
  std::string title;           // of the page; or empty
  std::string ip;              // of the server; or empty
  std::optional<Sha1> digest;  // of the body, if already computed
  Truncated truncated = Truncated::kNo;
  bool noarchive = false;                   // a robots directive forbids showing the page from an archive
  bool requisite = false;                   // fetched because a page needs it; not a page itself
  std::optional<NotModified> not_modified;  // for a 304 response, which becomes a revisit of this
  std::string metadata;   // application/warc-fields, by append_warc_field; empty: no metadata record
  std::string main_text;  // of the page; empty: no conversion record
  std::string log;        // further members of its line in crawl.jsonl: "\"ms\":12,\"depth\":3"

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

// Appends the line "name: value" of application/warc-fields. Line breaks in the value become spaces.
void append_warc_field(std::string& out, std::string_view name, std::string_view value);

// A record of fetches.log: where an exchange is in the WARC files. The index and, at a resume, the table
// of known payloads are made from these.
struct FetchEntry {
  PageId page = 0;  // kNoPage: see `url`
  std::int64_t time_us = 0;
  std::uint16_t status = 0;
  bool revisit = false;
  Truncated truncated = Truncated::kNo;
  bool noarchive = false;
  bool requisite = false;    // fetched because a page needs it; not a page itself
  bool derived_id = false;   // the record id is response_id()
  Sha1 digest{};             // of the body
  std::uint64_t offset = 0;  // of the response or revisit record
  std::uint64_t length = 0;  // compressed
  std::string mime;
  std::string title;
  std::string file;  // name of the WARC file without its folder
  std::string url;   // for a fetch that is not a page; otherwise empty

  void put(std::string& out) const;
  static FetchEntry get(VarintReader& in);
};

// The counters of the store, as stored in a commit.
struct StoredCounts {
  std::uint64_t warc_files = 0;  // started
  std::uint64_t fetches = 0;     // of pages, in the WARC files
  std::uint64_t revisits = 0;
  std::uint64_t body_bytes = 0;  // as received
  std::uint64_t warc_bytes = 0;  // compressed
  bool ok = true;                // false: the text could not be parsed

  std::string text() const;
};
StoredCounts stored_counts(std::string_view text);

}  // namespace bowerbird
