#include "store/other_payloads.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>

#include "parse/dates.h"
#include "store/cdxj.h"
#include "store/crawl_reader.h"
#include "store/digest_text.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kMicro = 1'000'000;
constexpr std::size_t kRowBytes = 24;
constexpr std::size_t kRowsInBlock = 128;
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

using AddDigest = std::function<Status(const Sha1&, std::uint64_t at)>;

std::optional<std::int64_t> time_of_timestamp(std::string_view digits) {
  if (digits.size() != 14 || digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t size) {
    int value = 0;
    std::from_chars(digits.data() + at, digits.data() + at + size, value);
    return value;
  };
  std::tm parts{};
  parts.tm_year = number(0, 4) - 1900;
  parts.tm_mon = number(4, 2) - 1;
  parts.tm_mday = number(6, 2);
  parts.tm_hour = number(8, 2);
  parts.tm_min = number(10, 2);
  parts.tm_sec = number(12, 2);
  return std::int64_t{::timegm(&parts)} * kMicro;
}

std::string_view bare_url(std::string_view url) {
  return url.starts_with('<') && url.ends_with('>') ? url.substr(1, url.size() - 2) : url;
}

// A member of a JSON object: a string, or a number as digits.
std::string member_of(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

}  // namespace

class OtherPayloads::Source {
 public:
  virtual ~Source() = default;
  virtual Status for_each(const AddDigest& add) = 0;
  virtual Result<StoredPayload> at(std::uint64_t place) = 0;
};

class OtherPayloads::CrawlSource final : public Source {
 public:
  explicit CrawlSource(std::unique_ptr<CrawlReader> crawl) : crawl_(std::move(crawl)) {}

  Status for_each(const AddDigest& add) override {
    std::uint64_t number = 0;
    return crawl_->for_each_capture([&](const FetchEntry& entry) -> Status {
      const std::uint64_t at = number++;
      if (entry.revisit || entry.truncated != Truncated::kNo) return {};
      return add(entry.digest, at);
    });
  }
  Result<StoredPayload> at(std::uint64_t place) override {
    BB_TRY(const FetchEntry entry, crawl_->capture(place));
    BB_TRY(const std::string url, crawl_->url(entry));
    const Original original{url, entry.time_us,
                            entry.derived_id ? response_id(url, entry.time_us, entry.digest) : std::string()};
    return StoredPayload{original, crawl_->warc_path(entry), entry.offset};
  }

 private:
  std::unique_ptr<CrawlReader> crawl_;
};

class OtherPayloads::WarcSource final : public Source {
 public:
  explicit WarcSource(std::string path) : path_(std::move(path)) {}

  Status for_each(const AddDigest& add) override {
    BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(path_));
    for (;;) {
      BB_TRY(const bool more, reader->next());
      if (!more) return {};
      const WarcHead& head = reader->head();
      if (head.type() != "response" || !head.field("WARC-Truncated").empty() || !reader->packed_alone())
        continue;
      if (const auto digest = sha1_of_text(head.field("WARC-Payload-Digest")))
        BB_TRY_VOID(add(*digest, reader->offset()));
    }
  }
  Result<StoredPayload> at(std::uint64_t place) override {
    BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(path_, place));
    BB_TRY(const bool there, reader->next());
    if (!there) return error("{}: there is no record at byte {}", path_, place);
    const WarcHead& head = reader->head();
    const auto date = parse_w3c_date(head.field("WARC-Date"));
    const std::string_view url = bare_url(head.field("WARC-Target-URI"));
    if (!date || url.empty()) return error("{}: byte {}: this record has no URL or date", path_, place);
    return StoredPayload{
        {std::string(url), *date * kMicro, std::string(head.field("WARC-Record-ID"))}, path_, place};
  }

 private:
  std::string path_;
};

// A line is identified by its offset.
class OtherPayloads::CdxjSource final : public Source {
 public:
  static Result<std::unique_ptr<Source>> open(const std::string& path) {
    auto source = std::make_unique<CdxjSource>();
    source->path_ = path;
    BB_TRY(source->file_, Disk::real().open(path, Disk::Open::kRead));
    return std::unique_ptr<Source>(std::move(source));
  }

  Status for_each(const AddDigest& add) override {
    std::string buffer;
    std::uint64_t begin = 0;  // offset in the file of the start of the buffer
    for (;;) {
      BB_TRY(const std::string piece, file_->read(begin + buffer.size(), std::size_t{1} << 18));
      buffer.append(piece);
      std::size_t used = 0;
      for (std::size_t feed; (feed = buffer.find('\n', used)) != buffer.npos; used = feed + 1)
        BB_TRY_VOID(take(std::string_view(buffer).substr(used, feed - used), begin + used, add));
      if (piece.empty()) return take(std::string_view(buffer).substr(used), begin + used, add);
      if (buffer.size() - used > kLongestLine)
        return error("{}: byte {}: this line is too long", path_, begin + used);
      begin += used;
      buffer.erase(0, used);
    }
  }
  Result<StoredPayload> at(std::uint64_t place) override {
    BB_TRY(std::string text, file_->read(place, kLongestLine));
    text.resize(std::min(text.find('\n'), text.size()));
    const nlohmann::json json = object_of(text);
    const std::size_t blank = text.find(' ');
    const auto time = time_of_timestamp(std::string_view(text).substr(blank + 1, 14));
    StoredPayload found;
    found.original.url = json.is_object() ? member_of(json, "url") : "";
    if (found.original.url.empty() || !time)
      return error("{}: byte {}: not a line of an index", path_, place);
    found.original.time_us = *time;
    const std::string offset = member_of(json, "offset");
    std::from_chars(offset.data(), offset.data() + offset.size(), found.offset);
    // The index of a crawl is next to the folder with its WARC files.
    const std::string folder = path_.substr(0, path_.rfind('/') + 1);
    const std::string name = member_of(json, "filename");
    found.path = folder + name;
    if (!Disk::real().exists(found.path)) found.path = folder + "warc/" + name;
    return found;
  }

 private:
  static nlohmann::json object_of(std::string_view line) {
    const std::size_t brace = line.find('{');
    if (brace == line.npos) return {};
    return nlohmann::json::parse(line.substr(brace), nullptr, false);
  }
  static Status take(std::string_view line, std::uint64_t at, const AddDigest& add) {
    const nlohmann::json json = object_of(line);
    if (!json.is_object() || member_of(json, "mime") == "warc/revisit") return {};
    const auto digest = sha1_of_text(member_of(json, "digest"));
    return digest ? add(*digest, at) : Status{};
  }

  std::string path_;
  std::unique_ptr<DiskFile> file_;
};

OtherPayloads::OtherPayloads() = default;
OtherPayloads::~OtherPayloads() = default;

OtherPayloads::Key OtherPayloads::key_of(const Sha1& digest) {
  Key key;
  std::memcpy(key.data(), digest.data(), key.size());
  return key;
}

Result<std::unique_ptr<OtherPayloads::Source>> OtherPayloads::open_source(const std::string& path) {
  if (CrawlReader::holds_crawl(path)) {
    BB_TRY(std::unique_ptr<CrawlReader> crawl, CrawlReader::open(path));
    return std::unique_ptr<Source>(std::make_unique<CrawlSource>(std::move(crawl)));
  }
  if (path.ends_with(".cdxj")) return CdxjSource::open(path);
  BB_TRY([[maybe_unused]] const auto there, Disk::real().open(path, Disk::Open::kRead));
  return std::unique_ptr<Source>(std::make_unique<WarcSource>(path));
}

Result<std::unique_ptr<OtherPayloads>> OtherPayloads::open(Disk& disk, const std::vector<std::string>& paths,
                                                           const std::string& scratch, std::size_t memory) {
  std::unique_ptr<OtherPayloads> made(new OtherPayloads());
  LineSorter lines(disk, scratch + ".runs", memory);
  for (const std::string& path : paths) {
    auto source = open_source(path);
    if (!source.ok()) return error("--dedup: {}", source.error().text);
    const std::size_t number = made->sources_.size();
    const Status read = (*source)->for_each([&](const Sha1& digest, std::uint64_t at) {
      std::string line;
      for (const char c : key_of(digest))
        fmt::format_to(std::back_inserter(line), "{:02x}",
                       static_cast<unsigned>(static_cast<std::uint8_t>(c)));
      fmt::format_to(std::back_inserter(line), "{:08x}{:016x}", number, at);
      return lines.add(std::move(line));
    });
    if (!read.ok()) return error("--dedup: {}", read.error().text);
    made->sources_.push_back(std::move(source).value());
  }
  BB_TRY_VOID(made->write_rows(lines, disk, scratch));
  return made;
}

Status OtherPayloads::write_rows(LineSorter& lines, Disk& disk, const std::string& path) {
  if (disk.exists(path)) BB_TRY_VOID(disk.remove(path));
  BB_TRY(file_, disk.open(path, Disk::Open::kCreate));
  std::string piece;
  std::string last;
  const Status written = lines.finish([&](std::string_view line) -> Status {
    std::string row(kRowBytes, '\0');
    for (std::size_t i = 0; i < kRowBytes; ++i) {
      unsigned byte = 0;
      std::from_chars(line.data() + 2 * i, line.data() + 2 * i + 2, byte, 16);
      row[i] = static_cast<char>(byte);
    }
    std::string key = row.substr(0, sizeof(Key));
    if (key == last) return {};  // only the first of several
    last = std::move(key);
    if (rows_++ % kRowsInBlock == 0) std::memcpy(fences_.emplace_back().data(), row.data(), sizeof(Key));
    piece.append(row);
    if (piece.size() < (std::size_t{1} << 18)) return {};
    BB_TRY_VOID(file_->append(piece));
    piece.clear();
    return {};
  });
  if (!written.ok()) return written;
  BB_TRY_VOID(file_->append(piece));
  return disk.remove(path);  // it can be read while it is open
}

std::optional<OtherPayloads::Position> OtherPayloads::place_of(const Key& key) const {
  const auto unsigned_less = [](const Key& a, const Key& b) {
    return std::memcmp(a.data(), b.data(), a.size()) < 0;
  };
  const auto after = std::upper_bound(fences_.begin(), fences_.end(), key, unsigned_less);
  if (after == fences_.begin()) return std::nullopt;
  const auto block = static_cast<std::uint64_t>(after - fences_.begin() - 1);
  const auto rows = file_->read(block * kRowsInBlock * kRowBytes, kRowsInBlock * kRowBytes);
  if (!rows.ok()) return std::nullopt;
  for (std::size_t at = 0; at + kRowBytes <= rows->size(); at += kRowBytes) {
    if (std::memcmp(rows->data() + at, key.data(), key.size()) != 0) continue;
    Position place;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(rows->data() + at + key.size());
    for (std::size_t i = 0; i < 4; ++i) place.source = place.source << 8 | bytes[i];
    for (std::size_t i = 4; i < 12; ++i) place.at = place.at << 8 | bytes[i];
    return place;
  }
  return std::nullopt;
}

std::optional<StoredPayload> OtherPayloads::locate(const Sha1& digest) {
  const auto place = place_of(key_of(digest));
  if (!place || place->source >= sources_.size()) return std::nullopt;
  auto found = sources_[place->source]->at(place->at);
  if (!found.ok()) return std::nullopt;
  return std::move(found).value();
}

std::unique_ptr<WarcReader> OtherPayloads::open_record(const Sha1& digest) {
  const auto place = locate(digest);
  if (!place) return nullptr;
  auto reader = WarcReader::open(place->path, place->offset);
  if (!reader.ok()) return nullptr;
  const auto there = (*reader)->next();
  const bool same =
      there.ok() && *there && sha1_of_text((*reader)->head().field("WARC-Payload-Digest")) == digest;
  return same ? std::move(*reader) : nullptr;
}

std::optional<Original> OtherPayloads::find(const Sha1& digest) {
  auto found = locate(digest);
  if (!found) return std::nullopt;
  return std::move(found->original);
}

}  // namespace bowerbird
