#include "parse/html_rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.h"
#include "base/html_escape.h"
#include "parse/css.h"
#include "parse/html_builder.h"
#include "parse/html_text.h"
#include "parse/html_tokenizer.h"
#include "parse/xml_style_sheet.h"

namespace bowerbird {

namespace {

constexpr int kDeepestFrame = 4;  // pages in srcdoc in pages in srcdoc ...
constexpr std::string_view kInvalidUrl = "about:invalid";

// Without tabs and line ends, and without control characters and blanks at its ends (URL Standard 4.4).
std::string cleaned_reference(std::string_view text) {
  const auto is_edge = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!text.empty() && is_edge(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_edge(text.back())) text.remove_suffix(1);
  std::string out;
  for (const char c : text) {
    if (c != '\t' && c != '\n' && c != '\r') out.push_back(c);
  }
  return out;
}

// "mailto:x" and its kind: a scheme other than http and https.
bool has_other_scheme(std::string_view text) {
  if (text.empty() || !is_ascii_alpha(text.front())) return false;
  std::size_t i = 0;
  while (i < text.size() && (is_ascii_alnum(text[i]) || text[i] == '+' || text[i] == '-' || text[i] == '.'))
    ++i;
  if (i == text.size() || text[i] != ':') return false;
  return !equals_ignoring_case(text.substr(0, i), "http") &&
         !equals_ignoring_case(text.substr(0, i), "https");
}

std::string attribute_text(std::string_view value) {
  std::string out = "\"";
  append_html_escaped(out, value);
  return out + '"';
}

// Escaped so that it can stand in any kind of quotes, or in none, and in HTML.
void append_css_url(std::string_view url, std::string& out) {
  for (const char c : url) {
    const bool special = std::string_view("\"'()\\<>&").find(c) != std::string_view::npos ||
                         static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
    if (special) {
      fmt::format_to(std::back_inserter(out), "\\{:x} ",
                     static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out.push_back(c);
    }
  }
}

std::string rewrite_style(std::string_view css, CssPart part, const RewriteContext& context) {
  std::string out;
  std::size_t done = 0;
  read_css(css, part, [&](const CssReference& reference) {
    const std::string changed = rewrite_reference(reference.url, UrlUse::kRequisite, context);
    if (changed == reference.url) return;
    out.append(css.substr(done, reference.at - done));
    append_css_url(changed, out);
    done = reference.at + reference.size;
  });
  out.append(css.substr(done));
  return out;
}

struct PageAttribute {
  std::string name;         // lower case
  std::string_view raw;     // its value as written
  const char* begin;        // of its name
  const char* value_begin;  // where a new value goes, quotes included; null: it has none
  const char* end;
};

// 13.2.5.32 to 13.2.5.39, from behind the name of a tag to its '>' or `end`.
const char* read_page_attributes(const char* p, const char* end, std::vector<PageAttribute>& found) {
  found.clear();
  for (;;) {
    while (p < end && (is_ascii_space(*p) || *p == '/')) ++p;
    if (p == end || *p == '>') return p;
    PageAttribute attribute{};
    attribute.begin = p++;  // a '=' here is part of the name
    while (p < end && !is_ascii_space(*p) && *p != '/' && *p != '>' && *p != '=') ++p;
    attribute.name = lowered(html_view(attribute.begin, p));
    attribute.end = p;
    const char* after = p;
    while (after < end && is_ascii_space(*after)) ++after;
    if (after < end && *after == '=') {
      p = after + 1;
      while (p < end && is_ascii_space(*p)) ++p;
      attribute.value_begin = p;
      if (p < end && (*p == '"' || *p == '\'')) {
        const char* close = find_byte(p + 1, end, *p);
        attribute.raw = html_view(p + 1, close);
        p = close == end ? end : close + 1;
      } else {
        while (p < end && !is_ascii_space(*p) && *p != '>') ++p;
        attribute.raw = html_view(attribute.value_begin, p);
      }
      attribute.end = p;
    }
    found.push_back(std::move(attribute));
  }
}

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 8> kRemoved = {
    "integrity", "nonce", "ping", "csp", "referrerpolicy", "crossorigin", "codebase", "attributionsrc"};
constexpr std::array<std::string_view, 9> kStyled = {
    "fill", "stroke", "filter", "mask", "clip-path", "marker-start", "marker-mid", "marker-end", "cursor"};
constexpr std::array<std::string_view, 5> kOpened = {"action", "formaction", "cite", "longdesc", "xml:base"};
constexpr std::array<std::string_view, 8> kLoaded = {"poster", "background", "data-src", "lowsrc",
                                                     "dynsrc", "icon",       "manifest", "profile"};
constexpr std::array<std::string_view, 3> kSets = {"srcset", "imagesrcset", "data-srcset"};

// What both readers share: the tags of a page, and what becomes of them.
class TagRewriter {
 public:
  TagRewriter(std::string_view html, const RewriteContext& context, int depth)
      : context_(context), depth_(depth), copied_(html.data()), end_(html.data() + html.size()) {}
  TagRewriter(const TagRewriter&) = delete;
  TagRewriter& operator=(const TagRewriter&) = delete;

  // The start tag whose name is given, a view of the input.
  void tag(std::string_view tag_name) {
    read_page_attributes(tag_name.data() + tag_name.size(), end_, attributes_);
    name_ = lowered(tag_name.substr(tag_name.rfind(':') + 1));
    if (name_ == "base") return base();
    if (name_ == "meta") return meta();
    for (const PageAttribute& attribute : attributes_) rewrite(attribute);
  }

  // An <?xml-stylesheet?>: `content` is a view of the input, of what follows its name.
  void style_sheet(std::string_view content) {
    const std::string_view href = style_sheet_href(content);
    std::string value;
    append_attribute_value(value, href);
    if (value.empty() || value.front() == '#') return;
    const std::string changed = attribute_text(rewrite_reference(value, UrlUse::kRequisite, context_));
    replace(href.data(), href.data() + href.size(), std::string_view(changed).substr(1, changed.size() - 2));
  }

  // Of <style>; `references`: written as text of XML.
  void style(std::string_view css, bool references) {
    std::string text;
    if (references) {
      append_attribute_value(text, css);
    } else {
      text = css;
    }
    const std::string changed = rewrite_css(text, context_);
    if (changed == text) return;
    if (!references) return replace(css.data(), css.data() + css.size(), changed);
    std::string escaped = attribute_text(changed);
    replace(css.data(), css.data() + css.size(), std::string_view(escaped).substr(1, escaped.size() - 2));
  }

  std::string finish() {
    out_.append(copied_, end_);
    return std::move(out_);
  }

 private:
  void replace(const char* begin, const char* end, std::string_view text) {
    if (begin < copied_) return;
    out_.append(copied_, begin).append(text);
    copied_ = end;
  }
  void set_value(const PageAttribute& attribute, std::string_view value) {
    if (attribute.value_begin == nullptr) return;
    replace(attribute.value_begin, attribute.end, attribute_text(value));
  }
  void remove(const PageAttribute& attribute) { replace(attribute.begin, attribute.end, ""); }
  std::string decoded(const PageAttribute& attribute) const {
    std::string value;
    append_attribute_value(value, attribute.raw);
    return value;
  }
  const PageAttribute* find(std::string_view name) const {
    for (const PageAttribute& attribute : attributes_) {
      if (attribute.name == name) return &attribute;
    }
    return nullptr;
  }

  // The first one counts.
  void base() {
    for (const PageAttribute& attribute : attributes_) {
      if (attribute.name != "href") continue;
      Url url;
      if (!has_base_ && parse_url(decoded(attribute), context_.page, url) == UrlFault::kNone) {
        base_ = std::move(url);
        context_.page = &base_;
        has_base_ = true;
      }
      remove(attribute);
    }
  }

  void meta() {
    const PageAttribute* content = find("content");
    if (const PageAttribute* charset = find("charset")) set_value(*charset, "utf-8");
    if (content == nullptr) return;
    if (const PageAttribute* name = find("name");
        name != nullptr && equals_ignoring_case(decoded(*name), "referrer"))
      return set_value(*content, "");
    const PageAttribute* equivalent = find("http-equiv");
    if (equivalent == nullptr) return;
    const std::string field = lowered(decoded(*equivalent));
    if (field == "refresh") {
      set_value(*content, rewrite_refresh(decoded(*content), context_));
    } else if (field == "content-type") {
      set_value(*content, "text/html; charset=utf-8");
    } else if (field.starts_with("content-security-policy") || field == "set-cookie") {
      set_value(*content, "");
    }
  }

  void rewrite(const PageAttribute& attribute) {
    const std::string& name = attribute.name;
    if (is_one_of(name, kRemoved)) return remove(attribute);
    if (attribute.value_begin == nullptr) return;
    if (name == "href" || name == "xlink:href") {
      set_url(attribute, use_of_href());
    } else if (name == "src") {
      set_url(attribute, name_ == "iframe" || name_ == "frame" ? UrlUse::kPage : UrlUse::kRequisite);
    } else if (is_one_of(name, kOpened)) {
      set_url(attribute, UrlUse::kPage);
    } else if (is_one_of(name, kLoaded) || (name == "data" && name_ == "object")) {
      set_url(attribute, UrlUse::kRequisite);
    } else if (is_one_of(name, kSets)) {
      set_value(attribute, rewritten_set(decoded(attribute)));
    } else if (name == "style" || is_one_of(name, kStyled)) {
      const std::string css = decoded(attribute);
      const std::string changed = rewrite_style(css, CssPart::kDeclarations, context_);
      if (changed != css) set_value(attribute, changed);
    } else if (name == "srcdoc") {
      frame(attribute);
    }
  }

  UrlUse use_of_href() const {
    if (name_ == "a" || name_ == "area") return UrlUse::kPage;
    if (name_ != "link") return UrlUse::kRequisite;
    const PageAttribute* rel = find("rel");
    const std::uint32_t types = rel == nullptr ? 0 : parse_rel(decoded(*rel));
    constexpr std::uint32_t kLoads = kRelStylesheet | kRelIcon | kRelPreload | kRelPrefetch | kRelManifest;
    return (types & kLoads) != 0 ? UrlUse::kRequisite : UrlUse::kPage;
  }

  void set_url(const PageAttribute& attribute, UrlUse use) {
    const std::string value = decoded(attribute);
    if (value.starts_with('#') && !has_base_) return;
    const std::string changed = rewrite_reference(value, use, context_);
    if (changed != value) set_value(attribute, changed);
  }

  void frame(const PageAttribute& attribute);

  // HTML standard 4.8.4.4.7: URLs with descriptors, separated by commas, which may stand in URLs and in
  // brackets.
  std::string rewritten_set(std::string_view set) const {
    std::string out;
    std::size_t at = 0;
    while (at < set.size()) {
      while (at < set.size() && (is_ascii_space(set[at]) || set[at] == ',')) ++at;
      std::size_t end = at;
      while (end < set.size() && !is_ascii_space(set[end])) ++end;
      if (end == at) break;
      std::string_view url = set.substr(at, end - at);
      at = end;
      std::string_view descriptors;
      if (url.ends_with(',')) {
        while (url.ends_with(',')) url.remove_suffix(1);
      } else {
        int open = 0;
        while (end < set.size() && (set[end] != ',' || open > 0)) {
          open += set[end] == '(' ? 1 : set[end] == ')' ? -1 : 0;
          ++end;
        }
        descriptors = trimmed(set.substr(at, end - at), kAsciiSpaces);
        at = end;
      }
      if (!out.empty()) out += ", ";
      // A comma at its end would belong to the list.
      std::string changed = rewrite_reference(url, UrlUse::kRequisite, context_);
      if (changed.ends_with(',')) changed.replace(changed.size() - 1, 1, "%2C");
      out += changed;
      if (!descriptors.empty()) out.append(" ").append(descriptors);
    }
    return out;
  }

  RewriteContext context_;
  int depth_;
  std::string out_;
  const char* copied_;  // up to here the input is in out_
  const char* end_;
  std::string name_;  // of the tag, lower case, without prefix
  std::vector<PageAttribute> attributes_;
  Url base_;
  bool has_base_ = false;
};

// Hands the tags of a page to a TagRewriter.
class RewriteSink {
 public:
  bool wants_text() const { return true; }
  bool wants_end_tags() const { return true; }
  bool reads_attributes(const TagInfo& /*tag*/) const { return true; }
  bool hears(const TagInfo& /*tag*/) const { return true; }
  void start_tag(const HtmlTag& tag, bool foreign) {
    rewriter->tag(tag.name);
    in_foreign_style_ = foreign && tag.info->id == TagId::kStyle;
  }
  void end_tag(const HtmlTag& /*tag*/) { in_foreign_style_ = false; }
  void math_tag(const HtmlTag& /*tag*/) {}
  void text(std::string_view raw, bool references) {
    if (in_foreign_style_) rewriter->style(raw, references);
  }
  bool wants_raw_text(const TagInfo& tag) const { return tag.id == TagId::kStyle; }
  void raw_text(const TagInfo& /*tag*/, std::string_view raw, bool /*references*/) {
    // Pieces of one style follow each other.
    if (style_.data() == nullptr) style_ = raw;
    style_ = html_view(style_.data(), raw.data() + raw.size());
  }
  void end_raw_text(const TagInfo& /*tag*/) { finish_style(); }
  void finish_style() {
    if (style_.data() != nullptr) rewriter->style(style_, /*references=*/false);
    style_ = {};
  }

  TagRewriter* rewriter = nullptr;

 private:
  bool in_foreign_style_ = false;
  std::string_view style_;
};

std::string rewrite_html_at(std::string_view html, const RewriteContext& context, int depth) {
  TagRewriter rewriter(html, context, depth);
  HtmlTokenizer<RewriteSink> tokenizer;
  tokenizer.sink().rewriter = &rewriter;
  tokenizer.scan(html, html.size());
  tokenizer.sink().finish_style();
  return rewriter.finish();
}

void TagRewriter::frame(const PageAttribute& attribute) {
  if (depth_ >= kDeepestFrame) return remove(attribute);
  RewriteContext inner = context_;
  inner.encoding = Encoding::kUtf8;
  set_value(attribute, rewrite_html_at(decoded(attribute), inner, depth_ + 1));
}

bool is_style_sheet(std::string_view instruction) {
  instruction.remove_prefix(2);
  return instruction.starts_with(kXmlStyleSheet) && instruction.size() > kXmlStyleSheet.size() &&
         is_ascii_space(instruction[kXmlStyleSheet.size()]);
}

const char* find_text(const char* p, const char* end, std::string_view text) {
  const std::size_t at = html_view(p, end).find(text);
  return at == std::string_view::npos ? end : p + at + text.size();
}

}  // namespace

std::string rewrite_html(std::string_view html, const RewriteContext& context) {
  return rewrite_html_at(html, context, 0);
}

std::string rewrite_xml(std::string_view xml, const RewriteContext& context) {
  TagRewriter rewriter(xml, context, 0);
  const char* const end = xml.data() + xml.size();
  bool in_root = false;
  bool in_style = false;
  std::vector<PageAttribute> attributes;
  for (const char* p = xml.data(); p < end;) {
    if (*p != '<') {
      const char* next = find_byte(p, end, '<');
      if (in_style) rewriter.style(html_view(p, next), /*references=*/true);
      p = next;
      continue;
    }
    const std::string_view rest = html_view(p, end);
    if (rest.starts_with("<!--")) {
      p = find_text(p + 4, end, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      const char* close = find_text(p, end, "]]>");
      if (in_style && close - p >= 12) rewriter.style(html_view(p + 9, close - 3), /*references=*/false);
      p = close;
    } else if (rest.starts_with("<?")) {
      const char* close = find_text(p, end, "?>");
      if (!in_root && is_style_sheet(rest)) {
        const char* content = p + 2 + kXmlStyleSheet.size();
        rewriter.style_sheet(html_view(content, std::max(content, close - 2)));
      }
      p = close;
    } else if (rest.size() > 1 && (rest[1] == '!' || rest[1] == '/')) {
      in_style = false;
      p = find_text(p, end, ">");
    } else {
      in_root = true;
      const char* name_end = end_of_tag_name(p + 1, end);
      const std::string_view name = html_view(p + 1, name_end);
      rewriter.tag(name);
      p = read_page_attributes(name_end, end, attributes);
      in_style = p < end && p[-1] != '/' && equals_ignoring_case(name.substr(name.rfind(':') + 1), "style");
      if (p < end) ++p;
    }
  }
  return rewriter.finish();
}

std::string rewrite_css(std::string_view css, const RewriteContext& context) {
  return rewrite_style(css, CssPart::kSheet, context);
}

std::string rewrite_reference(std::string_view reference, UrlUse use, const RewriteContext& context) {
  const std::string text = cleaned_reference(reference);
  if (text.empty() || has_other_scheme(text)) return std::string(reference);
  Url url;
  if (parse_url(text, context.page, url, context.encoding) != UrlFault::kNone)
    return std::string(kInvalidUrl);
  const std::string fragment = url.has_fragment() ? "#" + std::string(url.fragment()) : "";
  return (*context.map)(url, use) + fragment;
}

std::string rewrite_refresh(std::string_view value, const RewriteContext& context) {
  std::uint32_t delay = 0;
  std::string_view url;
  if (!parse_refresh(value, delay, url)) return "";
  const std::string seconds = std::to_string(delay);
  if (url.empty()) return seconds;
  return seconds + "; url=" + rewrite_reference(url, UrlUse::kPage, context);
}

}  // namespace bowerbird
