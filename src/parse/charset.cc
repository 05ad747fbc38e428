#include "parse/charset.h"

#include <string>

#include "base/ascii.h"
#include "base/utf8.h"

namespace bowerbird {

namespace {

constexpr std::size_t kPrescanBytes = 1024;

// The standard's prescan of the first bytes. Every step that runs out of bytes sets done_, which ends the
// prescan.
class Prescan {
 public:
  explicit Prescan(std::string_view bytes) : bytes_(bytes) {}

  std::optional<Encoding> run() {
    while (at_ < bytes_.size()) {
      if (rest().starts_with("<!--")) {
        const std::size_t close = bytes_.find("-->", at_ + 2);
        if (close == std::string_view::npos) return {};
        at_ = close + 2;
      } else if (is_meta()) {
        at_ += 5;
        const std::optional<Encoding> found = meta();
        if (found || done_) return found;
      } else if (is_tag()) {
        while (at_ < bytes_.size() && !is_ascii_space(bytes_[at_]) && bytes_[at_] != '>') ++at_;
        Attribute ignored;
        while (next_attribute(ignored)) {
        }
        if (done_) return {};
      } else if (rest().starts_with("<!") || rest().starts_with("</") || rest().starts_with("<?")) {
        at_ = bytes_.find('>', at_ + 2);
      }
      if (at_ == std::string_view::npos) return {};
      ++at_;
    }
    return {};
  }

 private:
  struct Attribute {
    std::string name;
    std::string value;
  };

  std::string_view rest() const { return bytes_.substr(at_); }

  bool is_meta() const {
    return starts_ignoring_case(rest(), "<meta") && rest().size() > 5 &&
           (is_ascii_space(rest()[5]) || rest()[5] == '/');
  }

  bool is_tag() const {
    const std::size_t letter = rest().starts_with("</") ? 2 : 1;
    return rest().starts_with("<") && rest().size() > letter && is_ascii_alpha(rest()[letter]);
  }

  // The encoding in a <meta>; at_ is left at its '>'.
  std::optional<Encoding> meta() {
    bool seen_equiv = false, seen_content = false, seen_charset = false;
    bool got_pragma = false;
    std::optional<bool> need_pragma;  // set with `charset`, which an unknown label leaves empty
    std::optional<Encoding> charset;
    Attribute attribute;
    while (next_attribute(attribute)) {
      if (attribute.name == "http-equiv" && !seen_equiv) {
        seen_equiv = true;
        got_pragma = attribute.value == "content-type";
      } else if (attribute.name == "content" && !seen_content) {
        seen_content = true;
        const std::optional<Encoding> found = encoding_of_label(charset_in_content(attribute.value));
        if (found && !need_pragma) {
          charset = found;
          need_pragma = true;
        }
      } else if (attribute.name == "charset" && !seen_charset) {
        seen_charset = true;
        charset = encoding_of_label(attribute.value);
        need_pragma = false;
      }
    }
    if (done_ || !need_pragma || (*need_pragma && !got_pragma)) return {};
    if (charset && is_utf16(*charset)) return Encoding::kUtf8;
    return charset == Encoding::kXUserDefined ? Encoding::kWindows1252 : charset;
  }

  // "Get an attribute": false at the end of the tag, and if the bytes run out.
  bool next_attribute(Attribute& attribute) {
    attribute.name.clear();
    attribute.value.clear();
    while (at_ < bytes_.size() && (is_ascii_space(bytes_[at_]) || bytes_[at_] == '/')) ++at_;
    if (ran_out() || bytes_[at_] == '>') return false;
    for (; !ran_out(); ++at_) {
      const char c = bytes_[at_];
      if (c == '=' && !attribute.name.empty()) break;
      if (c == '/' || c == '>') return true;
      if (is_ascii_space(c)) {
        skip_space();
        break;
      }
      attribute.name += ascii_lower(c);
    }
    if (ran_out()) return false;
    if (bytes_[at_] != '=') return true;
    ++at_;
    skip_space();
    return !ran_out() && read_value(attribute.value);
  }

  bool read_value(std::string& value) {
    const char first = bytes_[at_];
    if (first == '"' || first == '\'') {
      for (++at_; !ran_out(); ++at_) {
        if (bytes_[at_] == first) {
          ++at_;
          return !ran_out();
        }
        value += ascii_lower(bytes_[at_]);
      }
      return false;
    }
    for (; !ran_out(); ++at_) {
      if (is_ascii_space(bytes_[at_]) || bytes_[at_] == '>') return true;
      value += ascii_lower(bytes_[at_]);
    }
    return false;
  }

  void skip_space() {
    while (at_ < bytes_.size() && is_ascii_space(bytes_[at_])) ++at_;
  }

  bool ran_out() {
    if (at_ >= bytes_.size()) done_ = true;
    return done_;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool done_ = false;
};

std::optional<Encoding> utf16_of_xml(std::string_view bytes) {
  if (bytes.starts_with(std::string_view("<\0?\0x\0", 6))) return Encoding::kUtf16Le;
  if (bytes.starts_with(std::string_view("\0<\0?\0x", 6))) return Encoding::kUtf16Be;
  return {};
}

// "Get an XML encoding": from <?xml version="1.0" encoding="..."?> at the very beginning.
std::optional<Encoding> xml_charset(std::string_view bytes) {
  if (!bytes.starts_with("<?xml")) return {};
  const std::size_t end = bytes.find('>');
  if (end == std::string_view::npos) return {};
  std::size_t at = bytes.find("encoding");
  if (at == std::string_view::npos || at > end) return {};
  const auto skip_blanks = [&] {
    while (at < bytes.size() && static_cast<unsigned char>(bytes[at]) <= 0x20) ++at;
  };
  at += 8;
  skip_blanks();
  if (at >= bytes.size() || bytes[at] != '=') return {};
  ++at;
  skip_blanks();
  if (at >= bytes.size() || (bytes[at] != '"' && bytes[at] != '\'')) return {};
  const std::size_t close = bytes.find(bytes[at], at + 1);
  if (close == std::string_view::npos) return {};
  const std::string_view label = bytes.substr(at + 1, close - at - 1);
  for (const char c : label) {
    if (static_cast<unsigned char>(c) <= 0x20) return {};
  }
  const std::optional<Encoding> found = encoding_of_label(label);
  return found && is_utf16(*found) ? Encoding::kUtf8 : found;
}

// What takes precedence over the declarations in the page.
std::optional<CharsetChoice> given_charset(std::string_view bytes, std::string_view header_label,
                                           std::string_view user_label) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return {{Encoding::kUtf8, CharsetSource::kByteOrderMark, 3}};
  if (bytes.starts_with("\xFE\xFF")) return {{Encoding::kUtf16Be, CharsetSource::kByteOrderMark, 2}};
  if (bytes.starts_with("\xFF\xFE")) return {{Encoding::kUtf16Le, CharsetSource::kByteOrderMark, 2}};
  if (const auto user = encoding_of_label(user_label)) return {{*user, CharsetSource::kUser}};
  if (const auto header = encoding_of_label(header_label)) return {{*header, CharsetSource::kHeader}};
  return {};
}

}  // namespace

std::string_view charset_in_content(std::string_view content) {
  constexpr std::string_view kWord = "charset";
  for (std::size_t at = 0; at + kWord.size() < content.size(); ++at) {
    if (!starts_ignoring_case(content.substr(at), kWord)) continue;
    std::string_view rest = content.substr(at + kWord.size());
    const auto skip_space = [&] {
      while (!rest.empty() && is_ascii_space(rest.front())) rest.remove_prefix(1);
    };
    skip_space();
    if (rest.empty() || rest.front() != '=') continue;
    rest.remove_prefix(1);
    skip_space();
    if (rest.empty()) return {};
    if (rest.front() == '"' || rest.front() == '\'') {
      const std::size_t close = rest.find(rest.front(), 1);
      return close == std::string_view::npos ? std::string_view() : rest.substr(1, close - 1);
    }
    std::size_t size = 0;
    while (size < rest.size() && !is_ascii_space(rest[size]) && rest[size] != ';') ++size;
    return rest.substr(0, size);
  }
  return {};
}

std::optional<Encoding> prescan_charset(std::string_view bytes, bool& from_xml) {
  bytes = bytes.substr(0, kPrescanBytes);
  from_xml = true;
  if (const auto utf16 = utf16_of_xml(bytes)) return utf16;
  const std::optional<Encoding> found = Prescan(bytes).run();
  from_xml = !found;
  return from_xml ? xml_charset(bytes) : found;
}

CharsetChoice choose_charset(std::string_view bytes, std::string_view header_label,
                             std::string_view user_label) {
  if (const auto given = given_charset(bytes, header_label, user_label)) return *given;
  bool from_xml = false;
  if (const auto named = prescan_charset(bytes, from_xml)) {
    return {*named, from_xml ? CharsetSource::kXml : CharsetSource::kMeta};
  }
  // A truncated page may end inside a character.
  const std::string_view whole = bytes.substr(0, bytes.size() - incomplete_utf8_tail(bytes));
  if (is_valid_utf8(whole)) return {Encoding::kUtf8, CharsetSource::kValidUtf8};
  return {Encoding::kWindows1252, CharsetSource::kDefault};
}

CharsetChoice choose_xml_charset(std::string_view bytes, std::string_view header_label,
                                 std::string_view user_label) {
  if (const auto given = given_charset(bytes, header_label, user_label)) return *given;
  bytes = bytes.substr(0, kPrescanBytes);
  const auto utf16 = utf16_of_xml(bytes);
  if (const auto named = utf16 ? utf16 : xml_charset(bytes)) return {*named, CharsetSource::kXml};
  return {Encoding::kUtf8, CharsetSource::kXmlDefault};
}

std::string_view charset_source_text(CharsetSource source) {
  switch (source) {
    case CharsetSource::kByteOrderMark:
      return "byte order mark";
    case CharsetSource::kUser:
      return "given by the user";
    case CharsetSource::kHeader:
      return "HTTP header";
    case CharsetSource::kMeta:
      return "<meta> in the first 1024 bytes";
    case CharsetSource::kXml:
      return "XML declaration";
    case CharsetSource::kXmlDefault:
      return "not declared; XML";
    case CharsetSource::kLateMeta:
      return "<meta> after the first 1024 bytes";
    case CharsetSource::kValidUtf8:
      return "not declared; valid UTF-8";
    case CharsetSource::kDefault:
      return "not declared; not valid UTF-8";
  }
  return "";
}

}  // namespace bowerbird
