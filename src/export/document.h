// A page of an archive as a document: what was stored about it, its texts, and the facts that it states.
//
// read() takes a record of a WARC file; texts and facts are made when they are first asked for, and kept
// until the next read(). Use one object for many pages: its buffers are reused. Memory is bounded by the
// page, at most kLargestRecord. Everything in a record comes from strangers: what is no page, or cannot be
// decoded, is an outcome, not an error. Threads: one user at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "parse/fingerprint.h"
#include "parse/html_page.h"
#include "parse/page_reader.h"
#include "parse/text/main_text.h"
#include "store/warc_reader.h"
#include "url/url.h"

namespace bowerbird {

// A record in a WARC file.
struct RecordAddress {
  std::string path;
  std::uint64_t offset = 0;
};

// What a crawl knows about a page beyond its content. Unknown numbers are empty.
struct CrawlNumbers {
  std::optional<double> pagerank;  // sums to 1 over the graph
  std::optional<std::uint32_t> in_links;
  std::optional<std::uint32_t> depth;  // links from a seed
};

class Document {
 public:
  static constexpr std::size_t kLargestRecord = std::size_t{256} << 20;

  enum class Outcome : std::uint8_t {
    kPage,
    kOtherType,   // not HTML
    kUnreadable,  // its content coding cannot be undone, or it has no usable URL
  };

  // A revisit has no body: `payload` is the record that has it; else equal to `capture`.
  Result<Outcome> read(const RecordAddress& capture, const RecordAddress& payload);
  void set_numbers(const CrawlNumbers& numbers) { numbers_ = numbers; }

  const Url& url() const { return url_; }
  const WarcHead& warc() const { return warc_; }          // of the capture
  const std::string& head() const { return http_head_; }  // of the response
  std::string_view body() const { return body_; }         // without content coding
  int status() const { return status_; }
  const std::string& type() const { return type_; }
  const CrawlNumbers& numbers() const { return numbers_; }
  // Links and text as the crawler sees them.
  const HtmlPage& page() const { return page_; }
  const TextFingerprint& fingerprint() const { return fingerprint_; }

  bool main_found();
  const std::string& main_text();
  const std::string& markdown();
  const std::string& all_text();
  const PageFacts& facts();  // with what the fields of the response add
  std::uint32_t words();     // of the main text
  const TextExtractor& extractor();

 private:
  Result<Outcome> read_record(const RecordAddress& capture, const RecordAddress& payload);
  Outcome decode(std::string_view block);

  WarcHead warc_;
  Url url_;
  std::string block_;
  std::string joined_;   // block_ without chunks
  std::string decoded_;  // and without content coding
  std::string_view body_;
  std::string http_head_;
  std::string type_;
  int status_ = 0;
  CrawlNumbers numbers_;

  PageReader reader_;
  HtmlPage page_;
  TextFingerprint fingerprint_;
  TextExtractor extractor_;
  bool extracted_ = false;
  std::optional<std::string> main_text_;
  std::optional<std::string> markdown_;
  std::optional<std::string> all_text_;
  std::optional<PageFacts> facts_;
};

}  // namespace bowerbird
