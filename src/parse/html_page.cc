#include "parse/html_page.h"

#include "base/ascii.h"

namespace bowerbird {

namespace {

struct RelName {
  std::string_view name;
  std::uint32_t bit;
};

// In the order of the bits; if a bit has several names, the one to print comes first.
constexpr RelName kRelNames[] = {
    {"nofollow", kRelNofollow},
    {"ugc", kRelUgc},
    {"sponsored", kRelSponsored},
    {"canonical", kRelCanonical},
    {"alternate", kRelAlternate},
    {"stylesheet", kRelStylesheet},
    {"icon", kRelIcon},
    {"apple-touch-icon", kRelIcon},
    {"apple-touch-icon-precomposed", kRelIcon},
    {"mask-icon", kRelIcon},
    {"next", kRelNext},
    {"prev", kRelPrev},
    {"previous", kRelPrev},
    {"amphtml", kRelAmphtml},
    {"dns-prefetch", kRelHint},
    {"preconnect", kRelHint},
    {"preload", kRelPreload},
    {"modulepreload", kRelPreload},
    {"prefetch", kRelPrefetch},
    {"prerender", kRelPrefetch},
    {"manifest", kRelManifest},
    {"noopener", kRelNoopener},
    {"noreferrer", kRelNoreferrer},
    {"external", kRelExternal},
    {"tag", kRelTag},
    {"license", kRelLicense},
    {"copyright", kRelLicense},
    {"author", kRelAuthor},
    {"bookmark", kRelBookmark},
    {"help", kRelHelp},
    {"search", kRelSearch},
    {"me", kRelMe},
    {"shortlink", kRelShortlink},
};

}  // namespace

std::uint32_t parse_rel(std::string_view rel) {
  std::uint32_t bits = 0;
  std::size_t at = 0;
  while (at < rel.size()) {
    while (at < rel.size() && is_ascii_space(rel[at])) ++at;
    const std::size_t begin = at;
    while (at < rel.size() && !is_ascii_space(rel[at])) ++at;
    const std::string_view word = rel.substr(begin, at - begin);
    for (const RelName& entry : kRelNames) {
      if (equals_ignoring_case(word, entry.name)) bits |= entry.bit;
    }
  }
  return bits;
}

std::string rel_text(std::uint32_t rel) {
  std::string text;
  for (const RelName& entry : kRelNames) {
    if ((rel & entry.bit) == 0) continue;
    if (!text.empty()) text += ' ';
    text += entry.name;
    rel &= ~entry.bit;
  }
  return text;
}

std::string_view link_kind_name(LinkKind kind) {
  switch (kind) {
    case LinkKind::kAnchor:
      return "a";
    case LinkKind::kArea:
      return "area";
    case LinkKind::kLink:
      return "link";
    case LinkKind::kFrame:
      return "frame";
    case LinkKind::kIframe:
      return "iframe";
    case LinkKind::kRefresh:
      return "refresh";
    case LinkKind::kImage:
      return "image";
    case LinkKind::kScript:
      return "script";
    case LinkKind::kMedia:
      return "media";
    case LinkKind::kStyle:
      return "style";
    case LinkKind::kFont:
      return "font";
  }
  return "";
}

void HtmlPage::clear() {
  encoding = Encoding::kUtf8;
  xhtml = false;
  links.clear();
  robots.clear();
  frames.clear();
  has_base = false;
  base = {};
  charset = {};
  language = {};
  title.clear();
  text.clear();
  weak.clear();
  strings.clear();
  truncated = false;
}

}  // namespace bowerbird
