#include "parse/page_reader.h"

namespace bowerbird {

void PageReader::scan_as(const CharsetChoice& choice, std::string_view bytes, HtmlPage& page) {
  bytes.remove_prefix(choice.mark);
  utf8_ = bytes;
  if (!needs_no_conversion(choice.name, bytes)) {
    decoder_.decode(choice.name, bytes, converted_);
    utf8_ = converted_;
  }
  scanner_.scan(utf8_, page);
}

CharsetChoice PageReader::read(std::string_view bytes, const CharsetHints& hints, HtmlPage& page) {
  CharsetChoice choice = choose_charset(bytes, hints.header, hints.user);
  scan_as(choice, bytes, page);
  if (choice.source != CharsetSource::kValidUtf8 && choice.source != CharsetSource::kDefault) return choice;
  // Only a guess so far: a <meta> that the prescan did not reach decides ("changing the encoding", 13.2.3.4).
  const std::string_view late = charset_of_label(page.string(page.charset));
  if (late.empty() || late.starts_with("utf-16")) return choice;
  const bool same = late == choice.name;
  choice = {late == "x-user-defined" ? "windows-1252" : late, CharsetSource::kLateMeta, 0};
  if (!same && !needs_no_conversion(choice.name, bytes)) scan_as(choice, bytes, page);
  return choice;
}

}  // namespace bowerbird
