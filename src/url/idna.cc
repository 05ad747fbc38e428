#include "url/idna.h"

#include <unicode/uidna.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.h"

namespace bowerbird {

namespace {

// Errors of ICU that the standard's parameters ignore.
constexpr std::uint32_t kTolerated = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                     UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                     UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

// Never destroyed; immutable once created.
const UIDNA* processor() {
  static const UIDNA* const instance = [] {
    UErrorCode code = U_ZERO_ERROR;
    const UIDNA* made =
        uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, &code);
    return U_SUCCESS(code) ? made : nullptr;
  }();
  return instance;
}

struct MappedRange {
  char32_t first;
  char32_t last;
  char32_t to;  // of `first`, and so on; 0: ignored
};

// IdnaMappingTable.txt of Unicode 17 where it differs from that of Unicode 15.0; ascending. U+1806 is
// missing: it has become valid, but ICU 72 considers it disallowed.
constexpr std::array kMappedSince = {
    MappedRange{0x04C0, 0x04C0, 0x04CF},   MappedRange{0x10A0, 0x10C5, 0x2D00},
    MappedRange{0x115F, 0x1160, 0},        MappedRange{0x17B4, 0x17B5, 0},
    MappedRange{0x180E, 0x180E, 0},        MappedRange{0x1E9E, 0x1E9E, 0x00DF},
    MappedRange{0x2061, 0x2063, 0},        MappedRange{0x206A, 0x206F, 0},
    MappedRange{0x2132, 0x2132, 0x214E},   MappedRange{0x2183, 0x2183, 0x2184},
    MappedRange{0x3164, 0x3164, 0},        MappedRange{0xFFA0, 0xFFA0, 0},
    MappedRange{0x1D173, 0x1D17A, 0},      MappedRange{0x2F868, 0x2F868, 0x36FC},
    MappedRange{0x2F874, 0x2F874, 0x5F53}, MappedRange{0x2F91F, 0x2F91F, 0x243AB},
    MappedRange{0x2F95F, 0x2F95F, 0x7AEE}, MappedRange{0x2F9BF, 0x2F9BF, 0x45D7},
};

std::string with_later_mappings(std::string_view name) {
  std::string mapped;
  for (Utf8Step step{}; !name.empty(); name.remove_prefix(step.size)) {
    step = decode_utf8(name);
    const auto* const range = std::find_if(
        kMappedSince.begin(), kMappedSince.end(),
        [&](const MappedRange& r) { return r.first <= step.code_point && step.code_point <= r.last; });
    if (range == kMappedSince.end()) {
      mapped += name.substr(0, step.size);
    } else if (range->to != 0) {
      append_utf8(mapped, range->to + (step.code_point - range->first));
    }
  }
  return mapped;
}

}  // namespace

bool append_domain_to_ascii(std::string_view name, std::string& out) {
  // Such long names cannot be in the DNS, and ICU takes quadratic time for very long labels.
  constexpr std::size_t kLongest = 2048;
  if (name.size() > kLongest || processor() == nullptr) return false;
  const std::string mapped = with_later_mappings(name);
  std::array<char, 4 * kLongest> buffer;
  UErrorCode code = U_ZERO_ERROR;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  const std::int32_t size =
      uidna_nameToASCII_UTF8(processor(), mapped.data(), static_cast<std::int32_t>(mapped.size()),
                             buffer.data(), static_cast<std::int32_t>(buffer.size()), &info, &code);
  if (U_FAILURE(code) || size <= 0 || static_cast<std::size_t>(size) > buffer.size()) return false;
  if (info.errors & ~kTolerated) return false;
  out.append(buffer.data(), static_cast<std::size_t>(size));
  return true;
}

}  // namespace bowerbird
