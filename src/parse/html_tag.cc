#include "parse/html_tag.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "base/ascii.h"
#include "parse/html_find.h"

namespace bowerbird {

namespace {

constexpr TagInfo kUnknown{"", TagId::kOther, 0};

constexpr TagInfo kRows[] = {
    {"a", TagId::kA, kTagLinks},
    {"address", TagId::kOther, kTagBlock | kTagSpecial},
    {"annotation-xml", TagId::kAnnotationXml, kTagForeign},
    {"applet", TagId::kOther, kTagSpecial},
    {"area", TagId::kArea, kTagLinks | kTagVoid | kTagSpecial},
    {"article", TagId::kOther, kTagBlock | kTagSpecial},
    {"aside", TagId::kOther, kTagBlock | kTagWeak | kTagSpecial},
    {"audio", TagId::kAudio, kTagRequisite | kTagSpace},
    {"b", TagId::kOther, kTagBreakout},
    {"base", TagId::kBase, kTagLinks | kTagVoid | kTagSpecial},
    {"basefont", TagId::kOther, kTagVoid | kTagSpecial},
    {"bgsound", TagId::kOther, kTagVoid | kTagSpecial},
    {"big", TagId::kOther, kTagBreakout},
    {"blockquote", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"body", TagId::kBody, kTagBlock | kTagBreakout | kTagRequisite | kTagSpecial | kTagTablePart},
    {"br", TagId::kOther, kTagBlock | kTagBreakout | kTagVoid | kTagSpecial},
    {"button", TagId::kOther, kTagSpace | kTagWeak | kTagSpecial},
    {"caption", TagId::kOther, kTagBlock | kTagSpecial | kTagTablePart},
    {"center", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"code", TagId::kOther, kTagBreakout},
    {"col", TagId::kOther, kTagVoid | kTagSpecial | kTagTablePart},
    {"colgroup", TagId::kOther, kTagSpecial | kTagTablePart},
    {"dd", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"desc", TagId::kDesc, kTagForeign},
    {"details", TagId::kOther, kTagBlock | kTagSpecial},
    {"dialog", TagId::kOther, kTagBlock},
    {"dir", TagId::kOther, kTagBlock | kTagSpecial},
    {"div", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"dl", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"dt", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"em", TagId::kOther, kTagBreakout},
    {"embed", TagId::kEmbed, kTagRequisite | kTagBreakout | kTagSpace | kTagVoid | kTagSpecial},
    {"feimage", TagId::kSvgReference, kTagRequisite},
    {"fieldset", TagId::kOther, kTagBlock | kTagSpecial},
    {"figcaption", TagId::kOther, kTagBlock | kTagSpecial},
    {"figure", TagId::kOther, kTagBlock | kTagSpecial},
    {"font", TagId::kFont, kTagForeign},
    {"footer", TagId::kOther, kTagBlock | kTagWeak | kTagSpecial},
    {"foreignobject", TagId::kForeignObject, kTagForeign},
    {"form", TagId::kOther, kTagBlock | kTagSpecial},
    {"frame", TagId::kFrame, kTagLinks | kTagVoid | kTagSpecial | kTagTablePart},
    {"frameset", TagId::kOther, kTagBlock | kTagSpecial | kTagTablePart},
    {"h1", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"h2", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"h3", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"h4", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"h5", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"h6", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"head", TagId::kOther, kTagBreakout | kTagSpecial | kTagTablePart},
    {"header", TagId::kOther, kTagBlock | kTagSpecial},
    {"hgroup", TagId::kOther, kTagBlock | kTagSpecial},
    {"hr", TagId::kOther, kTagBlock | kTagBreakout | kTagVoid | kTagSpecial},
    {"html", TagId::kHtml, kTagLinks | kTagBlock | kTagSpecial | kTagTablePart},
    {"i", TagId::kOther, kTagBreakout},
    {"iframe", TagId::kIframe, kTagLinks | kTagRawText | kTagSpace | kTagSpecial},
    {"image", TagId::kImage, kTagRequisite | kTagSpace | kTagAlt | kTagVoid},
    {"img", TagId::kImg, kTagRequisite | kTagBreakout | kTagSpace | kTagAlt | kTagVoid | kTagSpecial},
    {"input", TagId::kInput, kTagRequisite | kTagSpace | kTagVoid | kTagSpecial},
    {"keygen", TagId::kOther, kTagVoid | kTagSpecial},
    {"li", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"link", TagId::kLink, kTagLinks | kTagRequisite | kTagVoid | kTagSpecial},
    {"listing", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"main", TagId::kOther, kTagBlock | kTagSpecial},
    {"marquee", TagId::kOther, kTagSpecial},
    {"math", TagId::kMath, kTagForeign},
    {"menu", TagId::kOther, kTagBlock | kTagBreakout | kTagWeak | kTagSpecial},
    {"meta", TagId::kMeta, kTagLinks | kTagBreakout | kTagVoid | kTagSpecial},
    {"mi", TagId::kMathText, kTagForeign},
    {"mn", TagId::kMathText, kTagForeign},
    {"mo", TagId::kMathText, kTagForeign},
    {"ms", TagId::kMathText, kTagForeign},
    {"mtext", TagId::kMathText, kTagForeign},
    {"nav", TagId::kOther, kTagBlock | kTagWeak | kTagSpecial},
    {"nobr", TagId::kOther, kTagBreakout},
    {"noembed", TagId::kOther, kTagRawText | kTagSpace | kTagSpecial},
    {"noframes", TagId::kOther, kTagRawText | kTagSpace | kTagSpecial},
    {"noscript", TagId::kOther, kTagSpace | kTagWeak | kTagSpecial},
    {"object", TagId::kObject, kTagRequisite | kTagSpace | kTagSpecial},
    {"ol", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"optgroup", TagId::kOther, kTagBlock},
    {"option", TagId::kOther, kTagSpace},
    {"p", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"param", TagId::kOther, kTagVoid | kTagSpecial},
    {"plaintext", TagId::kOther, kTagBlock | kTagPlaintext | kTagVisible | kTagSpecial},
    {"pre", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"ruby", TagId::kOther, kTagBreakout},
    {"s", TagId::kOther, kTagBreakout},
    {"script", TagId::kScript, kTagRequisite | kTagScript | kTagSpecial},
    {"search", TagId::kOther, kTagSpecial},
    {"section", TagId::kOther, kTagBlock | kTagSpecial},
    {"select", TagId::kOther, kTagSpace | kTagWeak | kTagSpecial},
    {"small", TagId::kOther, kTagBreakout},
    {"source", TagId::kSource, kTagRequisite | kTagVoid | kTagSpecial},
    {"span", TagId::kOther, kTagBreakout},
    {"strike", TagId::kOther, kTagBreakout},
    {"strong", TagId::kOther, kTagBreakout},
    {"style", TagId::kOther, kTagRawText | kTagSpecial},
    {"sub", TagId::kOther, kTagBreakout},
    {"summary", TagId::kOther, kTagBlock | kTagSpecial},
    {"sup", TagId::kOther, kTagBreakout},
    {"svg", TagId::kSvg, kTagForeign | kTagSpace},
    {"table", TagId::kTable, kTagBlock | kTagBreakout | kTagRequisite | kTagSpecial},
    {"tbody", TagId::kOther, kTagBlock | kTagSpecial | kTagTablePart},
    {"td", TagId::kTable, kTagSpace | kTagRequisite | kTagSpecial | kTagTablePart},
    {"template", TagId::kOther, kTagSpecial},
    {"textarea", TagId::kTextarea, kTagBlock | kTagRcdata | kTagVisible | kTagSpecial},
    {"tfoot", TagId::kOther, kTagBlock | kTagSpecial | kTagTablePart},
    {"th", TagId::kTable, kTagSpace | kTagRequisite | kTagSpecial | kTagTablePart},
    {"thead", TagId::kOther, kTagBlock | kTagSpecial | kTagTablePart},
    {"title", TagId::kTitle, kTagRcdata | kTagForeign | kTagSpecial},
    {"tr", TagId::kOther, kTagBlock | kTagSpecial | kTagTablePart},
    {"track", TagId::kTrack, kTagRequisite | kTagVoid | kTagSpecial},
    {"tt", TagId::kOther, kTagBreakout},
    {"u", TagId::kOther, kTagBreakout},
    {"ul", TagId::kOther, kTagBlock | kTagBreakout | kTagSpecial},
    {"use", TagId::kSvgReference, kTagRequisite},
    {"var", TagId::kOther, kTagBreakout},
    {"video", TagId::kVideo, kTagRequisite | kTagSpace},
    {"wbr", TagId::kOther, kTagVoid | kTagSpecial},
    {"xmp", TagId::kOther, kTagBlock | kTagRawText | kTagVisible | kTagSpecial},
};

static_assert(std::size(kRows) < 256);

constexpr std::array kTags = [] {
  auto tags = std::to_array(kRows);
  for (std::size_t i = 0; i < tags.size(); ++i) tags[i].index = static_cast<std::uint8_t>(i + 1);
  return tags;
}();

constexpr std::uint64_t kLowerBits = 0x2020202020202020u;

// The first eight bytes of a name with the letter bit set, so that letters compare in any case. (Of the other
// bytes only control characters can then pass for another, a digit; no name with a digit matters that much.)
constexpr std::uint64_t key_of(std::string_view name) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < name.size() && i < 8; ++i) {
    key |= static_cast<std::uint64_t>(static_cast<unsigned char>(name[i]) | 0x20u) << (8 * i);
  }
  return key;
}

// The same, by one load where eight bytes can be read.
std::uint64_t fast_key(std::string_view name, const char* buffer_end) {
  if (buffer_end - name.data() < 8 || std::endian::native != std::endian::little) return key_of(name);
  std::uint64_t key;
  std::memcpy(&key, name.data(), 8);
  const std::uint64_t mask = name.size() >= 8 ? ~0ull : (1ull << (8 * name.size())) - 1;
  return (key | kLowerBits) & mask;
}

// Open addressing over the keys; made by the compiler.
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

// Reads the value at p, behind the '=' and its white space (13.2.5.35 to 13.2.5.38). Returns what follows it,
// or null where the input ends first.
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
  if (name.size() == 10) {
    if (equals_ignoring_case(name, "http-equiv")) return Attribute::kHttpEquiv;
    if (equals_ignoring_case(name, "background")) return Attribute::kBackground;
    if (equals_ignoring_case(name, "xlink:href")) return Attribute::kXlinkHref;
  }
  if (name.size() == 11 && equals_ignoring_case(name, "imagesrcset")) return Attribute::kImagesrcset;
  if (name.size() > 8) return Attribute::kCount;
  switch (fast_key(name, buffer_end)) {
    case key_of("alt"):
      return Attribute::kAlt;
    case key_of("charset"):
      return Attribute::kCharset;
    case key_of("color"):
      return Attribute::kColor;
    case key_of("content"):
      return Attribute::kContent;
    case key_of("data"):
      return Attribute::kData;
    case key_of("encoding"):
      return Attribute::kEncoding;
    case key_of("face"):
      return Attribute::kFace;
    case key_of("href"):
      return Attribute::kHref;
    case key_of("hreflang"):
      return Attribute::kHreflang;
    case key_of("lang"):
      return Attribute::kLang;
    case key_of("name"):
      return Attribute::kName;
    case key_of("poster"):
      return Attribute::kPoster;
    case key_of("rel"):
      return Attribute::kRel;
    case key_of("size"):
      return Attribute::kSize;
    case key_of("src"):
      return Attribute::kSrc;
    case key_of("srcdoc"):
      return Attribute::kSrcdoc;
    case key_of("srcset"):
      return Attribute::kSrcset;
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
