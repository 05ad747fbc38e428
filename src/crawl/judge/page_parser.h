// Parses a fetched page into what the crawl needs: outcome, links with fingerprints and flags, robots
// directives, text.
//
// Problem: this is most of the work on a page, so parser threads do all of it, and the crawl's thread need
// not parse anything again. The host and target of a new link are substrings of its text.
// Each target is listed once, in the order of first appearance; it is followed if any of its links is.
// Requisites are in a list of their own. Frames that are out of scope are in both lists. For a requisite
// only its own requisites are found.
// Ownership: a PageParser parses one page after the other and reuses its buffers; the result owns its
// bytes. The settings are immutable and may be shared. Threads: one per PageParser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/ids.h"
#include "crawl/judge/answer_facts.h"
#include "crawl/judge/body_types.h"
#include "crawl/judge/outcome_table.h"
#include "crawl/judge/page_filter.h"
#include "crawl/judge/requisite_kind.h"
#include "crawl/judge/scope.h"
#include "crawl/judge/scope_box.h"
#include "crawl/judge/traps.h"
#include "crawl/judge/visit_digest.h"
#include "fetch/coding.h"
#include "fetch/fetcher.h"
#include "parse/change_digest.h"
#include "parse/fingerprint.h"
#include "parse/http_fields.h"
#include "parse/page_links.h"
#include "parse/page_reader.h"
#include "parse/page_terms.h"
#include "parse/robots_directives.h"
#include "parse/sha1.h"
#include "parse/text/main_text.h"
#include "pdf/pdf_reader.h"
#include "store/links.h"

namespace bowerbird {

class CaptureLibrary;

struct FetchedPage {
  PageId page = kNoPage;
  std::string url;
  bool sitemap = false;
  bool compare = false;                         // fingerprint its text, to find near-duplicates
  std::optional<RequisiteKind> requisite = {};  // set if it is fetched for another page
  std::uint64_t last_digest = 0;                // of its last visit, if that succeeded
  std::uint64_t received = 0;                   // body size as received; the parser may decompress the body
  FetchOutcome fetch;
};

// No [[site]] table limits the depth.
inline constexpr std::uint32_t kNoSiteDepth = ~std::uint32_t{0};

struct FoundLink {
  std::uint64_t fingerprint;
  std::uint32_t at;  // offset of the canonical text in `texts`
  std::uint16_t size;
  std::uint16_t host_size;
  std::uint8_t flags;
  bool https;
  ScopeVerdict scope;
  std::uint32_t most_depth = kNoSiteDepth;  // depth limit by its [[site]] tables

  std::string_view text(const std::string& texts) const { return std::string_view(texts).substr(at, size); }
  std::string_view host(const std::string& texts) const {
    return std::string_view(texts).substr(at + scheme(), host_size);
  }
  std::uint32_t scheme() const { return https ? 8 : 7; }
};

struct FoundPart {
  FoundLink link;
  RequisiteKind kind;
};

// What a sitemap or a feed says about one of its links.
struct ListedLink {
  std::uint32_t link = 0;  // index in ParsedPage::links
  UnixTime modified = 0;
};

struct ParsedPage {
  FetchedPage page;
  Outcome outcome = Outcome::kFetched;
  std::vector<FoundLink> links;
  std::vector<FoundPart> requisites;      // if requested
  std::uint64_t requisites_excluded = 0;  // further ones, by --exclude
  std::string texts;
  std::string sniffed_type;  // of a body whose type the server does not name
  bool uses_links = true;    // its links are followed (--links-from)
  bool keeps = true;         // it is stored (--keep)
  bool noarchive = false;    // a robots directive forbids showing the page from an archive
  std::string title;         // truncated if long
  std::string main_text;     // if requested and found
  std::optional<TextFingerprint> text_fingerprint;
  std::optional<PageTerms> terms;  // if requested
  std::uint64_t unreadable = 0;    // sitemap entries without a URL
  std::uint64_t digest = 0;        // visit_digest.h; 0: none
  std::uint64_t last_digest = 0;   // of the last visit, if it can be compared with `digest`
  AnswerFacts facts;
  std::optional<Sha1> body_digest;  // if requested
  std::vector<ListedLink> listed;   // entries of a sitemap with dates

  // Approximate size in memory.
  std::uint64_t bytes() const {
    return page.fetch.body.size() + texts.size() + main_text.size() + links.size() * sizeof(FoundLink) +
           requisites.size() * sizeof(FoundPart);
  }
};

struct ParserSettings {
  const Scope* scope = nullptr;
  const ScopeBox* live_scope = nullptr;    // used in place of `scope`, which may then change at any time
  const BodyTypes* types = nullptr;        // types of bodies that are wanted; null: all
  const PageFilter* links_from = nullptr;  // whose links are used; null: all
  const PageFilter* keep = nullptr;        // which pages are stored; null: all
  TrapOptions traps;
  CodingLimits coding;
  std::string token;                         // our name in robots directives, lower case
  bool requisites = false;                   // unless a [[site]] table says otherwise
  bool some_requisites = false;              // at least some pages have requisites
  bool feeds = false;                        // follow the first feed of a page, and read it as a sitemap
  bool main_text = false;                    // find the main text of pages
  const PdfReader* pdf = nullptr;            // finds the links of PDF files; null: they have none
  bool terms = false;                        // find the words of pages and links
  std::optional<Topic> topic;                // links with a word of the topic are marked
  bool digests = false;                      // compute a digest of the bytes, to compare with later visits
  bool text_digests = false;                 // compute it from the text instead
  const CaptureLibrary* captures = nullptr;  // archive with the last visits; null: none
  bool body_digests = false;  // compute the SHA-1 of bodies, so that revisit records can refer to them
  ChangedNumbers numbers = ChangedNumbers::kIgnored;
  std::size_t max_links = 100'000;
  std::size_t max_requisites = 20'000;
  std::size_t max_texts = std::size_t{16} << 20;  // bytes of all links together
};

// Whether an X-Robots-Tag header field forbids archiving for us.
bool head_forbids_archive(std::string_view head, const std::string& token);

class PageParser {
 public:
  explicit PageParser(const ParserSettings& settings);

  ParsedPage parse(FetchedPage page);

 private:
  void read_body(ParsedPage& result);
  // Applies --links-from and --keep. type: the type found for the body.
  void filter(std::string_view type, ParsedPage& result) const;
  bool wants_requisites();
  // The current scope; null: none.
  const Scope* scope() const { return live_scope_ ? live_scope_.get() : settings_.scope; }
  // Decompresses the body. The result is a view of the fetch or of decoded_.
  Outcome decode(FetchOutcome& fetch, std::string_view& bytes);
  void read_html(std::string_view bytes, const ContentType& type, ParsedPage& result);
  void read_pdf(std::string_view bytes, ParsedPage& result);
  void read_sitemap(std::string_view bytes, const std::string& charset, ParsedPage& result);
  void take_directives();
  void read_requisite(ParsedPage& result);
  void read_css_body(std::string_view bytes, const ContentType& type, ParsedPage& result);
  void set_last_digest(ParsedPage& result);
  // The digest of the text at the last visit, from the archive; 0: it cannot be read.
  std::uint64_t archived_digest(const std::string& url);
  void gather_links(ParsedPage& result);
  void read_manifest_body(std::string_view bytes, ParsedPage& result);
  void gather_requisites(ParsedPage& result);
  void add_default_icon(ParsedPage& result);
  void add_requisite(const Url& url, RequisiteKind kind, bool frame, ParsedPage& result);
  static FoundLink found_link(const Url& url, std::uint64_t fingerprint, ParsedPage& result);
  // The index of the link in the list; kNoIndex: the list is full.
  std::uint32_t add(const Url& url, std::uint8_t flags, ParsedPage& result);
  static void add_again(std::uint8_t flags, FoundLink& known);
  bool follows(const HtmlLink& link);
  std::uint8_t flags_of(const HtmlLink& link) const;
  std::uint32_t seen(std::uint64_t fingerprint, ParsedPage& result, bool& fresh);

  static constexpr std::uint32_t kNoIndex = LinkResolver::kNowhere;

  const ParserSettings& settings_;
  PageReader plain_;
  PageReader with_text_;
  LinkResolver resolver_;
  HtmlPage html_;
  Url own_;
  Url link_;
  std::string decoded_;
  RobotsDirectives directives_;
  std::size_t last_texts_ = 0;  // length of the last page's texts, to reserve memory
  bool has_feed_ = false;       // the current page has named a feed
  TermCounter words_;
  std::optional<TextExtractor> extractor_;  // if main text is wanted
  ScopeCache scope_cache_;
  std::shared_ptr<const Scope> live_scope_;
  std::uint64_t scope_version_ = 0;
  std::unordered_set<std::uint64_t> requisites_seen_;  // of this page
  // Open-addressing table of the links on this page, by fingerprint. `turn` counts pages: slots of other
  // turns are empty.
  struct Seen {
    std::uint32_t turn;
    std::uint32_t index;  // in `links`
  };
  std::vector<Seen> seen_;
  std::uint32_t turn_ = 0;
};

}  // namespace bowerbird
