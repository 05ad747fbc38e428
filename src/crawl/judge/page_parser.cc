#include "crawl/judge/page_parser.h"

#include <algorithm>
#include <utility>

#include "archive/capture_library.h"
#include "base/ascii.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "fetch/archived_body.h"
#include "parse/header_links.h"
#include "parse/http_head.h"
#include "parse/mime_sniff.h"
#include "parse/sitemap.h"
#include "store/known_urls.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostReserved = std::size_t{64} << 10;
constexpr std::size_t kLongestTitle = 256;
constexpr std::string_view kPdfType = "application/pdf";

// The first `size` bytes of a UTF-8 text at most, ending at a whole character.
std::string_view beginning(std::string_view text, std::size_t size) {
  text = text.substr(0, size);
  return text.substr(0, text.size() - incomplete_utf8_tail(text));
}

HtmlOptions html_options(const ParserSettings& settings, bool text) {
  HtmlOptions options;
  options.text = text;
  options.requisites = settings.requisites || settings.some_requisites;
  options.agent = settings.token;
  options.max_links = settings.max_links;
  options.max_requisites = settings.max_requisites;
  return options;
}

RobotsDirectives directives_of(std::string_view head, std::string_view token) {
  RobotsDirectives directives;
  each_field(head, "x-robots-tag",
             [&](std::string_view value) { add_x_robots_tag(value, token, 0, directives); });
  return directives;
}

}  // namespace

bool head_forbids_archive(std::string_view head, const std::string& token) {
  return directives_of(head, token).noarchive;
}

PageParser::PageParser(const ParserSettings& settings)
    : settings_(settings),
      plain_(html_options(settings, false)),
      with_text_(html_options(settings, true)),
      seen_(256) {
  if (settings.main_text) extractor_.emplace();
}

ParsedPage PageParser::parse(FetchedPage page) {
  ParsedPage result;
  if (settings_.live_scope != nullptr && settings_.live_scope->version() != scope_version_) {
    scope_version_ = settings_.live_scope->version();
    live_scope_ = settings_.live_scope->get();
    scope_cache_ = {};
  }
  result.page = std::move(page);
  undo_rare_codings(result.page.fetch, settings_.coding);
  const FetchOutcome& fetch = result.page.fetch;
  result.outcome = outcome_of(fetch);
  ++turn_;
  if (parse_url(result.page.url, nullptr, own_) != UrlFault::kNone) return result;
  directives_ = directives_of(fetch.head, settings_.token);
  requisites_seen_.clear();
  if (!result.page.requisite) filter(content_type_of(fetch.head).type, result);
  if (result.page.requisite) {
    read_requisite(result);
  } else if (result.outcome == Outcome::kRedirect) {
    const std::uint8_t nofollow = directives_.nofollow ? std::uint8_t{kLinkNofollow} : std::uint8_t{0};
    if (redirect_target(fetch.head, own_, link_)) {
      add(link_, kLinkRedirect | nofollow, result);
      // Used if the page is a frame.
      if (wants_requisites()) add_requisite(link_, RequisiteKind::kFrame, true, result);
      if (settings_.digests) result.digest = text_digest(hash64(link_.text()));
    }
  } else if (result.outcome == Outcome::kFetched) {
    read_body(result);
  }
  result.noarchive = directives_.noarchive;
  if (settings_.digests) {
    result.facts = answer_facts(fetch.head);
    if (result.digest == 0 && result.outcome == Outcome::kFetched && !result.page.requisite)
      result.digest = bytes_digest(fetch.body);
    set_last_digest(result);
  }
  if (settings_.body_digests) result.body_digest = sha1(fetch.body);
  return result;
}

void PageParser::filter(std::string_view type, ParsedPage& result) const {
  const auto chosen = [&](const PageFilter* filter) {
    return filter == nullptr || filter->chooses(own_.text(), type);
  };
  result.uses_links = chosen(settings_.links_from);
  result.keeps = chosen(settings_.keep);
}

// For the page that is being parsed.
bool PageParser::wants_requisites() {
  const SiteRules* const sites = scope() == nullptr ? nullptr : scope()->sites();
  if (sites == nullptr) return settings_.requisites;
  return sites->value(sites->tables_of(own_, scope_cache_.sites), &SiteSettings::requisites)
      .value_or(settings_.requisites);
}

// A digest of bytes is compared with the digest of these bytes. If they differ, the old text is read from
// the archive. Without an archive the page counts as changed.
void PageParser::set_last_digest(ParsedPage& result) {
  const std::uint64_t last = result.page.last_digest;
  result.last_digest = last;
  if (!is_bytes_digest(last) || is_bytes_digest(result.digest) || result.digest == 0) return;
  if (bytes_digest(result.page.fetch.body) == last) {
    result.last_digest = result.digest;
  } else if (const std::uint64_t archived = archived_digest(result.page.url); archived != 0) {
    result.last_digest = archived;
  }
}

std::uint64_t PageParser::archived_digest(const std::string& url) {
  if (settings_.captures == nullptr) return 0;
  const auto captures = settings_.captures->captures(url);
  if (!captures.ok() || captures->empty() || captures->back().entry.url != url) return 0;
  const auto response = settings_.captures->load(captures->back());
  if (!response.ok()) return 0;
  const ContentType type = content_type_of(response->head);
  if (!BodyTypes::is_html(type.type)) return 0;
  with_text_.read(response->body, {type.charset, {}, BodyTypes::is_xhtml(type.type)}, html_);
  return text_digest(change_digest(html_, settings_.numbers));
}

void PageParser::read_body(ParsedPage& result) {
  FetchOutcome& fetch = result.page.fetch;
  ContentType type = content_type_of(fetch.head);
  const bool unknown = is_unknown_type(type.type);
  std::string_view bytes;
  const bool pdf = settings_.pdf != nullptr && settings_.pdf->available();
  if (unknown || result.page.sitemap || BodyTypes::is_html(type.type) || (pdf && type.type == kPdfType)) {
    result.outcome = decode(fetch, bytes);
    if (result.outcome != Outcome::kFetched) return;
  }
  if (result.page.sitemap) {
    read_sitemap(bytes, type.charset, result);
    return;
  }
  if (unknown && !bytes.empty()) {
    type.type = sniff_type(bytes, says_nosniff(fetch.head));
    result.sniffed_type = type.type;
    if (settings_.types != nullptr && !settings_.types->wants(type.type)) {
      result.outcome = Outcome::kUnwanted;
      return;
    }
    filter(type.type, result);
  }
  if (BodyTypes::is_html(type.type)) {
    read_html(bytes, type, result);
  } else if (pdf && type.type == kPdfType) {
    read_pdf(bytes, result);
  } else {
    html_.clear();
    gather_links(result);
    if (settings_.text_digests) result.digest = text_digest(hash64(unknown ? bytes : fetch.body));
  }
}

Outcome PageParser::decode(FetchOutcome& fetch, std::string_view& bytes) {
  bytes = fetch.body;
  if (fetch.decoded) return Outcome::kFetched;
  const std::string coding = joined_fields(fetch.head, "content-encoding");
  switch (decode_body(coding, bytes, settings_.coding, decoded_)) {
    case CodingResult::kPlain:
      fetch.decoded = !coding.empty();  // whatever the header says
      return Outcome::kFetched;
    case CodingResult::kWhole:
    case CodingResult::kWrongChecksum:
      bytes = decoded_;
      return Outcome::kFetched;
    case CodingResult::kCut:
      bytes = decoded_;
      return fetch.truncated ? Outcome::kFetched : Outcome::kBadCoding;
    case CodingResult::kTooLarge:
      return Outcome::kBomb;
    case CodingResult::kDamaged:
    case CodingResult::kUnknown:
      return Outcome::kBadCoding;
  }
  return Outcome::kBadCoding;
}

void PageParser::read_html(std::string_view bytes, const ContentType& type, ParsedPage& result) {
  const bool text = result.page.compare || settings_.terms || settings_.topic || settings_.text_digests;
  PageReader& reader = text ? with_text_ : plain_;
  reader.read(bytes, {type.charset, {}, BodyTypes::is_xhtml(type.type)}, html_);
  take_directives();
  result.title = beginning(html_.title, kLongestTitle);
  if (settings_.terms) {
    words_.begin();
    words_.add_title(html_.title);
    words_.add_text(html_.text);
  }
  if (settings_.text_digests) result.digest = text_digest(change_digest(html_, settings_.numbers));
  gather_links(result);
  if (wants_requisites()) {
    gather_requisites(result);
    add_default_icon(result);
  }
  if (settings_.terms) result.terms = words_.finish();
  if (result.page.compare) result.text_fingerprint = fingerprint_text(html_.text, html_.weak);
  if (extractor_) {
    extractor_->read(reader.utf8(), own_);
    if (extractor_->main_found()) result.main_text = extractor_->main_text();
  }
}

// A file that cannot be read has no links.
void PageParser::read_pdf(std::string_view bytes, ParsedPage& result) {
  html_.clear();
  const auto links = settings_.pdf->links(bytes);
  if (links.ok()) plain_.read(*links, {"utf-8", "utf-8", false}, html_);
  gather_links(result);
}

// Reads the robots meta elements of html_.
void PageParser::take_directives() {
  for (const RobotsMeta& meta : html_.robots) {
    const std::string_view name = html_.string(meta.name);
    if (name == "robots" || name == settings_.token)
      add_robots_meta(html_.string(meta.content), 0, directives_);
  }
}

// The links of html_ and of the Link header fields.
void PageParser::gather_links(ParsedPage& result) {
  add_header_links(result.page.fetch.head, own_, html_);
  has_feed_ = false;
  result.links.reserve(html_.links.size());
  result.texts.reserve(last_texts_);
  const auto anchor = [&](const HtmlLink& link, std::uint32_t index) {
    if (settings_.terms) words_.add_anchor(index, html_.anchor(link));
  };
  resolver_.resolve(
      html_, own_, [this](const HtmlLink& link) { return follows(link); },
      [&](const HtmlLink& link, const Url& url) {
        const std::uint32_t index = add(url, flags_of(link), result);
        if (index != kNoIndex) anchor(link, index);
        return index;
      },
      [&](const HtmlLink& link, std::uint32_t index) {
        add_again(flags_of(link), result.links[index]);
        anchor(link, index);
      });
  last_texts_ = std::min<std::size_t>(result.texts.size(), kMostReserved);
}

std::uint8_t PageParser::flags_of(const HtmlLink& link) const {
  const bool marked = directives_.nofollow || (link.rel & (kRelNofollow | kRelUgc | kRelSponsored)) != 0;
  std::uint8_t flags = marked ? std::uint8_t{kLinkNofollow} : std::uint8_t{0};
  if (link.is_feed) flags |= kLinkSitemap;
  if (settings_.topic && settings_.topic->found_in(html_.anchor(link))) flags |= kLinkAnchorHint;
  return flags;
}

// Pages name their most general feed first. Further feeds often hold the comments on one article.
bool PageParser::follows(const HtmlLink& link) {
  if (link.is_requisite()) return false;
  if (link.is_feed) return settings_.feeds && !std::exchange(has_feed_, true);
  if (link.kind == LinkKind::kLink) return (link.rel & (kRelCanonical | kRelNext | kRelPrev)) != 0;
  return true;
}

// The digest covers the listed entries only: feeds often contain the time of the request.
void PageParser::read_sitemap(std::string_view bytes, const std::string& charset, ParsedPage& result) {
  std::uint64_t digest = 0;
  SitemapOptions options;
  options.charset = charset;
  const auto take = [&](const SitemapEntry& entry) {
    digest = hash64(entry.url, mix64(digest + static_cast<std::uint64_t>(entry.last_modified.value_or(0))));
    if (canonical_url(entry.url, &own_, link_) != UrlFault::kNone) {
      ++result.unreadable;
      return;
    }
    const std::uint32_t link =
        add(link_, entry.is_sitemap ? std::uint8_t{kLinkSitemap} : std::uint8_t{0}, result);
    if (settings_.digests && link != kNoIndex && entry.last_modified && *entry.last_modified > 0)
      result.listed.push_back({link, *entry.last_modified});
  };
  SitemapParser parser(take, options);
  parser.push(bytes);
  result.unreadable += parser.finish().unreadable;
  if (settings_.digests) result.digest = text_digest(digest);
}

std::uint32_t PageParser::add(const Url& url, std::uint8_t flags, ParsedPage& result) {
  if (result.links.size() >= settings_.max_links || result.texts.size() >= settings_.max_texts)
    return kNoIndex;
  const std::uint64_t fingerprint = KnownUrls::fingerprint(url.text());
  bool fresh = false;
  const std::uint32_t index = seen(fingerprint, result, fresh);
  if (!fresh) {
    add_again(flags, result.links[index]);
    return index;
  }
  if (url.host() != own_.host()) flags |= kLinkOtherHost;
  ScopeVerdict verdict = ScopeVerdict::kIn;
  if (scope() != nullptr) verdict = scope()->judge(url, scope_cache_);
  if (verdict != ScopeVerdict::kIn) {
    flags |= kLinkOutOfScope;
  } else if (trap_sign(url, settings_.traps) != TrapSign::kNone) {
    flags |= kLinkTrap;
  }
  FoundLink& link = result.links[index];
  link = found_link(url, fingerprint, result);
  link.flags = flags;
  link.scope = verdict;
  if (const SiteRules* const sites = scope() == nullptr ? nullptr : scope()->sites()) {
    const auto depth = sites->value(sites->tables_of(url, scope_cache_.sites), &SiteSettings::depth);
    if (depth)
      link.most_depth = static_cast<std::uint32_t>(std::min<std::uint64_t>(*depth, kNoSiteDepth - 1));
  }
  return index;
}

FoundLink PageParser::found_link(const Url& url, std::uint64_t fingerprint, ParsedPage& result) {
  FoundLink link{};
  link.fingerprint = fingerprint;
  link.at = static_cast<std::uint32_t>(result.texts.size());
  link.size = static_cast<std::uint16_t>(url.text().size());
  link.host_size = static_cast<std::uint16_t>(url.host().size());
  link.https = url.https();
  link.scope = ScopeVerdict::kIn;
  result.texts += url.text();
  return link;
}

// A further link to a page that is already in the list.
void PageParser::add_again(std::uint8_t flags, FoundLink& known) {
  if ((flags & kLinkNofollow) == 0) known.flags = static_cast<std::uint8_t>(known.flags & ~kLinkNofollow);
  known.flags = static_cast<std::uint8_t>(known.flags | (flags & (kLinkAnchorHint | kLinkSitemap)));
}

// The index of the link with this fingerprint. fresh: it was not in the list before.
std::uint32_t PageParser::seen(std::uint64_t fingerprint, ParsedPage& result, bool& fresh) {
  if ((result.links.size() + 1) * 2 > seen_.size()) {
    seen_.assign(seen_.size() * 2, Seen{0, 0});
    for (std::uint32_t index = 0; index < result.links.size(); ++index) {
      std::size_t i = result.links[index].fingerprint & (seen_.size() - 1);
      while (seen_[i].turn == turn_) i = (i + 1) & (seen_.size() - 1);
      seen_[i] = {turn_, index};
    }
  }
  std::size_t i = fingerprint & (seen_.size() - 1);
  for (; seen_[i].turn == turn_; i = (i + 1) & (seen_.size() - 1)) {
    if (result.links[seen_[i].index].fingerprint == fingerprint) return seen_[i].index;
  }
  const auto index = static_cast<std::uint32_t>(result.links.size());
  seen_[i] = {turn_, index};
  fresh = true;
  result.links.push_back({fingerprint, 0, 0, 0, 0, false, ScopeVerdict::kIn, kNoSiteDepth});
  return index;
}

}  // namespace bowerbird
