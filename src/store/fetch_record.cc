#include "store/fetch_record.h"

#include <algorithm>

namespace bowerbird {

namespace {

// Flags of an entry.
constexpr unsigned kRevisit = 1;
constexpr unsigned kTruncatedShift = 1;
constexpr unsigned kTruncatedMask = 7;
constexpr unsigned kNoarchive = 16;
constexpr unsigned kOwnUrl = 32;
constexpr unsigned kDerivedId = 64;
constexpr unsigned kRequisite = 128;

}  // namespace

std::string_view truncated_text(Truncated truncated) {
  switch (truncated) {
    case Truncated::kNo:
      return "";
    case Truncated::kLength:
      return "length";
    case Truncated::kTime:
      return "time";
    case Truncated::kDisconnect:
      return "disconnect";
    case Truncated::kUnspecified:
      return "unspecified";
  }
  return "";
}

void append_warc_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ");
  const std::size_t begin = out.size();
  out.append(value);
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(),
      [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
  out.append("\r\n");
}

void FetchEntry::put(std::string& out) const {
  put_varint(out, page == kNoPage ? 0 : page);
  put_signed(out, time_us);
  put_varint(out, status);
  put_varint(out, (revisit ? kRevisit : 0u) | static_cast<unsigned>(truncated) << kTruncatedShift |
                      (noarchive ? kNoarchive : 0u) | (page == kNoPage ? kOwnUrl : 0u) |
                      (derived_id ? kDerivedId : 0u) | (requisite ? kRequisite : 0u));
  out.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  put_varint(out, offset);
  put_varint(out, length);
  put_string(out, mime);
  put_string(out, title);
  put_string(out, file);
  if (page == kNoPage) put_string(out, url);
}

FetchEntry FetchEntry::get(VarintReader& in) {
  FetchEntry entry;
  entry.page = static_cast<PageId>(in.get_at_most(kMaxPages - 1));
  entry.time_us = in.get_signed();
  entry.status = static_cast<std::uint16_t>(in.get_at_most(0xffff));
  const std::uint64_t flags = in.get_at_most(2 * kRequisite - 1);
  entry.revisit = (flags & kRevisit) != 0;
  entry.noarchive = (flags & kNoarchive) != 0;
  entry.requisite = (flags & kRequisite) != 0;
  entry.derived_id = (flags & kDerivedId) != 0;
  const std::uint64_t truncated = flags >> kTruncatedShift & kTruncatedMask;
  if (truncated > static_cast<unsigned>(Truncated::kUnspecified)) in.reject();
  entry.truncated = static_cast<Truncated>(truncated);
  const std::string_view digest = in.get_bytes(entry.digest.size());
  std::copy(digest.begin(), digest.end(), reinterpret_cast<char*>(entry.digest.data()));
  entry.offset = in.get();
  entry.length = in.get();
  entry.mime = in.get_string();
  entry.title = in.get_string();
  entry.file = in.get_string();
  if ((flags & kOwnUrl) != 0) {
    entry.page = kNoPage;
    entry.url = in.get_string();
    if (entry.url.empty()) in.reject();
  }
  if (entry.file.empty() || entry.file[0] == '.' || entry.file.find('/') != std::string::npos) in.reject();
  return entry;
}

std::string StoredCounts::text() const {
  std::string out;
  for (const std::uint64_t count : {warc_files, fetches, revisits, body_bytes, warc_bytes})
    put_varint(out, count);
  return out;
}

StoredCounts stored_counts(std::string_view text) {
  StoredCounts counts;
  if (text.empty()) return counts;
  VarintReader in(text);
  for (std::uint64_t* const count :
       {&counts.warc_files, &counts.fetches, &counts.revisits, &counts.body_bytes, &counts.warc_bytes})
    *count = in.get();
  counts.ok = in.ok();
  return counts;
}

}  // namespace bowerbird
