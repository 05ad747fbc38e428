// A page of an archive as a document: what was stored about it, its texts, and the facts that it states.
//
// read() takes a record of a WARC file. A page of HTML, a text or a PDF file is one document; each entry of a
// feed is one (parts(), use()). Texts and facts are made when they are first asked for, and kept until the
// next read() or use(). Use one object for many records: its buffers are reused. Memory is bounded by the
// record. Everything in it comes from strangers: what is no document is an outcome, not an error.
// Threads: one user at a time; sites and PDF reader are shared and outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "export/record_body.h"
#include "parse/feed.h"
#include "parse/fingerprint.h"
#include "parse/html_page.h"
#include "parse/page_reader.h"
#include "parse/text/main_text.h"

namespace bowerbird {

class PdfReader;
class SiteBlocks;

// What a crawl knows about a page beyond its content. Unknown numbers are empty.
struct CrawlNumbers {
  std::optional<double> pagerank;  // sums to 1 over the graph
  std::optional<std::uint32_t> in_links;
  std::optional<std::uint32_t> depth;               // links from a seed
  std::optional<std::uint64_t> cluster;             // pages with the same number have nearly the same text
  std::optional<std::vector<std::string>> anchors;  // of links to it, the most frequent first
};

class Document {
 public:
  enum class Outcome : std::uint8_t {
    kRead,
    kOtherType,    // of no kind that is exported
    kUnreadable,   // it cannot be decoded, or has no usable URL
    kNoPdfReader,  // a PDF file, and poppler-utils is not installed
  };

  // sites: blocks that repeat; pdf: reads PDF files. Either may be null.
  explicit Document(const SiteBlocks* sites = nullptr, const PdfReader* pdf = nullptr)
      : sites_(sites), pdf_(pdf) {}
  // Reads what the crawl stored with a page; `main_text`: takes the main text from it, if it is there.
  void use_companions(bool read, bool main_text) {
    record_.read_companions(read);
    use_stored_ = read && main_text;
  }
  void keep_comments(bool keep) { extractor_.keep_comments(keep); }

  Result<Outcome> read(const RecordAddress& capture, const RecordAddress& payload);
  // How many documents the record holds, and which one is looked at: the first after read(). False where a
  // part has no usable URL.
  std::size_t parts() const { return kind_ == DocumentKind::kFeed ? feed_.entries.size() : 1; }
  bool use(std::size_t part);
  void set_numbers(const CrawlNumbers& numbers) { numbers_ = numbers; }
  // Known from an earlier read of the same record.
  void set_fingerprint(const TextFingerprint& fingerprint) { fingerprint_ = fingerprint; }

  const RecordBody& record() const { return record_; }
  DocumentKind kind() const { return kind_; }
  const Url& url() const { return url_; }
  const CrawlNumbers& numbers() const { return numbers_; }
  const Companions& companions() const { return record_.companions(); }
  const TextFingerprint& fingerprint();
  // Links and text as the crawler sees them.
  const HtmlPage& page();

  bool main_found();
  const std::string& main_text();
  const std::string& markdown();
  const std::string& all_text();
  const DocumentFacts& facts();  // with what the fields of the response add
  std::uint32_t words();         // of the main text
  const TextExtractor& extractor();
  // The hashes of its neighbouring blocks (repeated_blocks.h); of HTML only.
  std::vector<std::uint64_t> pairs();

 private:
  // Texts of a document that is not HTML.
  struct PlainTexts {
    std::string text;
    std::string markdown;
  };
  struct Texts {
    std::optional<std::string> main;
    std::optional<std::string> markdown;
    std::optional<std::string> all;
    std::optional<DocumentFacts> facts;
  };

  void read_html();
  void read_text();
  Outcome read_pdf();
  void set_plain(std::string text, DocumentFacts facts);
  DocumentFacts entry_facts(const FeedEntry& entry, const std::string& title);
  std::string text_of(const FeedText& text);
  bool has_stored_text() const;

  const SiteBlocks* sites_;
  const PdfReader* pdf_;
  bool use_stored_ = false;
  RecordBody record_;
  DocumentKind kind_ = DocumentKind::kNone;
  Url url_;
  CrawlNumbers numbers_;
  Feed feed_;
  std::string feed_title_;
  std::string entry_html_;  // of the entry that is looked at
  PageReader reader_;
  HtmlPage page_;
  bool scanned_ = true;    // page_ is what was read; else only decoded
  bool has_links_ = true;  // page_ has them
  std::optional<TextFingerprint> fingerprint_;
  TextExtractor extractor_;
  bool extracted_ = false;
  std::optional<PlainTexts> plain_;
  Texts texts_;
};

}  // namespace bowerbird
