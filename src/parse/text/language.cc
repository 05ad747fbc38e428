#include "parse/text/language.h"

#include <cld2/public/compact_lang_det.h>
#include <unicode/uloc.h>

#include <algorithm>

namespace bowerbird {

namespace {

// More text does not change the answer.
constexpr std::size_t kEnough = 16384;

// The beginning of a text, cut between characters.
std::string_view enough_of(std::string_view text) {
  std::size_t size = std::min(text.size(), kEnough);
  while (size < text.size() && size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

}  // namespace

std::string detect_language(std::string_view text) {
  text = enough_of(text);
  bool reliable = false;
  const CLD2::Language language =
      CLD2::DetectLanguage(text.data(), static_cast<int>(text.size()), /*is_plain_text=*/true, &reliable);
  if (!reliable || language == CLD2::UNKNOWN_LANGUAGE) return {};
  return CLD2::LanguageCode(language);
}

std::vector<std::string> identify_languages(std::string_view text) {
  text = enough_of(text);
  CLD2::Language languages[3];
  int percents[3], bytes = 0;
  bool reliable = false;
  CLD2::DetectLanguageSummary(text.data(), static_cast<int>(text.size()), /*is_plain_text=*/true, languages,
                              percents, &bytes, &reliable);
  std::vector<std::string> codes;
  for (const CLD2::Language language : languages) {
    if (!reliable || language == CLD2::UNKNOWN_LANGUAGE) break;
    const std::string code = uloc_getISO3Language(CLD2::LanguageCode(language));
    if (!code.empty() && std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
  }
  return codes;
}

}  // namespace bowerbird
