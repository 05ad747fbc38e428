#include "parse/page_reader.h"

#include "base/utf8.h"
#include "encoding/decoder.h"

namespace bowerbird {

namespace {

// Whether the bytes can be used as UTF-8 directly. (The scanner replaces invalid UTF-8.)
bool is_utf8_already(Encoding encoding, std::string_view bytes) {
  return encoding == Encoding::kUtf8 || (extends_ascii(encoding) && is_ascii(bytes));
}

}  // namespace

void PageReader::convert(const CharsetChoice& choice, std::string_view bytes) {
  bytes.remove_prefix(choice.mark);
  utf8_ = bytes;
  if (is_utf8_already(choice.encoding, bytes)) return;
  converted_.clear();
  append_decoded(converted_, choice.encoding, bytes);
  utf8_ = converted_;
}

CharsetChoice PageReader::read(std::string_view bytes, const ReadingHints& hints, HtmlPage& page) {
  if (hints.xhtml) {
    const CharsetChoice choice = choose_xml_charset(bytes, hints.header_charset, hints.user_charset);
    if (read_xhtml(bytes, choice, page)) return choice;
  }
  return read_html(bytes, hints, page);
}

bool PageReader::decode(std::string_view bytes, const ReadingHints& hints) {
  if (hints.xhtml) return false;
  const CharsetChoice choice = choose_charset(bytes, hints.header_charset, hints.user_charset);
  // A <meta> further down may decide (read_html).
  if (choice.source == CharsetSource::kValidUtf8 || choice.source == CharsetSource::kDefault) return false;
  convert(choice, bytes);
  decoded_ = choice.encoding;
  return true;
}

void PageReader::scan(HtmlPage& page) {
  scanner_.scan(utf8_, page);
  page.encoding = decoded_;
}

bool PageReader::read_xhtml(std::string_view bytes, const CharsetChoice& choice, HtmlPage& page) {
  convert(choice, bytes);
  if (!xhtml_.read(utf8_, page)) return false;
  page.encoding = choice.encoding;
  page.xhtml = true;
  return true;
}

void PageReader::scan_as(const CharsetChoice& choice, std::string_view bytes, HtmlPage& page) {
  convert(choice, bytes);
  scanner_.scan(utf8_, page);
  page.encoding = choice.encoding;
}

CharsetChoice PageReader::read_html(std::string_view bytes, const ReadingHints& hints, HtmlPage& page) {
  CharsetChoice choice = choose_charset(bytes, hints.header_charset, hints.user_charset);
  scan_as(choice, bytes, page);
  if (choice.source != CharsetSource::kValidUtf8 && choice.source != CharsetSource::kDefault) return choice;
  // Only a guess so far: a <meta> that the prescan did not reach decides ("changing the encoding", 13.2.3.4).
  std::optional<Encoding> late = encoding_of_label(page.string(page.charset));
  if (!late) return choice;
  if (is_utf16(*late)) late = Encoding::kUtf8;
  if (*late == Encoding::kXUserDefined) late = Encoding::kWindows1252;
  const bool reads_alike = *late == choice.encoding || (extends_ascii(*late) && is_ascii(bytes));
  choice = {*late, CharsetSource::kLateMeta, 0};
  if (!reads_alike) scan_as(choice, bytes, page);
  page.encoding = choice.encoding;
  return choice;
}

}  // namespace bowerbird
