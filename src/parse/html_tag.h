// One tag of HTML: which element it names, and those of its attributes that mean something to a crawler.
//
// read_attributes follows the tokenizer's states 13.2.5.8 (tag name) to 13.2.5.40 (self-closing start tag).
// Attribute values are views of the input as it stands there, undecoded: html_text.h decodes them. Of two
// attributes of the same name the first counts (13.2.5.33). Threads: none needed.
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
  kCount,  // how many there are
};

// What an element means to the scanner; a set of bits.
enum TagFlag : std::uint16_t {
  kTagLinks = 1 << 0,       // its attributes are always read
  kTagRequisite = 1 << 1,   // its attributes name things to fetch with the page
  kTagRawText = 1 << 2,     // up to its end tag there is only text, without references (13.2.5.3)
  kTagRcdata = 1 << 3,      // up to its end tag there is only text, with references (13.2.5.2)
  kTagScript = 1 << 4,      // script data (13.2.5.4)
  kTagPlaintext = 1 << 5,   // the rest of the page is text (13.2.5.5)
  kTagForeign = 1 << 6,     // begins or ends foreign content, or an integration point in it
  kTagBreakout = 1 << 7,    // ends foreign content (13.2.6.5)
  kTagBlock = 1 << 8,       // its text stands on a line of its own
  kTagSpace = 1 << 9,       // its text is at least a space apart
  kTagWeak = 1 << 10,       // what is in it is mostly the site's, not the page's: menus, footers
  kTagVisible = 1 << 11,    // of the elements with raw text: the text is shown to readers
  kTagAlt = 1 << 12,        // has an alternative text
  kTagVoid = 1 << 13,       // has no content and no end tag (13.1.2)
  kTagSpecial = 1 << 14,    // of the standard's category of that name (13.2.4.2)
  kTagTablePart = 1 << 15,  // means nothing outside a table (13.2.6.4.7)
};

struct TagInfo {
  std::string_view name;
  TagId id;
  std::uint16_t flags;
  std::uint8_t index = 0;  // in the table; 0 for what is not in it
};

// What is known of the element of this name, in any case; never null.
const TagInfo* find_tag(std::string_view name, const char* buffer_end);

// Names of elements; those that are not in our table are never in it.
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

// The attribute of this name, in any case; kCount for those that mean nothing to us.
Attribute find_attribute(std::string_view name, const char* buffer_end);

struct HtmlTag {
  const TagInfo* info = nullptr;
  std::string_view name;  // as written, where a tokenizer found it
  bool is_end = false;
  bool self_closing = false;
  std::uint64_t present = 0;  // bit i: attribute i is there
  std::array<std::string_view, static_cast<std::size_t>(Attribute::kCount)> values;

  bool has(Attribute a) const { return (present >> static_cast<unsigned>(a) & 1u) != 0; }
  // The undecoded value; empty where the attribute is absent.
  std::string_view raw(Attribute a) const {
    return has(a) ? values[static_cast<std::size_t>(a)] : std::string_view();
  }
  // Unless it has one already, or `a` is kCount.
  void set(Attribute a, std::string_view value) {
    if (a == Attribute::kCount || has(a)) return;
    present |= std::uint64_t{1} << static_cast<unsigned>(a);
    values[static_cast<std::size_t>(a)] = value;
  }
};

// Reads the rest of a tag from behind its name: attributes up to the '>'. Returns what follows the '>', or
// null where the input ends inside the tag. With `keep`, values and flags are put into `tag`; else they are
// skipped.
const char* read_attributes(const char* p, const char* end, HtmlTag& tag, bool keep);

// White space, '/' and '>' end the name of a tag.
bool ends_tag_name(char c);
// The first such byte in [p, end), or end.
const char* end_of_tag_name(const char* p, const char* end);

}  // namespace bowerbird
