#include "url/idna.h"

#include <unicode/uidna.h>

#include <array>
#include <cstdint>

namespace bowerbird {

namespace {

// What ICU reports and the standard's parameters let pass.
constexpr std::uint32_t kTolerated = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                     UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                     UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

// Lives as long as the process; immutable once made.
const UIDNA* processor() {
  static const UIDNA* const instance = [] {
    UErrorCode code = U_ZERO_ERROR;
    const UIDNA* made =
        uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, &code);
    return U_SUCCESS(code) ? made : nullptr;
  }();
  return instance;
}

}  // namespace

bool append_domain_to_ascii(std::string_view name, std::string& out) {
  // No name of this length could be in the DNS; ICU takes quadratic time over very long labels.
  constexpr std::size_t kLongest = 2048;
  if (name.size() > kLongest || processor() == nullptr) return false;
  std::array<char, 4 * kLongest> buffer;
  UErrorCode code = U_ZERO_ERROR;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  const std::int32_t size =
      uidna_nameToASCII_UTF8(processor(), name.data(), static_cast<std::int32_t>(name.size()), buffer.data(),
                             static_cast<std::int32_t>(buffer.size()), &info, &code);
  if (U_FAILURE(code) || size <= 0 || static_cast<std::size_t>(size) > buffer.size()) return false;
  if (info.errors & ~kTolerated) return false;
  out.append(buffer.data(), static_cast<std::size_t>(size));
  return true;
}

}  // namespace bowerbird
