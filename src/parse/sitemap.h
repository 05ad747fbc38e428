// The URLs that a site lists for crawlers: sitemaps and sitemap indexes (sitemaps.org), as XML or plain text,
// and RSS and Atom feeds, all of them with or without gzip.
//
// Problem: files of up to 50 MB from untrusted servers. Bytes are pushed in as they arrive and entries come
// out as they are complete; memory is limited to a few buffers, whatever the file contains. The format is
// detected from the content. The encoding is that of the byte order mark, Content-Type or XML declaration,
// else UTF-8. XML is parsed by Expat; reading stops at a declaration of entities, so that none can explode,
// and nothing outside the file is ever fetched. What can be read counts: mistakes that are common in
// handwritten XML are repaired (xml_repair.h); entries before an error are kept, and so is an entry that the
// error truncates after its URL. XML namespaces are ignored, since too many sitemaps declare none or the
// wrong ones: an element counts if it has the prefix of the root element. Ownership: the sink is called
// during push() and finish(); the entry is valid until it returns. One thread.
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
  std::string url;          // as written, trimmed; may be relative in feeds
  bool is_sitemap = false;  // in an index: the URL of another sitemap
  std::optional<UnixTime> last_modified;
  std::optional<float> priority;  // 0 to 1
  ChangeFrequency change = ChangeFrequency::kUnknown;
  std::vector<SitemapAlternate> alternates;  // the same page in other languages
};

struct SitemapOptions {
  std::size_t max_entries = 50'000;                   // sitemaps.org
  std::uint64_t max_bytes = std::uint64_t{50} << 20;  // after decompression; sitemaps.org
  std::size_t max_depth = 32;                         // of XML elements
  std::size_t max_text = 8192;                        // bytes of one URL or date; longer ones are ignored
  std::size_t max_alternates = 500;                   // of one entry
  std::string charset;                                // of Content-Type; empty: not given
};

// Why reading ended before the end of the file. Earlier entries count.
enum class SitemapProblem : std::uint8_t {
  kNone,
  kTooManyEntries,
  kTooLarge,
  kTooDeep,
  kMalformed,  // not well-formed XML
  kEntities,   // declares entities
  kGzip,       // damaged, or truncated
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

  // The next bytes of the file; false if no more are needed.
  bool push(std::string_view bytes);
  // Call after the last bytes.
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
  std::string raw_head_;  // the first bytes, until their compression is known
  std::string head_;      // the first decompressed bytes, until their encoding is known
  std::string utf8_;      // the bytes just pushed
  std::string line_;      // the incomplete line of a text sitemap
  bool compression_known_ = false;
  std::optional<TextDecoder> decoder_;
};

}  // namespace bowerbird
