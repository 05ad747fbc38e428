// The bytes of the native format, shared by its reader and its writer: docs/formats/native.md in C++.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

namespace bowerbird::native {

// The arrays are used directly from the file.
static_assert(std::endian::native == std::endian::little, "the native format is little-endian");

inline constexpr std::uint64_t kAlignment = 64;
inline constexpr std::array<char, 8> kMagic = {'\x89', 'B', 'B', 'G', '\r', '\n', '\x1a', '\n'};
inline constexpr std::array<char, 8> kEndMagic = {'B', 'B', 'G', ' ', 'e', 'n', 'd', '\n'};
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kByteOrder = 0x01020304;

enum class Kind : std::uint32_t {
  kOffsets = 1,          // u64 x (pages + 1): where the links of a page begin
  kTargets = 2,          // u32 x links
  kWeights = 3,          // u32 x links
  kRunStarts = 4,        // u32 x runs: the first page of each run of pages on one host
  kRunHosts = 5,         // u32 x runs: its host
  kHostNameOffsets = 6,  // u64 x (hosts + 1)
  kHostNames = 7,        // text
  kPageNameOffsets = 8,  // u64 x (pages + 1)
  kPageNames = 9,        // text
};
inline constexpr std::uint32_t kKinds = 9;

// Every page is its own host, with the page's name: there are no sections for hosts.
inline constexpr std::uint32_t kPagesAreHosts = 1;

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t byte_order = kByteOrder;
  std::array<std::uint8_t, 48> reserved{};
};
static_assert(sizeof(Header) == 64 && std::is_trivially_copyable_v<Header>);

struct Section {
  std::uint32_t kind = 0;
  std::uint32_t crc = 0;  // CRC-32 of the section's bytes
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // in bytes
  std::uint64_t reserved = 0;
};
static_assert(sizeof(Section) == 32 && std::is_trivially_copyable_v<Section>);

struct Trailer {
  std::uint64_t pages = 0;
  std::uint64_t links = 0;
  std::uint64_t hosts = 0;
  std::uint64_t table_offset = 0;
  std::uint64_t file_size = 0;
  std::uint32_t sections = 0;
  std::uint32_t flags = 0;
  std::uint32_t reserved = 0;
  std::uint32_t crc = 0;  // CRC-32 of the header, the table and the trailer, with 0 here
  std::array<char, 8> magic = kEndMagic;
};
static_assert(sizeof(Trailer) == 64 && std::is_trivially_copyable_v<Trailer>);

}  // namespace bowerbird::native
