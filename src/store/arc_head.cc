#include "store/arc_head.h"

#include <charconv>
#include <vector>

#include "base/ascii.h"
#include "store/warc_writer.h"

namespace bowerbird {

namespace {

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// Removes and returns the last word of the line.
std::string_view take_last(std::string_view& line) {
  const std::size_t blank = line.rfind(' ');
  if (blank == line.npos) return {};
  const std::string_view word = line.substr(blank + 1);
  line.remove_suffix(word.size() + 1);
  return word;
}

// "2005-08-01T12:34:56Z" from 14 digits, or from 12 without seconds.
std::string date_of(std::string_view digits) {
  const std::string_view seconds = digits.size() >= 14 ? digits.substr(12, 2) : "00";
  return fmt::format("{}-{}-{}T{}:{}:{}Z", digits.substr(0, 4), digits.substr(4, 2), digits.substr(6, 2),
                     digits.substr(8, 2), digits.substr(10, 2), seconds);
}

bool is_date(std::string_view text) {
  return all_digits(text) && (text.size() == 14 || text.size() == 12);
}

struct ArcLine {
  std::string_view url, address, date, mime;
  std::uint64_t length = 0;
};

// further: number of fields between media type and length.
std::optional<ArcLine> read_line(std::string_view line, int further) {
  ArcLine read;
  const std::string_view length = take_last(line);
  if (!all_digits(length) ||
      std::from_chars(length.data(), length.data() + length.size(), read.length).ec != std::errc())
    return std::nullopt;
  for (int i = 0; i < further; ++i) {
    if (take_last(line).empty()) return std::nullopt;
  }
  read.mime = take_last(line);
  read.date = take_last(line);
  read.address = take_last(line);
  read.url = line;
  const bool sound = !read.mime.empty() && is_date(read.date) && !read.address.empty() &&
                     read.url.find(':') != read.url.npos;
  return sound ? std::optional(read) : std::nullopt;
}

}  // namespace

std::optional<WarcHead> arc_head(std::string_view line, std::uint64_t offset) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > kLongestArcHead) return std::nullopt;
  constexpr int kVersion2 = 5;
  std::optional<ArcLine> read = read_line(line, 0);
  if (!read) read = read_line(line, kVersion2);
  if (!read) return std::nullopt;
  const bool about_file = starts_ignoring_case(read->url, "filedesc:");
  const bool http = starts_ignoring_case(read->url, "http:") || starts_ignoring_case(read->url, "https:");
  WarcHead head;
  head.version = "WARC/1.1";
  head.content_length = read->length;
  const auto add = [&](std::string_view name, std::string value) {
    head.fields.emplace_back(name, std::move(value));
  };
  add("WARC-Type", about_file ? "warcinfo" : "response");
  add("WARC-Record-ID", response_id(fmt::format("arc {} {} {}", read->url, read->date, offset), 0, Sha1{}));
  add("WARC-Date", date_of(read->date));
  if (!about_file) add("WARC-Target-URI", std::string(read->url));
  if (!about_file && read->address != "0.0.0.0" && read->address != "-")
    add("WARC-IP-Address", std::string(read->address));
  add("Content-Type", http ? "application/http;msgtype=response" : std::string(read->mime));
  add("Content-Length", std::to_string(read->length));
  return head;
}

}  // namespace bowerbird
