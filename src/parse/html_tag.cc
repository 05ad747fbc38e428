#include "parse/html_tag.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "base/ascii.h"
#include "parse/html_find.h"

namespace bowerbird {

namespace {

constexpr TagInfo kUnknown{"", TagId::kUnknown, 0};

constexpr TagInfo kRows[] = {
    {"a", TagId::kA, kTagLinks},
    {"abbr", TagId::kAbbr, 0},
    {"acronym", TagId::kAcronym, 0},
    {"address", TagId::kAddress, kTagBlock | kTagSpecial},
    {"annotation", TagId::kAnnotation, 0},
    {"annotation-xml", TagId::kAnnotationXml, kTagForeign},
    {"applet", TagId::kApplet, kTagSpecial},
    {"area", TagId::kArea, kTagLinks | kTagVoid | kTagSpecial},
    {"article", TagId::kArticle, kTagBlock | kTagSpecial},
    {"aside", TagId::kAside, kTagBlock | kTagWeak | kTagSpecial},
    {"audio", TagId::kAudio, kTagRequisite | kTagSpace},
    {"b", TagId::kB, kTagBreakout},
    {"base", TagId::kBase, kTagLinks | kTagVoid | kTagSpecial},
    {"basefont", TagId::kBasefont, kTagVoid | kTagSpecial},
    {"bdi", TagId::kBdi, 0},
    {"bdo", TagId::kBdo, 0},
    {"bgsound", TagId::kBgsound, kTagVoid | kTagSpecial},
    {"big", TagId::kBig, kTagBreakout},
    {"blockquote", TagId::kBlockquote, kTagBlock | kTagBreakout | kTagSpecial},
    {"body", TagId::kBody, kTagBlock | kTagBreakout | kTagRequisite | kTagSpecial | kTagTablePart},
    {"br", TagId::kBr, kTagBlock | kTagBreakout | kTagVoid | kTagSpecial},
    {"button", TagId::kButton, kTagSpace | kTagWeak | kTagSpecial},
    {"canvas", TagId::kCanvas, 0},
    {"caption", TagId::kCaption, kTagBlock | kTagSpecial | kTagTablePart},
    {"center", TagId::kCenter, kTagBlock | kTagBreakout | kTagSpecial},
    {"cite", TagId::kCite, 0},
    {"code", TagId::kCode, kTagBreakout},
    {"col", TagId::kCol, kTagVoid | kTagSpecial | kTagTablePart},
    {"colgroup", TagId::kColgroup, kTagSpecial | kTagTablePart},
    {"data", TagId::kData, 0},
    {"datalist", TagId::kDatalist, 0},
    {"dd", TagId::kDd, kTagBlock | kTagBreakout | kTagSpecial},
    {"del", TagId::kDel, 0},
    {"desc", TagId::kDesc, kTagForeign},
    {"details", TagId::kDetails, kTagBlock | kTagSpecial},
    {"dfn", TagId::kDfn, 0},
    {"dialog", TagId::kDialog, kTagBlock},
    {"dir", TagId::kDir, kTagBlock | kTagSpecial},
    {"div", TagId::kDiv, kTagBlock | kTagBreakout | kTagSpecial},
    {"dl", TagId::kDl, kTagBlock | kTagBreakout | kTagSpecial},
    {"dt", TagId::kDt, kTagBlock | kTagBreakout | kTagSpecial},
    {"em", TagId::kEm, kTagBreakout},
    {"embed", TagId::kEmbed, kTagRequisite | kTagBreakout | kTagSpace | kTagVoid | kTagSpecial},
    {"feimage", TagId::kSvgReference, kTagRequisite},
    {"fieldset", TagId::kFieldset, kTagBlock | kTagSpecial},
    {"figcaption", TagId::kFigcaption, kTagBlock | kTagSpecial},
    {"figure", TagId::kFigure, kTagBlock | kTagSpecial},
    {"font", TagId::kFont, kTagForeign},
    {"footer", TagId::kFooter, kTagBlock | kTagWeak | kTagSpecial},
    {"foreignobject", TagId::kForeignObject, kTagForeign},
    {"form", TagId::kForm, kTagBlock | kTagSpecial},
    {"frame", TagId::kFrame, kTagLinks | kTagVoid | kTagSpecial | kTagTablePart},
    {"frameset", TagId::kFrameset, kTagBlock | kTagSpecial | kTagTablePart},
    {"h1", TagId::kH1, kTagBlock | kTagBreakout | kTagSpecial},
    {"h2", TagId::kH2, kTagBlock | kTagBreakout | kTagSpecial},
    {"h3", TagId::kH3, kTagBlock | kTagBreakout | kTagSpecial},
    {"h4", TagId::kH4, kTagBlock | kTagBreakout | kTagSpecial},
    {"h5", TagId::kH5, kTagBlock | kTagBreakout | kTagSpecial},
    {"h6", TagId::kH6, kTagBlock | kTagBreakout | kTagSpecial},
    {"head", TagId::kHead, kTagBreakout | kTagSpecial | kTagTablePart},
    {"header", TagId::kHeader, kTagBlock | kTagSpecial},
    {"hgroup", TagId::kHgroup, kTagBlock | kTagSpecial},
    {"hr", TagId::kHr, kTagBlock | kTagBreakout | kTagVoid | kTagSpecial},
    {"html", TagId::kHtml, kTagLinks | kTagBlock | kTagSpecial | kTagTablePart},
    {"i", TagId::kI, kTagBreakout},
    {"iframe", TagId::kIframe, kTagLinks | kTagRawText | kTagSpace | kTagSpecial | kTagRequisite},
    {"image", TagId::kImage, kTagRequisite | kTagSpace | kTagAlt | kTagVoid},
    {"img", TagId::kImg, kTagRequisite | kTagBreakout | kTagSpace | kTagAlt | kTagVoid | kTagSpecial},
    {"input", TagId::kInput, kTagRequisite | kTagSpace | kTagVoid | kTagSpecial},
    {"ins", TagId::kIns, 0},
    {"kbd", TagId::kKbd, 0},
    {"keygen", TagId::kKeygen, kTagVoid | kTagSpecial},
    {"label", TagId::kLabel, 0},
    {"legend", TagId::kLegend, 0},
    {"li", TagId::kLi, kTagBlock | kTagBreakout | kTagSpecial},
    {"link", TagId::kLink, kTagLinks | kTagRequisite | kTagVoid | kTagSpecial},
    {"listing", TagId::kListing, kTagBlock | kTagBreakout | kTagSpecial},
    {"main", TagId::kMain, kTagBlock | kTagSpecial},
    {"map", TagId::kMap, 0},
    {"mark", TagId::kMark, 0},
    {"marquee", TagId::kMarquee, kTagSpecial},
    {"math", TagId::kMath, kTagForeign},
    {"menu", TagId::kMenu, kTagBlock | kTagBreakout | kTagWeak | kTagSpecial},
    {"meta", TagId::kMeta, kTagLinks | kTagBreakout | kTagVoid | kTagSpecial},
    {"meter", TagId::kMeter, 0},
    {"mi", TagId::kMathText, kTagForeign},
    {"mn", TagId::kMathText, kTagForeign},
    {"mo", TagId::kMathText, kTagForeign},
    {"ms", TagId::kMathText, kTagForeign},
    {"mtext", TagId::kMathText, kTagForeign},
    {"nav", TagId::kNav, kTagBlock | kTagWeak | kTagSpecial},
    {"nobr", TagId::kNobr, kTagBreakout},
    {"noembed", TagId::kNoembed, kTagRawText | kTagSpace | kTagSpecial},
    {"noframes", TagId::kNoframes, kTagRawText | kTagSpace | kTagSpecial},
    {"noscript", TagId::kNoscript, kTagSpace | kTagWeak | kTagSpecial},
    {"object", TagId::kObject, kTagRequisite | kTagSpace | kTagSpecial},
    {"ol", TagId::kOl, kTagBlock | kTagBreakout | kTagSpecial},
    {"optgroup", TagId::kOptgroup, kTagBlock},
    {"option", TagId::kOption, kTagSpace},
    {"output", TagId::kOutput, 0},
    {"p", TagId::kP, kTagBlock | kTagBreakout | kTagSpecial},
    {"param", TagId::kParam, kTagVoid | kTagSpecial},
    {"picture", TagId::kPicture, 0},
    {"plaintext", TagId::kPlaintext, kTagBlock | kTagPlaintext | kTagVisible | kTagSpecial},
    {"pre", TagId::kPre, kTagBlock | kTagBreakout | kTagSpecial},
    {"progress", TagId::kProgress, 0},
    {"q", TagId::kQ, 0},
    {"rp", TagId::kRp, 0},
    {"rt", TagId::kRt, 0},
    {"ruby", TagId::kRuby, kTagBreakout},
    {"s", TagId::kS, kTagBreakout},
    {"samp", TagId::kSamp, 0},
    {"script", TagId::kScript, kTagRequisite | kTagScript | kTagSpecial},
    {"search", TagId::kSearch, kTagSpecial},
    {"section", TagId::kSection, kTagBlock | kTagSpecial},
    {"select", TagId::kSelect, kTagSpace | kTagWeak | kTagSpecial},
    {"slot", TagId::kSlot, 0},
    {"small", TagId::kSmall, kTagBreakout},
    {"source", TagId::kSource, kTagRequisite | kTagVoid | kTagSpecial},
    {"span", TagId::kSpan, kTagBreakout},
    {"strike", TagId::kStrike, kTagBreakout},
    {"strong", TagId::kStrong, kTagBreakout},
    {"style", TagId::kStyle, kTagRawText | kTagSpecial},
    {"sub", TagId::kSub, kTagBreakout},
    {"summary", TagId::kSummary, kTagBlock | kTagSpecial},
    {"sup", TagId::kSup, kTagBreakout},
    {"svg", TagId::kSvg, kTagForeign | kTagSpace},
    {"table", TagId::kTable, kTagBlock | kTagBreakout | kTagRequisite | kTagSpecial},
    {"tbody", TagId::kTbody, kTagBlock | kTagSpecial | kTagTablePart},
    {"td", TagId::kTd, kTagSpace | kTagRequisite | kTagSpecial | kTagTablePart},
    {"template", TagId::kTemplate, kTagLinks | kTagSpecial},
    {"textarea", TagId::kTextarea, kTagBlock | kTagRcdata | kTagVisible | kTagSpecial},
    {"tfoot", TagId::kTfoot, kTagBlock | kTagSpecial | kTagTablePart},
    {"th", TagId::kTh, kTagSpace | kTagRequisite | kTagSpecial | kTagTablePart},
    {"thead", TagId::kThead, kTagBlock | kTagSpecial | kTagTablePart},
    {"time", TagId::kTime, 0},
    {"title", TagId::kTitle, kTagRcdata | kTagForeign | kTagSpecial},
    {"tr", TagId::kTr, kTagBlock | kTagSpecial | kTagTablePart},
    {"track", TagId::kTrack, kTagRequisite | kTagVoid | kTagSpecial},
    {"tt", TagId::kTt, kTagBreakout},
    {"u", TagId::kU, kTagBreakout},
    {"ul", TagId::kUl, kTagBlock | kTagBreakout | kTagSpecial},
    {"use", TagId::kSvgReference, kTagRequisite},
    {"var", TagId::kVar, kTagBreakout},
    {"video", TagId::kVideo, kTagRequisite | kTagSpace},
    {"wbr", TagId::kWbr, kTagVoid | kTagSpecial},
    {"xmp", TagId::kXmp, kTagBlock | kTagRawText | kTagVisible | kTagSpecial},
};

static_assert(std::size(kRows) < 256);

constexpr std::array kTags = [] {
  auto tags = std::to_array(kRows);
  for (std::size_t i = 0; i < tags.size(); ++i) tags[i].index = static_cast<std::uint8_t>(i + 1);
  return tags;
}();

constexpr std::uint64_t kLowerBits = 0x2020202020202020u;

// The first eight bytes of a name with the letter bit set, so that letters compare case-insensitively. (Of
// the other bytes only control characters can then be confused, with digits, which is harmless.) Longer names
// also differ by their length.
constexpr std::uint64_t key_of(std::string_view name) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < name.size() && i < 8; ++i) {
    key |= static_cast<std::uint64_t>(static_cast<unsigned char>(name[i]) | 0x20u) << (8 * i);
  }
  return name.size() > 8 ? key + name.size() : key;
}

// The same, by one load if eight bytes can be read.
std::uint64_t fast_key(std::string_view name, const char* buffer_end) {
  if (buffer_end - name.data() < 8 || std::endian::native != std::endian::little) return key_of(name);
  std::uint64_t key;
  std::memcpy(&key, name.data(), 8);
  key |= kLowerBits;
  if (name.size() > 8) return key + name.size();
  return name.size() == 8 ? key : key & ((1ull << (8 * name.size())) - 1);
}

// Open addressing over the keys; built at compile time.
class TagTable {
 public:
  constexpr TagTable() {
    for (const TagInfo& tag : kTags) {
      std::size_t at = slot(key_of(tag.name));
      while (slots_[at].key != 0) at = (at + 1) % kSlots;
      slots_[at] = {key_of(tag.name), &tag};
    }
  }

  const TagInfo* find(std::uint64_t key) const {
    std::size_t at = slot(key);
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) % kSlots;
    return slots_[at].info;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    const TagInfo* info = &kUnknown;
  };
  static constexpr std::size_t kSlots = 512;
  static constexpr std::size_t slot(std::uint64_t key) { return (key * 0x9E3779B97F4A7C15u) >> 55; }
  std::array<Slot, kSlots> slots_ = {};
};

constexpr TagTable kTable;

// Classes of bytes inside a tag.
enum ByteClass : std::uint8_t {
  kSpace = 1,   // tab, line feed, form feed, carriage return, space
  kSlash = 2,   // '/'
  kEnd = 4,     // '>'
  kEquals = 8,  // '='
};

constexpr std::array<std::uint8_t, 256> kClass = [] {
  std::array<std::uint8_t, 256> table{};
  for (const char c : {'\t', '\n', '\f', '\r', ' '}) table[static_cast<unsigned char>(c)] = kSpace;
  table['/'] = kSlash;
  table['>'] = kEnd;
  table['='] = kEquals;
  return table;
}();

std::uint8_t class_of(char c) {
  return kClass[static_cast<unsigned char>(c)];
}

const char* skip(const char* p, const char* end, std::uint8_t classes) {
  while (p < end && (class_of(*p) & classes) != 0) ++p;
  return p;
}

const char* skip_to(const char* p, const char* end, std::uint8_t classes) {
  while (p < end && (class_of(*p) & classes) == 0) ++p;
  return p;
}

const char* end_of_attribute_name(const char* p, const char* end) {
  for (;; ++p) {
    p = find_end_of_name<true>(p, end);
    if (p == end || class_of(*p) != 0) return p;
  }
}

Attribute find_long_attribute(std::string_view name) {
  struct Row {
    std::string_view name;
    Attribute id;
  };
  constexpr Row kLongNames[] = {
      {"data-lang", Attribute::kDataLang},     {"http-equiv", Attribute::kHttpEquiv},
      {"background", Attribute::kBackground},  {"xlink:href", Attribute::kXlinkHref},
      {"aria-hidden", Attribute::kAriaHidden}, {"imagesrcset", Attribute::kImagesrcset},
      {"data-srcset", Attribute::kDataSrcset},
  };
  for (const Row& row : kLongNames) {
    if (equals_ignoring_case(name, row.name)) return row.id;
  }
  return Attribute::kCount;
}

// Reads the value at p, after the '=' and its white space (13.2.5.35 to 13.2.5.38). Returns the position
// after it, or null if the input ends first.
const char* read_value(const char* p, const char* end, std::string_view& value) {
  if (*p == '"' || *p == '\'') {
    const char* close = find_byte(p + 1, end, *p);
    if (close == end) return nullptr;
    value = {p + 1, static_cast<std::size_t>(close - p - 1)};
    return close + 1;
  }
  const char* stop = skip_to(p, end, kSpace | kEnd);
  if (stop == end) return nullptr;
  value = {p, static_cast<std::size_t>(stop - p)};
  return stop;
}

}  // namespace

const TagInfo* find_tag(std::string_view name, const char* buffer_end) {
  const TagInfo* info = kTable.find(fast_key(name, buffer_end));
  const bool whole_name_compared = name.size() <= 8 && info->name.size() <= 8;
  return whole_name_compared || equals_ignoring_case(name, info->name) ? info : &kUnknown;
}

Attribute find_attribute(std::string_view name, const char* buffer_end) {
  if (name.size() > 8) return find_long_attribute(name);
  switch (fast_key(name, buffer_end)) {
    case key_of("alt"):
      return Attribute::kAlt;
    case key_of("charset"):
      return Attribute::kCharset;
    case key_of("class"):
      return Attribute::kClass;
    case key_of("color"):
      return Attribute::kColor;
    case key_of("content"):
      return Attribute::kContent;
    case key_of("data"):
      return Attribute::kData;
    case key_of("data-src"):
      return Attribute::kDataSrc;
    case key_of("datetime"):
      return Attribute::kDatetime;
    case key_of("encoding"):
      return Attribute::kEncoding;
    case key_of("face"):
      return Attribute::kFace;
    case key_of("hidden"):
      return Attribute::kHidden;
    case key_of("href"):
      return Attribute::kHref;
    case key_of("hreflang"):
      return Attribute::kHreflang;
    case key_of("id"):
      return Attribute::kId;
    case key_of("itemprop"):
      return Attribute::kItemprop;
    case key_of("itemtype"):
      return Attribute::kItemtype;
    case key_of("lang"):
      return Attribute::kLang;
    case key_of("name"):
      return Attribute::kName;
    case key_of("poster"):
      return Attribute::kPoster;
    case key_of("property"):
      return Attribute::kProperty;
    case key_of("rel"):
      return Attribute::kRel;
    case key_of("role"):
      return Attribute::kRole;
    case key_of("size"):
      return Attribute::kSize;
    case key_of("src"):
      return Attribute::kSrc;
    case key_of("srcdoc"):
      return Attribute::kSrcdoc;
    case key_of("srcset"):
      return Attribute::kSrcset;
    case key_of("start"):
      return Attribute::kStart;
    case key_of("style"):
      return Attribute::kStyle;
    case key_of("type"):
      return Attribute::kType;
    default:
      return Attribute::kCount;
  }
}

const char* read_attributes(const char* p, const char* end, HtmlTag& tag, bool keep) {
  for (;;) {
    const char* before = p;
    p = skip(p, end, kSpace | kSlash);
    if (p == end) return nullptr;
    if (*p == '>') {
      tag.self_closing = p > before && p[-1] == '/';
      return p + 1;
    }
    // A '=' at the front belongs to the name (13.2.5.32).
    const char* name = p;
    p = end_of_attribute_name(p + 1, end);
    const char* name_end = p;
    p = skip(p, end, kSpace);
    if (p == end) return nullptr;
    std::string_view value;
    if (*p == '=') {
      p = skip(p + 1, end, kSpace);
      if (p == end) return nullptr;
      if (*p != '>') p = read_value(p, end, value);
      if (p == nullptr) return nullptr;
    }
    if (keep) tag.set(find_attribute({name, static_cast<std::size_t>(name_end - name)}, end), value);
  }
}

bool ends_tag_name(char c) {
  return (class_of(c) & (kSpace | kSlash | kEnd)) != 0;
}

const char* end_of_tag_name(const char* p, const char* end) {
  for (;; ++p) {
    p = find_end_of_name<false>(p, end);
    if (p == end || ends_tag_name(*p)) return p;  // not one of the other control characters
  }
}

}  // namespace bowerbird
