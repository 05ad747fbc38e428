#include "archive/capture_index.h"

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "archive/index_lines.h"
#include "base/ascii.h"
#include "fetch/coding.h"
#include "parse/dates.h"
#include "store/crawl_reader.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

constexpr CodingLimits kBlockLimits = {std::uint64_t{64} << 20, 2000, std::uint64_t{8} << 20};

template <typename T>
bool number_member(const nlohmann::json& json, const char* name, T& number) {
  const std::string text = index_text(json, name);
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && end == text.data() + text.size();
}

class LineIndex final : public CaptureIndex {
 public:
  LineIndex(std::string_view lines, std::shared_ptr<const void> owner)
      : lines_(lines), owner_(std::move(owner)) {}

  Status find(std::string_view key, const Visit& visit) const override {
    const std::string prefix = std::string(key) + " ";
    for (std::size_t at = lower_index_line(lines_, prefix); at < lines_.size();) {
      const std::string_view line = index_line(lines_, at);
      if (!line.starts_with(prefix)) break;
      visit(line);
      at += line.size() + 1;
    }
    return {};
  }

  Status for_each(const Visit& visit) const override {
    for (std::size_t at = 0; at < lines_.size();) {
      const std::string_view line = index_line(lines_, at);
      if (!line.empty() && line.front() != '!') visit(line);
      at += line.size() + 1;
    }
    return {};
  }

 private:
  std::string_view lines_;
  std::shared_ptr<const void> owner_;
};

class BlockIndex final : public CaptureIndex {
 public:
  BlockIndex(std::string blocks, std::string_view packed, std::string name, std::shared_ptr<const void> owner)
      : blocks_(std::move(blocks)), packed_(packed), name_(std::move(name)), owner_(std::move(owner)) {}

  Status find(std::string_view key, const Visit& visit) const override {
    const std::string prefix = std::string(key) + " ";
    // Lines with the key may start in the block before the first block that begins with the key.
    std::size_t at = lower_index_line(blocks_, prefix);
    if (at > 0) at = at < 2 ? 0 : blocks_.rfind('\n', at - 2) + 1;  // npos + 1 is 0
    while (at < blocks_.size()) {
      const std::string_view line = index_line(blocks_, at);
      if (line.substr(0, prefix.size()) > std::string_view(prefix)) break;
      BB_TRY(const std::string text, block(line));
      BB_TRY_VOID(LineIndex(text, nullptr).find(key, visit));
      at += line.size() + 1;
    }
    return {};
  }

  Status for_each(const Visit& visit) const override {
    for (std::size_t at = 0; at < blocks_.size();) {
      const std::string_view line = index_line(blocks_, at);
      BB_TRY(const std::string text, block(line));
      BB_TRY_VOID(LineIndex(text, nullptr).for_each(visit));
      at += line.size() + 1;
    }
    return {};
  }

 private:
  // Decompresses a block; empty for the line with the format.
  Result<std::string> block(std::string_view line) const {
    if (line.empty() || line.front() == '!') return std::string();
    const std::size_t brace = line.find('{');
    const nlohmann::json json = brace == std::string_view::npos
                                    ? nlohmann::json()
                                    : nlohmann::json::parse(line.substr(brace), nullptr, false);
    std::uint64_t offset = 0, length = 0;
    if (!json.is_object() || !number_member(json, "offset", offset) ||
        !number_member(json, "length", length) || offset > packed_.size() || length > packed_.size() - offset)
      return error("{}: the list of index blocks is damaged", name_);
    std::string text;
    const CodingResult result = decode_body("gzip", packed_.substr(offset, length), kBlockLimits, text);
    if (result == CodingResult::kPlain) return std::string(packed_.substr(offset, length));
    if (result != CodingResult::kWhole)
      return error("{}: byte {} of the index: {}", name_, offset, coding_result_text(result));
    return text;
  }

  std::string blocks_;
  std::string_view packed_;
  std::string name_;
  std::shared_ptr<const void> owner_;
};

}  // namespace

std::optional<std::int64_t> parse_timestamp(std::string_view digits) {
  if (digits.size() < 4 || digits.size() > 17 || digits.size() % 2 != 0) return std::nullopt;
  for (const char c : digits) {
    if (!is_ascii_digit(c)) return std::nullopt;
  }
  constexpr std::string_view kEarliest = "00000101000000";
  std::string whole(digits.substr(0, 14));
  whole.append(kEarliest.substr(whole.size()));
  const auto part = [&](std::size_t at, std::size_t size) {
    unsigned number = 0;
    std::from_chars(whole.data() + at, whole.data() + at + size, number);
    return number;
  };
  const unsigned month = part(4, 2), day = part(6, 2), hour = part(8, 2), minute = part(10, 2),
                 second = part(12, 2);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
    return std::nullopt;
  return days_from_civil(part(0, 4), month, day) * 86'400 + hour * 3600 + minute * 60 + second;
}

std::string timestamp_of(std::int64_t time) {
  std::string text;
  for (const char c : format_iso_date(time)) {
    if (c != '-') text.push_back(c);
  }
  const std::int64_t second = ((time % 86'400) + 86'400) % 86'400;
  return text + fmt::format("{:02}{:02}{:02}", second / 3600, second / 60 % 60, second % 60);
}

std::optional<IndexedCapture> parse_cdxj_line(std::string_view line) {
  const std::size_t key_end = line.find(' ');
  if (key_end == std::string_view::npos) return std::nullopt;
  const std::size_t time_end = line.find(' ', key_end + 1);
  if (time_end == std::string_view::npos) return std::nullopt;
  const auto time =
      parse_timestamp(line.substr(key_end + 1, std::min<std::size_t>(14, time_end - key_end - 1)));
  const nlohmann::json json = nlohmann::json::parse(line.substr(time_end + 1), nullptr, false);
  if (!time || !json.is_object()) return std::nullopt;
  IndexedCapture capture;
  capture.time = *time;
  capture.url = index_text(json, "url");
  capture.mime = index_text(json, "mime");
  capture.digest = index_text(json, "digest");
  capture.file = index_text(json, "filename");
  capture.revisit = capture.mime == "warc/revisit";
  if (!number_member(json, "status", capture.status)) capture.status = 0;
  if (capture.url.empty() || capture.file.empty() || !number_member(json, "offset", capture.offset))
    return std::nullopt;
  return capture;
}

Result<std::unique_ptr<CaptureIndex>> open_crawl_index(const std::string& folder) {
  if (!CrawlReader::holds_crawl(folder)) return std::unique_ptr<CaptureIndex>();
  const std::string path = folder + "/" + crawl_files::kIndex;
  std::error_code code;
  const auto written = std::filesystem::last_write_time(path, code);
  if (code) return std::unique_ptr<CaptureIndex>();
  const auto committed = std::filesystem::last_write_time(folder + "/journal", code);
  if (code || committed > written) return std::unique_ptr<CaptureIndex>();
  BB_TRY(std::shared_ptr<const MappedFile> lines, MappedFile::open(path));
  const std::string_view view = lines->text();
  return make_line_index(view, std::move(lines));
}

std::unique_ptr<CaptureIndex> make_line_index(std::string_view lines, std::shared_ptr<const void> owner) {
  return std::make_unique<LineIndex>(lines, std::move(owner));
}

std::unique_ptr<CaptureIndex> make_block_index(std::string blocks, std::string_view packed, std::string name,
                                               std::shared_ptr<const void> owner) {
  return std::make_unique<BlockIndex>(std::move(blocks), packed, std::move(name), std::move(owner));
}

}  // namespace bowerbird
