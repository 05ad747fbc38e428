// The URLs that a site lists for crawlers: sitemaps and their indexes (sitemaps.org), as XML or plain text,
// and RSS and Atom feeds, any of them with or without gzip.
//
// Problem: files of up to 50 MB from strangers. Bytes are pushed in as they arrive and entries come out as
// they are complete; memory is bounded by a few buffers, whatever the file says. What it is, is found out by
// looking. Its encoding is that of its byte order mark or XML declaration, else UTF-8. XML is read by Expat;
// a file that declares entities is not read on, so that none can explode, and nothing outside the file is
// ever fetched. What can be read counts: mistakes that are common in XML made by hand are mended
// (xml_mender.h); what was found before an error is kept, and so is an entry that the error cuts behind its
// URL. XML is not read by namespaces, since too many sitemaps declare none or the wrong ones: an element
// counts when it has the prefix of the root element. Ownership: the sink is called during push() and
// finish(); the entry lives until it returns. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encoding/decoder.h"
#include "parse/dates.h"

namespace bowerbird {

enum class SitemapKind : std::uint8_t { kUnknown, kUrls, kIndex, kText, kRss, kAtom };

// sitemaps.org: "changefreq".
enum class ChangeFrequency : std::uint8_t {
  kUnknown,
  kAlways,
  kHourly,
  kDaily,
  kWeekly,
  kMonthly,
  kYearly,
  kNever
};

struct SitemapAlternate {
  std::string hreflang;
  std::string url;
};

struct SitemapEntry {
  std::string url;          // as written, white space at its ends removed; may be relative in feeds
  bool is_sitemap = false;  // of an index: the URL of another sitemap
  std::optional<UnixTime> last_modified;
  std::optional<float> priority;  // 0 to 1
  ChangeFrequency change = ChangeFrequency::kUnknown;
  std::vector<SitemapAlternate> alternates;  // the same page in other languages
};

struct SitemapOptions {
  std::size_t max_entries = 50'000;                   // sitemaps.org
  std::uint64_t max_bytes = std::uint64_t{50} << 20;  // after decompression; sitemaps.org
  std::size_t max_depth = 32;                         // of XML elements
  std::size_t max_text = 8192;                        // bytes of one URL or date; longer ones are left out
  std::size_t max_alternates = 500;                   // of one entry
};

// Why reading ended before the end of the file. The entries before count.
enum class SitemapProblem : std::uint8_t {
  kNone,
  kTooManyEntries,
  kTooLarge,
  kTooDeep,
  kMalformed,  // not well-formed XML
  kEntities,   // declares entities
  kGzip,       // damaged, or cut short
  kNotASitemap,
};

struct SitemapOutcome {
  SitemapKind kind = SitemapKind::kUnknown;
  SitemapProblem problem = SitemapProblem::kNone;
  std::size_t entries = 0;
  std::size_t unreadable = 0;  // entries and lines that have no URL, or one that is too long
  std::uint64_t bytes = 0;     // after decompression
  std::uint64_t line = 0;      // of the problem, in XML
};

class SitemapParser {
 public:
  using Sink = std::function<void(const SitemapEntry&)>;

  explicit SitemapParser(Sink sink, const SitemapOptions& options = {});
  ~SitemapParser();
  SitemapParser(const SitemapParser&) = delete;
  SitemapParser& operator=(const SitemapParser&) = delete;

  // The next bytes of the file; false where no more are wanted.
  bool push(std::string_view bytes);
  // After the last bytes.
  SitemapOutcome finish();

 private:
  class Gunzip;
  class Xml;
  struct State;

  bool unpacked(std::string_view bytes);
  bool begin();
  bool content(std::string_view bytes, bool last);
  void text_lines(std::string_view text);
  void text_line(std::string_view line);
  void stop(SitemapProblem problem);

  std::unique_ptr<State> state_;
  std::unique_ptr<Gunzip> gunzip_;
  std::unique_ptr<Xml> xml_;
  std::string raw_head_;  // the first bytes, until it is known whether they are compressed
  std::string head_;      // the first bytes after that, until it is known in which encoding they are
  std::string utf8_;      // the bytes just pushed
  std::string line_;      // of a text sitemap, begun
  bool compression_known_ = false;
  std::optional<TextDecoder> decoder_;
};

}  // namespace bowerbird
