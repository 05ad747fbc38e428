// From what was fetched to what the crawl needs of it: links with their ids' fingerprints and flags,
// directives.
//
// Problem: this is most of a page's work, so it is done beside the crawl's own thread, and done so that
// nothing is left to be parsed there: a new link's host and target are pieces of its text. Each target
// appears once, in the order of first appearance; a link that is followed anywhere on the page is followed.
// Requisites, what a page needs to be displayed, are no links of it and form a list of their own; frames that
// are out of scope are in both. Of a requisite only its own requisites are found.
// Ownership: a PageParser is used for one page after the other and keeps its buffers; the result owns its
// bytes. Threads: one user; what it is made with is shared and immutable.
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
  bool judge = false;                           // its text is to be compared with that of others
  std::optional<RequisiteKind> requisite = {};  // it is fetched for another page
  std::uint64_t last_digest = 0;                // of its last visit, if that succeeded
  std::uint64_t received = 0;                   // size of the body as it came: the parser may decode it
  FetchOutcome fetch;
};

// No table sets it.
inline constexpr std::uint32_t kNoSiteDepth = ~std::uint32_t{0};

struct FoundLink {
  std::uint64_t fingerprint;
  std::uint32_t at;  // of the canonical text in `texts`
  std::uint16_t size;
  std::uint16_t host_size;
  std::uint8_t flags;
  bool https;
  ScopeVerdict scope;
  std::uint32_t most_depth = kNoSiteDepth;  // links from a seed that its [[site]] allows

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
  std::uint32_t link = 0;  // its place among the links
  UnixTime modified = 0;
};

struct ParsedPage {
  FetchedPage page;
  Outcome outcome = Outcome::kFetched;
  std::vector<FoundLink> links;
  std::vector<FoundPart> requisites;      // where they are asked for
  std::uint64_t requisites_excluded = 0;  // further ones, by --exclude
  std::string texts;
  bool uses_links = true;  // --links-from
  bool keeps = true;       // --keep
  bool noarchive = false;  // the page asks not to be shown from an archive
  std::string title;       // the beginning of a long one
  std::string main_text;   // where it is asked for and was found
  std::optional<TextFingerprint> print;
  std::optional<PageTerms> terms;  // where they are asked for
  std::uint64_t unreadable = 0;    // entries of a sitemap that have no URL
  std::uint64_t digest = 0;        // visit_digest.h; 0: there is none
  std::uint64_t last_digest = 0;   // of its last visit, as far as it can be compared with this one
  AnswerFacts facts;
  std::optional<Sha1> body_digest;  // if asked for
  std::vector<ListedLink> listed;   // with the dates of a sitemap

  // In memory, about.
  std::uint64_t bytes() const {
    return page.fetch.body.size() + texts.size() + main_text.size() + links.size() * sizeof(FoundLink) +
           requisites.size() * sizeof(FoundPart);
  }
};

struct ParserSettings {
  const Scope* scope = nullptr;
  const ScopeBox* live_scope = nullptr;    // in its place, where it may change
  const BodyTypes* types = nullptr;        // which bodies are wanted; null: all
  const PageFilter* links_from = nullptr;  // whose links are used; null: all
  const PageFilter* keep = nullptr;        // what is stored; null: everything
  TrapOptions traps;
  CodingLimits coding;
  std::string token;               // our name in robots directives, lower case
  bool requisites = false;         // of pages, unless their [[site]] says otherwise
  bool some_requisites = false;    // of some pages, at least
  bool feeds = false;              // follow the first feed that a page names, to read it as a sitemap
  bool main_text = false;          // find the main text of pages
  const PdfReader* pdf = nullptr;  // finds the links of PDF files; null: they have none
  bool terms = false;              // find the words of pages and links
  std::optional<Topic> topic;      // links whose words hold one of it are marked
  bool digests = false;            // pages are to be compared with later visits, by their bytes
  bool text_digests = false;       // by what they say
  const CaptureLibrary* captures = nullptr;  // their last visits; null: there is no archive
  bool body_digests = false;                 // their bodies are to be referred to by later visits
  ChangedNumbers numbers = ChangedNumbers::kIgnored;
  std::size_t max_links = 100'000;
  std::size_t max_requisites = 20'000;
  std::size_t max_texts = std::size_t{16} << 20;  // bytes of all links together
};

// Whether X-Robots-Tag fields of an answer say noarchive to us.
bool head_forbids_archive(std::string_view head, const std::string& token);

class PageParser {
 public:
  explicit PageParser(const ParserSettings& settings);

  ParsedPage parse(FetchedPage page);

 private:
  void read_body(ParsedPage& result);
  // What --links-from and --keep say; type: of the body, as found.
  void filter(std::string_view type, ParsedPage& result) const;
  bool wants_requisites();
  // The body without its codings: a view of the fetch or of decoded_; says what became of it.
  Outcome decode(FetchOutcome& fetch, std::string_view& bytes);
  void read_html(std::string_view bytes, const ContentType& type, ParsedPage& result);
  void read_pdf(std::string_view bytes, ParsedPage& result);
  void read_sitemap(std::string_view bytes, ParsedPage& result);
  void take_directives();
  void read_requisite(ParsedPage& result);
  void read_css_body(std::string_view bytes, const ContentType& type, ParsedPage& result);
  void set_last_digest(ParsedPage& result);
  // Of what the page said at its last visit, from the archive; 0: it cannot be read there.
  std::uint64_t archived_digest(const std::string& url);
  void gather_links(ParsedPage& result);
  void read_manifest_body(std::string_view bytes, ParsedPage& result);
  void gather_requisites(ParsedPage& result);
  void add_default_icon(ParsedPage& result);
  void add_requisite(const Url& url, RequisiteKind kind, bool frame, ParsedPage& result);
  static FoundLink found_link(const Url& url, std::uint64_t fingerprint, ParsedPage& result);
  // The index of the link among those of the page; kNoIndex: there is no room.
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
  std::size_t last_texts_ = 0;  // how much the last page needed
  bool has_feed_ = false;       // this page has named one
  TermCounter words_;
  std::optional<TextExtractor> extractor_;  // where main text is asked for
  ScopeCache scope_cache_;
  std::shared_ptr<const Scope> live_scope_;
  std::uint64_t scope_version_ = 0;
  std::unordered_set<std::uint64_t> requisites_seen_;  // of this page
  // Fingerprints on this page: an open table of indexes in `links`, marked by the page's turn.
  struct Seen {
    std::uint32_t turn;
    std::uint32_t index;
  };
  std::vector<Seen> seen_;
  std::uint32_t turn_ = 0;
};

}  // namespace bowerbird
