// Writes WARC 1.1: each exchange as response (or revisit), request and metadata records, in files that are
// rotated by size.
//
// Every file begins with a warcinfo record. A record is packed alone, so that each can be read by its offset.
// What the body is and which fields of the answer are renamed is told in docs/formats/warc.md. The bytes go
// to an append-only file of the commit group: no file is visible under its final name before it is whole.
// Threads: one user at a time (the store's writer thread). ISO 28500:2017.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "store/fetch_record.h"
#include "store/record_compressor.h"

namespace bowerbird {

// "20261116T052000"-like times of a WARC: to the second, in UTC.
std::string warc_date(std::int64_t time_us);    // "2026-11-16T05:20:00Z"
std::string timestamp14(std::int64_t time_us);  // "20261116052000"

// A field of our own: which text a conversion record holds.
inline constexpr char kTextField[] = "Bowerbird-Text";
inline constexpr char kMainText[] = "main";

// <urn:uuid:...>, random.
class RecordIds {
 public:
  RecordIds(std::uint64_t seed_a, std::uint64_t seed_b) : a_(seed_a), b_(seed_b) {}
  std::string next();

 private:
  Rng a_;
  Rng b_;
};

// The response whose payload an equal one refers to.
struct Original {
  std::string url;
  std::int64_t time_us = 0;
  std::string record_id = {};  // empty: not known
};

// The id of a response: a UUID made of these three (RFC 9562, version 5), so that a revisit record can name
// its original without looking it up.
std::string response_id(std::string_view url, std::int64_t time_us, const Sha1& digest);

// Where records go: the bytes of one packed record after the other.
class WarcSink {
 public:
  virtual ~WarcSink() = default;
  virtual Status write(std::string_view packed) = 0;
  virtual std::uint64_t bytes() const = 0;
};

struct RecordRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

class WarcWriter {
 public:
  struct Options {
    WarcCompression compression = WarcCompression::kGzip;
    int level = 0;
    std::vector<std::pair<std::string, std::string>> info = {};  // further fields of the warcinfo record
    bool block_digests = false;  // of all records, not only of those that a file cannot be read without
  };

  WarcWriter(const Options& options, RecordIds ids);

  // The record at the head of a file of this name.
  Status write_info(WarcSink& to, const std::string& file_name, std::int64_t time_us);
  // All records of an exchange, in this order: response or revisit, request, metadata, conversion; the range
  // is that of the response, or of the revisit where there is an `original`. `digest` is that of the body.
  Result<RecordRange> write_fetch(WarcSink& to, const StoredFetch& fetch, const Sha1& digest,
                                  const Original* original);
  Status write_record(WarcSink& to, const StoredRecord& record);

 private:
  Status write_response(WarcSink& to, const StoredFetch& fetch, std::string_view id, const Sha1& digest);
  Status write_revisit(WarcSink& to, const StoredFetch& fetch, std::string_view id, const Sha1& digest,
                       const Original& original);
  Status write_about(WarcSink& to, const StoredFetch& fetch, std::string_view type,
                     std::string_view content_type, std::string_view block, std::string_view id);
  Status write_main_text(WarcSink& to, const StoredFetch& fetch, std::string_view id);
  void describe(const StoredFetch& fetch, const Sha1& digest);
  void begin(std::string_view type, std::string_view id, std::string_view date);
  void field(std::string_view name, std::string_view value);
  void block_digest(std::string_view block);
  // Ends the head and writes the record; its block is the parts one after the other.
  Status finish(WarcSink& to, std::string_view content_type, std::string_view first,
                std::string_view second = {});
  const std::string& date_text(std::int64_t time_us);

  Options options_;
  RecordIds ids_;
  RecordCompressor compressor_;
  std::string warcinfo_id_;
  std::string record_;  // the one being made
  std::string head_;    // of the response
  std::int64_t date_second_ = -1;
  std::string date_;
};

// The head of an answer as it is stored: what does not hold for the stored body is renamed to
// X-Archive-Orig-...: Transfer-Encoding, Content-Encoding where it is decoded, and each Content-Length but
// one that is the size of the body; where one of these was renamed, such a Content-Length is added. The head
// of a 304 response, which speaks of another body, keeps its length.
void append_stored_head(std::string& out, std::string_view head, std::size_t body_size, bool decoded);

}  // namespace bowerbird
