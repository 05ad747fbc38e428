// Why a URL was rejected, and what was changed in a valid one: small codes on the fast path, and their texts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bowerbird {

// Why a link is not a page we can fetch. Data, not an error of ours.
enum class UrlFault : std::uint8_t {
  kNone,
  kRelative,       // relative, and there is no base
  kScheme,         // mailto:, javascript:, data:, ftp: ...
  kHostMissing,    //
  kHostCharacter,  // a byte that is not allowed in host names
  kHostName,       // not a valid name by IDNA (UTS #46)
  kIpv4,           //
  kIpv6,           //
  kPort,           //
  kDnsName,        // canonical form only: too long for the DNS, or an empty label
  kTooLong,        //
};
std::string_view fault_text(UrlFault fault);

// What parsing and the canonical form changed, as bits in the order of the steps.
enum UrlNote : std::uint32_t {
  kNoteTrimmed = 1,                // parser
  kNoteTabs = 1 << 1,              //
  kNoteRelative = 1 << 2,          //
  kNoteScheme = 1 << 3,            //
  kNoteSlashes = 1 << 4,           //
  kNoteHostCase = 1 << 5,          //
  kNoteHostEscapes = 1 << 6,       //
  kNoteIdna = 1 << 7,              //
  kNoteAddress = 1 << 8,           //
  kNoteDefaultPort = 1 << 9,       //
  kNoteEmptyPort = 1 << 22,        //
  kNotePortZeros = 1 << 23,        //
  kNoteDots = 1 << 10,             //
  kNoteEncoded = 1 << 11,          //
  kNoteFragment = 1 << 12,         // canonical form
  kNoteCredentials = 1 << 13,      //
  kNoteTrailingDot = 1 << 14,      //
  kNoteResolvedEscapes = 1 << 15,  //
  kNoteUpperEscapes = 1 << 16,     //
  kNoteNotUri = 1 << 17,           //
  kNoteSession = 1 << 18,          //
  kNoteTracking = 1 << 19,         //
  kNoteEmptyParameters = 1 << 20,  //
  kNoteEmptyQuery = 1 << 21,       //
};
// A text for each bit that is set.
std::vector<std::string_view> note_texts(std::uint32_t notes);

}  // namespace bowerbird
