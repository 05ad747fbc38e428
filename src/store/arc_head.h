// Converts the header line of an ARC record to the header of a WARC record.
//
// ARC is the format of the Internet Archive from 1996 to 2009. A record is a line, then the bytes:
//
//   URL IP-ADDRESS 20050801123456 MEDIA-TYPE LENGTH                                        (version 1)
//   URL IP-ADDRESS 20050801123456 MEDIA-TYPE STATUS CHECKSUM LOCATION OFFSET FILE LENGTH   (version 2)
//
// The first record of a file, filedesc://..., describes the file and becomes a warcinfo record. URLs may
// contain spaces, so the line is parsed from its end. The format is described at
// archive.org/web/researcher/ArcFileFormat.php. Pure; threads: any.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/warc_reader.h"

namespace bowerbird {

inline constexpr std::size_t kLongestArcHead = std::size_t{1} << 16;

// None: the line is not a record header. offset: of the record in its file; the record id is derived from
// it, the URL and the date.
std::optional<WarcHead> arc_head(std::string_view line, std::uint64_t offset);

}  // namespace bowerbird
