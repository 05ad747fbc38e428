// A page as an archive stores it: the head of its record, the head of its response, and its body.
//
// Chunks of others' files are joined and content codings undone. Everything in a record comes from strangers:
// what cannot be decoded is an outcome, not an error. Use one object for many records: its buffers are
// reused. Memory is bounded by the record, at most kLargestRecord. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "export/document_kind.h"
#include "store/warc_reader.h"
#include "url/url.h"

namespace bowerbird {

// A record in a WARC file.
struct RecordAddress {
  std::string path;
  std::uint64_t offset = 0;

  bool operator==(const RecordAddress&) const = default;
};

// What a crawl stored with a page, in records after its response: see docs/formats/warc.md.
struct Companions {
  std::optional<double> score;  // of the ordering, when the page was chosen
  std::string main_text;        // empty: not stored
};

class RecordBody {
 public:
  static constexpr std::size_t kLargestRecord = std::size_t{256} << 20;

  enum class Outcome : std::uint8_t {
    kRead,
    kOtherType,   // of no kind that is exported
    kUnreadable,  // its content coding cannot be undone, or it has no usable URL
  };

  // A revisit has no body: `payload` is the record that has it; else equal to `capture`.
  Result<Outcome> read(const RecordAddress& capture, const RecordAddress& payload);
  // Whether read() also reads what was stored with a page.
  void read_companions(bool read) { with_companions_ = read; }
  const Companions& companions() const { return companions_; }

  const RecordAddress& address() const { return address_; }  // of the capture
  const WarcHead& warc() const { return warc_; }             // of the capture
  Compression compression() const { return compression_; }   // of the capture's file
  const Url& url() const { return url_; }
  const std::string& head() const { return http_head_; }  // of the response
  int status() const { return status_; }
  const std::string& type() const { return type_; }
  const std::string& charset() const { return charset_; }  // of Content-Type
  std::string_view block() const { return block_; }        // of the record with the body
  std::string_view body() const { return body_; }          // without content coding

 private:
  Outcome decode(const std::string& own_head);

  bool with_companions_ = false;
  RecordAddress address_;
  WarcHead warc_;
  Compression compression_ = Compression::kNone;
  Url url_;
  std::string http_head_;
  int status_ = 0;
  std::string type_;
  std::string charset_;
  std::string block_;
  std::string joined_;   // block_ without chunks
  std::string decoded_;  // and without content coding
  std::string_view body_;
  Companions companions_;
};

}  // namespace bowerbird
