// An HTML tag: its element, and the attributes that are relevant to a crawler.
//
// read_attributes follows the tokenizer's states 13.2.5.8 (tag name) to 13.2.5.40 (self-closing start tag).
// Attribute values are undecoded views of the input: html_text.h decodes them. If an attribute occurs twice,
// the first counts (13.2.5.33). Threads: none needed.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bowerbird {

enum class TagId : std::uint8_t {
  kUnknown,  // not in the table
  kA,
  kAbbr,
  kAcronym,
  kAddress,
  kAnnotation,
  kAnnotationXml,
  kApplet,
  kArea,
  kArticle,
  kAside,
  kAudio,
  kB,
  kBase,
  kBasefont,
  kBdi,
  kBdo,
  kBgsound,
  kBig,
  kBlockquote,
  kBody,
  kBr,
  kButton,
  kCanvas,
  kCaption,
  kCenter,
  kCite,
  kCode,
  kCol,
  kColgroup,
  kData,
  kDatalist,
  kDd,
  kDel,
  kDesc,
  kDetails,
  kDfn,
  kDialog,
  kDir,
  kDiv,
  kDl,
  kDt,
  kEm,
  kEmbed,
  kFieldset,
  kFigcaption,
  kFigure,
  kFont,
  kFooter,
  kForeignObject,
  kForm,
  kFrame,
  kFrameset,
  kH1,
  kH2,
  kH3,
  kH4,
  kH5,
  kH6,
  kHead,
  kHeader,
  kHgroup,
  kHr,
  kHtml,
  kI,
  kIframe,
  kImage,
  kImg,
  kInput,
  kIns,
  kKbd,
  kKeygen,
  kLabel,
  kLegend,
  kLi,
  kLink,
  kListing,
  kMain,
  kMap,
  kMark,
  kMarquee,
  kMath,
  kMathText,  // mi, mo, mn, ms, mtext
  kMenu,
  kMeta,
  kMeter,
  kNav,
  kNobr,
  kNoembed,
  kNoframes,
  kNoscript,
  kObject,
  kOl,
  kOptgroup,
  kOption,
  kOutput,
  kP,
  kParam,
  kPicture,
  kPlaintext,
  kPre,
  kProgress,
  kQ,
  kRp,
  kRt,
  kRuby,
  kS,
  kSamp,
  kScript,
  kSearch,
  kSection,
  kSelect,
  kSlot,
  kSmall,
  kSource,
  kSpan,
  kStrike,
  kStrong,
  kStyle,
  kSub,
  kSummary,
  kSup,
  kSvg,
  kSvgReference,  // use, feImage
  kTable,
  kTbody,
  kTd,
  kTemplate,
  kTextarea,
  kTfoot,
  kTh,
  kThead,
  kTime,
  kTitle,
  kTr,
  kTrack,
  kTt,
  kU,
  kUl,
  kVar,
  kVideo,
  kWbr,
  kXmp,
  kCount,  // the number of elements
};

// Properties of an element for the scanner; a set of bits.
enum TagFlag : std::uint16_t {
  kTagLinks = 1 << 0,       // its attributes are always read; it has links or decides about those of others
  kTagRequisite = 1 << 1,   // its attributes name things to fetch with the page
  kTagRawText = 1 << 2,     // up to its end tag there is only text, without references (13.2.5.3)
  kTagRcdata = 1 << 3,      // up to its end tag there is only text, with references (13.2.5.2)
  kTagScript = 1 << 4,      // script data (13.2.5.4)
  kTagPlaintext = 1 << 5,   // the rest of the page is text (13.2.5.5)
  kTagForeign = 1 << 6,     // begins or ends foreign content, or an integration point in it
  kTagBreakout = 1 << 7,    // ends foreign content (13.2.6.5)
  kTagBlock = 1 << 8,       // its text is on a separate line
  kTagSpace = 1 << 9,       // its text is separated by at least a space
  kTagWeak = 1 << 10,       // its content belongs mostly to the site, not the page: menus, footers
  kTagVisible = 1 << 11,    // raw text that is shown to readers
  kTagAlt = 1 << 12,        // has an alternative text
  kTagVoid = 1 << 13,       // has no content and no end tag (13.1.2)
  kTagSpecial = 1 << 14,    // in the standard's category "special" (13.2.4.2)
  kTagTablePart = 1 << 15,  // has no meaning outside a table (13.2.6.4.7)
};

struct TagInfo {
  std::string_view name;
  TagId id;
  std::uint16_t flags;
  std::uint8_t index = 0;  // in the table; 0 if it is not in it
};

// The properties of the element of this name, case-insensitive; never null.
const TagInfo* find_tag(std::string_view name, const char* buffer_end);

// A set of element names; ignores names that are not in our table.
class TagNames {
 public:
  void clear() { names_.reset(); }
  void add(const TagInfo* tag) { names_[tag->index] = true; }
  bool has(const TagInfo* tag) const { return tag->index != 0 && names_[tag->index]; }

 private:
  std::bitset<256> names_;
};

enum class Attribute : std::uint8_t {
  kAlt,
  kAriaHidden,
  kBackground,
  kCharset,
  kClass,
  kColor,
  kContent,
  kData,
  kDataLang,
  kDataSrc,
  kDataSrcset,
  kDatetime,
  kEncoding,
  kFace,
  kHidden,
  kHref,
  kHreflang,
  kHttpEquiv,
  kId,
  kImagesrcset,
  kItemprop,
  kItemtype,
  kLang,
  kName,
  kPoster,
  kProperty,
  kRel,
  kRole,
  kSize,
  kSrc,
  kSrcdoc,
  kSrcset,
  kStart,
  kStyle,
  kType,
  kXlinkHref,
  kCount,  // not an attribute
};

// The attribute of this name, case-insensitive; kCount if it is not relevant.
Attribute find_attribute(std::string_view name, const char* buffer_end);

struct HtmlTag {
  const TagInfo* info = nullptr;
  std::string_view name;  // as written, if a tokenizer found it
  bool is_end = false;
  bool self_closing = false;
  std::uint64_t present = 0;  // bit i: attribute i is there
  std::array<std::string_view, static_cast<std::size_t>(Attribute::kCount)> values;

  bool has(Attribute a) const { return (present >> static_cast<unsigned>(a) & 1u) != 0; }
  // The undecoded value; empty if the attribute is absent.
  std::string_view raw(Attribute a) const {
    return has(a) ? values[static_cast<std::size_t>(a)] : std::string_view();
  }
  // Unless it is already set, or `a` is kCount.
  void set(Attribute a, std::string_view value) {
    if (a == Attribute::kCount || has(a)) return;
    present |= std::uint64_t{1} << static_cast<unsigned>(a);
    values[static_cast<std::size_t>(a)] = value;
  }
};

// Reads the rest of a tag after its name: attributes up to the '>'. Returns the position after the '>', or
// null if the input ends inside the tag. With `keep`, values and flags are stored in `tag`; otherwise they
// are skipped.
const char* read_attributes(const char* p, const char* end, HtmlTag& tag, bool keep);

// White space, '/' and '>' end the name of a tag.
bool ends_tag_name(char c);
// The first such byte in [p, end), or end.
const char* end_of_tag_name(const char* p, const char* end);

}  // namespace bowerbird
