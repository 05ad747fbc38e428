#include "archive/zip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <set>

namespace bowerbird {

namespace {

constexpr std::uint32_t kLocalMark = 0x04034b50;
constexpr std::uint32_t kEntryMark = 0x02014b50;
constexpr std::uint32_t kEndMark = 0x06054b50;
constexpr std::uint32_t kEnd64Mark = 0x06064b50;
constexpr std::uint32_t kLocator64Mark = 0x07064b50;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kEntrySize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kLocator64Size = 20;
constexpr std::size_t kLongestComment = 65'535;

// A little-endian number of `size` bytes at `at`, which must be in range.
std::uint64_t zip_number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i > 0; --i) number = number << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
  return number;
}

bool has_mark(std::string_view bytes, std::uint64_t at, std::size_t size, std::uint32_t mark) {
  return at <= bytes.size() && bytes.size() - at >= size && zip_number(bytes, at, 4) == mark;
}

bool is_safe_name(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos ||
      name.find('\0') != std::string_view::npos || name.find(':') != std::string_view::npos)
    return false;
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('/'));
    if (part == ".." || part == ".") return false;
    name.remove_prefix(std::min(name.size(), part.size() + 1));
  }
  return true;
}

struct ZipDirectory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t entries = 0;
  std::uint64_t end = 0;  // end of the directory
};

// Finds the end record of the file, which may be followed by a comment.
bool find_zip_end(std::string_view bytes, std::size_t& at) {
  if (bytes.size() < kEndSize) return false;
  const std::size_t last = bytes.size() - kEndSize;
  const std::size_t first = last > kLongestComment ? last - kLongestComment : 0;
  for (at = last;; --at) {
    if (has_mark(bytes, at, kEndSize, kEndMark) && zip_number(bytes, at + 20, 2) == last - at) return true;
    if (at == first) return false;
  }
}

Result<ZipDirectory> find_zip_directory(std::string_view bytes, const std::string& name) {
  std::size_t end = 0;
  if (!find_zip_end(bytes, end)) return error("{}: not a ZIP file, or its end is missing", name);
  ZipDirectory found{zip_number(bytes, end + 16, 4), zip_number(bytes, end + 12, 4),
                     zip_number(bytes, end + 10, 2), end};
  const bool large = found.offset == 0xFFFFFFFF || found.size == 0xFFFFFFFF || found.entries == 0xFFFF;
  if (large && end >= kLocator64Size &&
      has_mark(bytes, end - kLocator64Size, kLocator64Size, kLocator64Mark)) {
    const std::uint64_t at = zip_number(bytes, end - kLocator64Size + 8, 8);
    if (!has_mark(bytes, at, kEnd64Size, kEnd64Mark))
      return error("{}: the ZIP64 directory is damaged", name);
    found = {zip_number(bytes, at + 48, 8), zip_number(bytes, at + 40, 8), zip_number(bytes, at + 32, 8), at};
  }
  if (found.offset > found.end || found.size > found.end - found.offset ||
      found.entries > found.size / kEntrySize)
    return error("{}: the directory of the ZIP file is damaged", name);
  if (found.entries > ZipReader::kMostEntries) return error("{}: too many entries ({})", name, found.entries);
  return found;
}

struct DirectoryRow {
  unsigned flags = 0;
  unsigned method = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint32_t crc = 0;
  std::string_view name;
};

// 4.5.3: the sizes that do not fit into 32 bits.
bool take_zip64_sizes(std::string_view extra, DirectoryRow& row) {
  while (extra.size() >= 4) {
    const std::size_t size = zip_number(extra, 2, 2);
    if (extra.size() - 4 < size) return false;
    std::string_view field = extra.substr(4, size);
    if (zip_number(extra, 0, 2) == 1) {
      for (std::uint64_t* const number : {&row.size, &row.packed, &row.offset}) {
        if (*number != 0xFFFFFFFF) continue;
        if (field.size() < 8) return false;
        *number = zip_number(field, 0, 8);
        field.remove_prefix(8);
      }
    }
    extra.remove_prefix(4 + size);
  }
  return true;
}

// Removes a row from the front of `rest`.
bool take_directory_row(std::string_view& rest, DirectoryRow& row) {
  if (!has_mark(rest, 0, kEntrySize, kEntryMark)) return false;
  row.flags = static_cast<unsigned>(zip_number(rest, 8, 2));
  row.method = static_cast<unsigned>(zip_number(rest, 10, 2));
  row.crc = static_cast<std::uint32_t>(zip_number(rest, 16, 4));
  row.packed = zip_number(rest, 20, 4);
  row.size = zip_number(rest, 24, 4);
  row.offset = zip_number(rest, 42, 4);
  const std::size_t name = zip_number(rest, 28, 2);
  const std::size_t extra = zip_number(rest, 30, 2);
  const std::size_t all = kEntrySize + name + extra + zip_number(rest, 32, 2);
  if (rest.size() < all) return false;
  row.name = rest.substr(kEntrySize, name);
  if (!take_zip64_sizes(rest.substr(kEntrySize + name, extra), row)) return false;
  rest.remove_prefix(all);
  return true;
}

}  // namespace

Result<ZipReader> ZipReader::open(std::string_view bytes, const std::string& name) {
  BB_TRY(const ZipDirectory directory, find_zip_directory(bytes, name));
  ZipReader reader;
  reader.name_ = name;
  std::set<std::string_view> names;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  // begin and end of each entry
  std::string_view rest = bytes.substr(directory.offset, directory.size);
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    DirectoryRow row;
    if (!take_directory_row(rest, row))
      return error("{}: entry {} of the ZIP directory is damaged", name, i + 1);
    const auto bad = [&](std::string_view why) { return error("{}: entry '{}': {}", name, row.name, why); };
    if (!is_safe_name(row.name)) return bad("its name is not a plain relative path");
    if (!names.insert(row.name).second) return bad("two entries have this name");
    if ((row.flags & 1) != 0) return bad("it is encrypted");
    if (row.method != 0 && row.method != 8)
      return bad(fmt::format("unknown compression method {}", row.method));
    if (!has_mark(bytes.substr(0, directory.offset), row.offset, kLocalSize, kLocalMark))
      return bad("its local header is missing");
    const std::uint64_t data = row.offset + kLocalSize + zip_number(bytes, row.offset + 26, 2) +
                               zip_number(bytes, row.offset + 28, 2);
    if (data > directory.offset || row.packed > directory.offset - data)
      return bad("it lies outside of the file");
    if (row.method == 0 && row.packed != row.size) return bad("its sizes differ");
    ranges.emplace_back(row.offset, data + row.packed);
    if (row.name.ends_with('/')) continue;
    reader.entries_.push_back(
        {std::string(row.name), row.method == 8, row.size, bytes.substr(data, row.packed), row.crc});
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].second) return error("{}: entries of the ZIP file overlap", name);
  }
  std::sort(reader.entries_.begin(), reader.entries_.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return reader;
}

const ZipReader::Entry* ZipReader::find(std::string_view name) const {
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), name,
                                      [](const Entry& entry, std::string_view n) { return entry.name < n; });
  return found != entries_.end() && found->name == name ? &*found : nullptr;
}

Status ZipReader::unpack(const Entry& entry, const std::function<Status(std::string_view)>& take) const {
  const auto bad = [&](std::string_view why) { return error("{}: entry '{}': {}", name_, entry.name, why); };
  std::uint64_t size = 0;
  uLong crc = crc32_z(0, nullptr, 0);
  const auto pass_on = [&](std::string_view piece) {
    size += piece.size();
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    return take(piece);
  };
  if (!entry.deflated) {
    BB_TRY_VOID(pass_on(entry.stored));
  } else {
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return bad("out of memory");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(entry.stored.data()));
    std::uint64_t left = entry.stored.size();
    int state = Z_OK;
    Status taken;
    std::string piece(std::size_t{1} << 16, '\0');
    while (state == Z_OK && taken.ok() && size <= entry.size) {
      if (stream.avail_in == 0) stream.avail_in = static_cast<uInt>(std::min<std::uint64_t>(left, 1u << 30));
      const uInt given = stream.avail_in;
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = static_cast<uInt>(piece.size());
      state = inflate(&stream, Z_NO_FLUSH);
      left -= given - stream.avail_in;
      taken = pass_on(std::string_view(piece).substr(0, piece.size() - stream.avail_out));
    }
    inflateEnd(&stream);
    BB_TRY_VOID(taken);
    if (state != Z_STREAM_END) return bad("its compressed data is damaged or larger than its directory says");
  }
  if (size != entry.size) return bad("its size is not what the directory says");
  return crc == entry.crc ? Status() : bad("its checksum is wrong");
}

Result<std::string> ZipReader::read(const Entry& entry, std::uint64_t limit) const {
  if (entry.size > limit)
    return error("{}: entry '{}': it is larger than {} bytes", name_, entry.name, limit);
  std::string out;
  BB_TRY_VOID(unpack(entry, [&out](std::string_view piece) -> Status {
    out += piece;
    return {};
  }));
  return out;
}

}  // namespace bowerbird
