#include "crawl/page_parser.h"

#include <algorithm>

#include "base/ascii.h"
#include "crawl/body_types.h"
#include "parse/http_fields.h"
#include "parse/sitemap.h"
#include "store/known_urls.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostReserved = std::size_t{64} << 10;

HtmlOptions html_options(const ParserSettings& settings, bool text) {
  HtmlOptions options;
  options.text = text;
  options.requisites = settings.requisites;
  options.agent = settings.token;
  options.max_links = settings.max_links;
  return options;
}

// The charset parameter of a Content-Type, without allocating where there is none.
std::string charset_of(std::string_view content_type) {
  if (content_type.find(';') == content_type.npos) return {};
  return parse_content_type(content_type).charset;
}

// Calls visit(value) for each field of this name.
template <typename Visit>
void each_field(std::string_view head, std::string_view name, Visit visit) {
  while (!head.empty()) {
    const std::string_view value = head_field(head, name);
    if (value.data() == nullptr) return;
    visit(value);
    // head_field begins behind the first line, so that what is cut off ends in the middle of this one.
    head.remove_prefix(static_cast<std::size_t>(value.data() - head.data()));
  }
}

}  // namespace

bool head_forbids_archive(std::string_view head, const std::string& token) {
  RobotsDirectives directives;
  each_field(head, "x-robots-tag",
             [&](std::string_view value) { add_x_robots_tag(value, token, 0, directives); });
  return directives.noarchive;
}

PageParser::PageParser(const ParserSettings& settings)
    : settings_(settings),
      plain_(html_options(settings, false)),
      with_text_(html_options(settings, true)),
      seen_(256) {}

ParsedPage PageParser::parse(FetchedPage page) {
  ParsedPage result;
  result.page = std::move(page);
  const FetchOutcome& fetch = result.page.fetch;
  result.outcome = outcome_of(fetch);
  ++turn_;
  nofollow_ = false;
  if (parse_url(result.page.url, nullptr, own_) != UrlFault::kNone) return result;
  if (result.outcome == Outcome::kRedirect) {
    add_link(head_field(fetch.head, "location"), &own_, kLinkRedirect, result);
    return result;
  }
  if (result.outcome != Outcome::kFetched) return result;

  const std::string_view type = head_field(fetch.head, "content-type");
  const bool html = BodyTypes::is_html(type);
  if (!html && !result.page.sitemap) return result;
  std::string_view bytes = fetch.body;
  switch (decode_body(head_field(fetch.head, "content-encoding"), bytes, settings_.coding, decoded_)) {
    case CodingResult::kPlain:
      break;
    case CodingResult::kWhole:
      bytes = decoded_;
      break;
    case CodingResult::kCut:
      bytes = decoded_;
      if (!fetch.truncated) result.outcome = Outcome::kBadCoding;
      break;
    case CodingResult::kTooLarge:
      result.outcome = Outcome::kBomb;
      break;
    case CodingResult::kDamaged:
    case CodingResult::kUnknown:
      result.outcome = Outcome::kBadCoding;
      break;
  }
  if (result.outcome != Outcome::kFetched) return result;
  if (result.page.sitemap) {
    read_sitemap(bytes, result);
  } else {
    read_html(bytes, result);
  }
  return result;
}

void PageParser::read_html(std::string_view bytes, ParsedPage& result) {
  const std::string_view type = head_field(result.page.fetch.head, "content-type");
  const std::string charset = charset_of(type);
  const bool text = result.page.judge || settings_.terms || settings_.topic;
  PageReader& reader = text ? with_text_ : plain_;
  reader.read(bytes, {charset, {}, BodyTypes::is_xhtml(type)}, html_);
  read_directives(html_, result);
  if (settings_.terms) {
    words_.begin();
    words_.add_title(html_.title);
    words_.add_text(html_.text);
  }
  result.links.reserve(html_.links.size());
  result.texts.reserve(last_texts_);
  const auto anchor = [&](const HtmlLink& link, std::uint32_t place) {
    if (settings_.terms) words_.add_anchor(place, html_.anchor(link));
  };
  resolver_.resolve(
      html_, own_, [this](const HtmlLink& link) { return follows(link); },
      [&](const HtmlLink& link, const Url& url) {
        const std::uint32_t place = add(url, flags_of(link), result);
        if (place != kNoPlace) anchor(link, place);
        return place;
      },
      [&](const HtmlLink& link, std::uint32_t place) {
        add_again(flags_of(link), result.links[place]);
        anchor(link, place);
      });
  last_texts_ = std::min<std::size_t>(result.texts.size(), kMostReserved);
  if (settings_.terms) result.terms = words_.finish();
  if (result.page.judge) result.print = fingerprint_text(html_.text, html_.weak);
}

std::uint8_t PageParser::flags_of(const HtmlLink& link) const {
  const bool marked = nofollow_ || (link.rel & (kRelNofollow | kRelUgc | kRelSponsored)) != 0;
  std::uint8_t flags = marked ? std::uint8_t{kLinkNofollow} : std::uint8_t{0};
  if (settings_.topic && settings_.topic->found_in(html_.anchor(link))) flags |= kLinkAnchorHint;
  return flags;
}

bool PageParser::follows(const HtmlLink& link) const {
  if (link.is_requisite()) return settings_.requisites && (link.rel & kRelHint) == 0;
  if (link.kind == LinkKind::kLink) return (link.rel & (kRelCanonical | kRelNext | kRelPrev)) != 0;
  return true;
}

void PageParser::read_directives(const HtmlPage& page, ParsedPage& result) {
  RobotsDirectives directives;
  for (const RobotsMeta& meta : page.robots) add_robots_meta(page.string(meta.content), 0, directives);
  each_field(result.page.fetch.head, "x-robots-tag",
             [&](std::string_view value) { add_x_robots_tag(value, settings_.token, 0, directives); });
  nofollow_ = directives.nofollow;
  result.noarchive = directives.noarchive;
  result.noindex = directives.noindex;
}

void PageParser::read_sitemap(std::string_view bytes, ParsedPage& result) {
  SitemapParser parser([&](const SitemapEntry& entry) {
    add_link(entry.url, &own_, entry.is_sitemap ? std::uint8_t{kLinkSitemap} : std::uint8_t{0}, result);
  });
  parser.push(bytes);
  parser.finish();
}

bool PageParser::add_link(std::string_view link, const Url* base, std::uint8_t flags, ParsedPage& result) {
  if (canonical_url(link, base, link_) != UrlFault::kNone) return false;
  add(link_, flags, result);
  return true;
}

std::uint32_t PageParser::add(const Url& url, std::uint8_t flags, ParsedPage& result) {
  if (result.links.size() >= settings_.max_links) return kNoPlace;
  const std::uint64_t fingerprint = KnownUrls::fingerprint(url.text());
  bool fresh = false;
  const std::uint32_t place = seen(fingerprint, result, fresh);
  if (!fresh) {
    add_again(flags, result.links[place]);
    return place;
  }
  if (url.host() != own_.host()) flags |= kLinkOtherHost;
  if (settings_.scope != nullptr && settings_.scope->judge(url, scope_cache_) != ScopeVerdict::kIn) {
    flags |= kLinkOutOfScope;
  } else if (trap_sign(url, settings_.traps) != TrapSign::kNone) {
    flags |= kLinkTrap;
  }
  FoundLink& link = result.links[place];
  link.at = static_cast<std::uint32_t>(result.texts.size());
  link.size = static_cast<std::uint16_t>(url.text().size());
  link.host_size = static_cast<std::uint16_t>(url.host().size());
  link.flags = flags;
  link.https = url.https();
  result.texts += url.text();
  return place;
}

// A further link to the same page.
void PageParser::add_again(std::uint8_t flags, FoundLink& known) {
  if ((flags & kLinkNofollow) == 0) known.flags = static_cast<std::uint8_t>(known.flags & ~kLinkNofollow);
  known.flags = static_cast<std::uint8_t>(known.flags | (flags & kLinkAnchorHint));
}

// The place of the link with this fingerprint; fresh: it has just been given one.
std::uint32_t PageParser::seen(std::uint64_t fingerprint, ParsedPage& result, bool& fresh) {
  if ((result.links.size() + 1) * 2 > seen_.size()) {
    seen_.assign(seen_.size() * 2, Seen{0, 0});
    for (std::uint32_t place = 0; place < result.links.size(); ++place) {
      std::size_t i = result.links[place].fingerprint & (seen_.size() - 1);
      while (seen_[i].turn == turn_) i = (i + 1) & (seen_.size() - 1);
      seen_[i] = {turn_, place};
    }
  }
  std::size_t i = fingerprint & (seen_.size() - 1);
  for (; seen_[i].turn == turn_; i = (i + 1) & (seen_.size() - 1)) {
    if (result.links[seen_[i].place].fingerprint == fingerprint) return seen_[i].place;
  }
  const auto place = static_cast<std::uint32_t>(result.links.size());
  seen_[i] = {turn_, place};
  fresh = true;
  result.links.push_back({fingerprint, 0, 0, 0, 0, false});
  return place;
}

}  // namespace bowerbird
