// Writes WARC 1.1: each exchange as response (or revisit), request and metadata records, in files that
// are rotated by size.
//
// Every file begins with a warcinfo record. Each record is compressed separately, so it can be read by
// its offset. docs/formats/warc.md says what is stored as the body, and which header fields are renamed.
// The bytes go to an append-only file of the commit group: no file has its final name before it is
// complete. Threads: one user at a time (the store's writer thread). ISO 28500:2017.
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

// Times in the formats of archives, in seconds and UTC.
std::string warc_date(std::int64_t time_us);    // "2026-11-16T05:20:00Z"
std::string timestamp14(std::int64_t time_us);  // "20261116052000"

// Our own field that says which text a conversion record has.
inline constexpr char kTextField[] = "Bowerbird-Text";
inline constexpr char kMainText[] = "main";

// Random ids <urn:uuid:...>.
class RecordIds {
 public:
  RecordIds(std::uint64_t seed_a, std::uint64_t seed_b) : a_(seed_a), b_(seed_b) {}
  std::string next();

 private:
  Rng a_;
  Rng b_;
};

// The stored response with the same payload.
struct Original {
  std::string url;
  std::int64_t time_us = 0;
  std::string record_id = {};  // empty: unknown
};

// The id of a response, derived from these three as a UUID (RFC 9562, version 5), so that a revisit
// record can refer to its original without a lookup.
std::string response_id(std::string_view url, std::int64_t time_us, const Sha1& digest);

// The file that records are written to, one compressed record after the other.
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
    bool block_digests = false;  // for all records, not only for those that need it
  };

  WarcWriter(const Options& options, RecordIds ids);

  // Writes the warcinfo record at the beginning of a file with this name.
  Status write_info(WarcSink& to, const std::string& file_name, std::int64_t time_us);
  // Writes all records of an exchange: response or revisit, request, metadata, conversion. Returns the
  // range of the response, or of the revisit if there is an `original`. digest: of the body.
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
  // Completes the header and writes the record; its block is `first` followed by `second`.
  Status finish(WarcSink& to, std::string_view content_type, std::string_view first,
                std::string_view second = {});
  const std::string& date_text(std::int64_t time_us);

  Options options_;
  RecordIds ids_;
  RecordCompressor compressor_;
  std::string warcinfo_id_;
  std::string record_;  // the current record
  std::string head_;    // header of the response
  std::int64_t date_second_ = -1;
  std::string date_;
};

// Appends the header of a response as it is stored. Fields that are wrong for the stored body are renamed
// to X-Archive-Orig-...: Transfer-Encoding, Content-Encoding if the body is decoded, and each
// Content-Length that is not the size of the body. If one was renamed, a correct Content-Length is added.
// A 304 response keeps its length, which is about another body.
void append_stored_head(std::string& out, std::string_view head, std::size_t body_size, bool decoded);

}  // namespace bowerbird
