#include "store/warc_writer.h"

#include <ctime>

#include "base/ascii.h"
#include "version.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kSecondUs = 1'000'000;

std::tm utc(std::int64_t time_us) {
  const std::time_t seconds = time_us / kSecondUs;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return parts;
}

}  // namespace

std::string warc_date(std::int64_t time_us) {
  const std::tm t = utc(time_us);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday,
                     t.tm_hour, t.tm_min, t.tm_sec);
}

std::string timestamp14(std::int64_t time_us) {
  const std::tm t = utc(time_us);
  return fmt::format("{:04}{:02}{:02}{:02}{:02}{:02}", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday, t.tm_hour,
                     t.tm_min, t.tm_sec);
}

// RFC 9562, version 4: 122 random bits.
std::string RecordIds::next() {
  const std::uint64_t high = (a_.next() & ~std::uint64_t{0xf000}) | 0x4000;
  const std::uint64_t low = (b_.next() & ~(std::uint64_t{0xc} << 60)) | std::uint64_t{0x8} << 60;
  constexpr char kHex[] = "0123456789abcdef";
  std::string id = "<urn:uuid:";
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) id.push_back('-');
    id.push_back(kHex[(i < 16 ? high >> (60 - 4 * i) : low >> (124 - 4 * i)) & 0xf]);
  }
  return id += '>';
}

WarcWriter::WarcWriter(const Options& options, RecordIds ids)
    : options_(options), ids_(ids), compressor_(options.compression, options.level) {}

const std::string& WarcWriter::date_text(std::int64_t time_us) {
  if (time_us / kSecondUs != date_second_) {
    date_second_ = time_us / kSecondUs;
    date_ = warc_date(time_us);
  }
  return date_;
}

void WarcWriter::field(std::string_view name, std::string_view value) {
  append_warc_field(record_, name, value);
}

void WarcWriter::begin(std::string_view type, std::string_view id, std::string_view date) {
  record_ = "WARC/1.1\r\n";
  field("WARC-Type", type);
  field("WARC-Record-ID", id);
  field("WARC-Date", date);
}

void WarcWriter::block_digest(std::string_view block) {
  field("WARC-Block-Digest", "sha1:" + base32(sha1(block)));
}

Status WarcWriter::finish(WarcSink& to, std::string_view content_type, std::string_view first,
                          std::string_view second) {
  if (!content_type.empty()) field("Content-Type", content_type);
  field("Content-Length", std::to_string(first.size() + second.size()));
  record_.append("\r\n");
  record_.append(first);
  if (compressor_.compression() == WarcCompression::kNone) {
    BB_TRY_VOID(to.write(record_));
    BB_TRY_VOID(to.write(second));
    return to.write("\r\n\r\n");
  }
  record_.append(second);
  record_.append("\r\n\r\n");
  return to.write(compressor_.pack(record_));
}

Status WarcWriter::write_info(WarcSink& to, const std::string& file_name, std::int64_t time_us) {
  warcinfo_id_ = ids_.next();
  std::string block;
  append_warc_field(block, "software", "bowerbird/" BOWERBIRD_VERSION);
  append_warc_field(block, "format", "WARC File Format 1.1");
  append_warc_field(block, "conformsTo",
                    "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/");
  for (const auto& [name, value] : options_.info) append_warc_field(block, name, value);
  begin("warcinfo", warcinfo_id_, date_text(time_us));
  field("WARC-Filename", file_name);
  block_digest(block);
  return finish(to, "application/warc-fields", block);
}

// The fields that response and revisit records have in common.
void WarcWriter::describe(const StoredFetch& fetch, const Sha1& digest) {
  field("WARC-Target-URI", fetch.url);
  if (!fetch.ip.empty()) field("WARC-IP-Address", fetch.ip);
  if (!warcinfo_id_.empty()) field("WARC-Warcinfo-ID", warcinfo_id_);
  field("WARC-Payload-Digest", "sha1:" + base32(digest));
  if (fetch.truncated != Truncated::kNo) field("WARC-Truncated", truncated_text(fetch.truncated));
}

Status WarcWriter::write_response(WarcSink& to, const StoredFetch& fetch, std::string_view id,
                                  const Sha1& digest) {
  begin("response", id, date_text(fetch.time_us));
  describe(fetch, digest);
  if (options_.block_digests) block_digest(head_ + fetch.body);
  return finish(to, "application/http;msgtype=response", head_, fetch.body);
}

Status WarcWriter::write_revisit(WarcSink& to, const StoredFetch& fetch, std::string_view id,
                                 const Sha1& digest, const Original& original) {
  begin("revisit", id, date_text(fetch.time_us));
  describe(fetch, digest);
  field("WARC-Profile", fetch.not_modified
                            ? "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
                            : "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
  if (!original.record_id.empty()) field("WARC-Refers-To", original.record_id);
  field("WARC-Refers-To-Target-URI", original.url);
  field("WARC-Refers-To-Date", warc_date(original.time_us));
  block_digest(head_);
  return finish(to, "application/http;msgtype=response", head_);
}

// Writes a request or metadata record about a response.
Status WarcWriter::write_about(WarcSink& to, const StoredFetch& fetch, std::string_view type,
                               std::string_view content_type, std::string_view block, std::string_view id) {
  if (block.empty()) return {};
  begin(type, ids_.next(), date_text(fetch.time_us));
  field("WARC-Target-URI", fetch.url);
  field("WARC-Concurrent-To", id);
  if (options_.block_digests) block_digest(block);
  return finish(to, content_type, block);
}

Status WarcWriter::write_main_text(WarcSink& to, const StoredFetch& fetch, std::string_view id) {
  if (fetch.main_text.empty()) return {};
  begin("conversion", ids_.next(), date_text(fetch.time_us));
  field("WARC-Target-URI", fetch.url);
  field("WARC-Refers-To", id);
  field(kTextField, kMainText);
  if (options_.block_digests) block_digest(fetch.main_text);
  return finish(to, "text/plain;charset=utf-8", fetch.main_text);
}

Result<RecordRange> WarcWriter::write_fetch(WarcSink& to, const StoredFetch& fetch, const Sha1& digest,
                                            const Original* original) {
  const std::string id = original != nullptr ? ids_.next() : response_id(fetch.url, fetch.time_us, digest);
  const std::uint64_t offset = to.bytes();
  head_.clear();
  append_stored_head(head_, fetch.response_head, fetch.body.size(), fetch.decoded);
  BB_TRY_VOID(original != nullptr ? write_revisit(to, fetch, id, digest, *original)
                                  : write_response(to, fetch, id, digest));
  const RecordRange range{offset, to.bytes() - offset};
  BB_TRY_VOID(write_about(to, fetch, "request", "application/http;msgtype=request", fetch.request, id));
  BB_TRY_VOID(write_about(to, fetch, "metadata", "application/warc-fields", fetch.metadata, id));
  if (original == nullptr) BB_TRY_VOID(write_main_text(to, fetch, id));
  return range;
}

Status WarcWriter::write_record(WarcSink& to, const StoredRecord& record) {
  begin(record.type, ids_.next(), date_text(record.time_us));
  field("WARC-Target-URI", record.url);
  if (!warcinfo_id_.empty()) field("WARC-Warcinfo-ID", warcinfo_id_);
  block_digest(record.block);
  return finish(to, record.content_type, record.block);
}

std::string response_id(std::string_view url, std::int64_t time_us, const Sha1& digest) {
  // A random namespace of our own: 5d8f5e3c-6c0a-4b53-9b0e-3f6f1f0a7d21.
  constexpr std::string_view kNamespace = "\x5d\x8f\x5e\x3c\x6c\x0a\x4b\x53\x9b\x0e\x3f\x6f\x1f\x0a\x7d\x21";
  Sha1 hash = sha1(fmt::format("{}{} {} {}", kNamespace, base32(digest), time_us, url));
  hash[6] = static_cast<std::uint8_t>((hash[6] & 0x0f) | 0x50);
  hash[8] = static_cast<std::uint8_t>((hash[8] & 0x3f) | 0x80);
  std::string id = "<urn:uuid:";
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) id.push_back('-');
    fmt::format_to(std::back_inserter(id), "{:02x}", hash[i]);
  }
  return id += '>';
}

namespace {

std::string_view take_line(std::string_view& head) {
  const std::size_t end = head.find('\n');
  const std::string_view line = head.substr(0, end == std::string_view::npos ? head.size() : end + 1);
  head.remove_prefix(line.size());
  return line == "\r\n" || line == "\n" ? std::string_view() : line;
}

// Checks which fields of a header are true for the stored body, such as its length.
class StoredFields {
 public:
  StoredFields(std::string_view head, std::size_t body_size, bool decoded)
      : size_(std::to_string(body_size)),
        decoded_(decoded),
        other_body_(head.substr(std::min(head.size(), head.find(' '))).starts_with(" 304")) {}

  // Whether the field of this line is wrong for the stored body.
  bool is_false(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return false;
    const std::string_view name = trimmed(line.substr(0, colon));
    bool wrong = equals_ignoring_case(name, "transfer-encoding") ||
                 (decoded_ && equals_ignoring_case(name, "content-encoding"));
    if (equals_ignoring_case(name, "content-length")) {
      wrong = !other_body_ && (has_length_ || trimmed(line.substr(colon + 1), " \t\r\n") != size_);
      has_length_ |= !wrong;
    }
    any_wrong_ |= wrong;
    return wrong;
  }
  bool wants_length() const { return any_wrong_ && !has_length_ && !other_body_; }
  const std::string& length() const { return size_; }

 private:
  std::string size_;
  bool decoded_;
  bool other_body_;
  bool has_length_ = false;
  bool any_wrong_ = false;
};

}  // namespace

void append_stored_head(std::string& out, std::string_view head, std::size_t body_size, bool decoded) {
  StoredFields fields(head, body_size, decoded);
  for (std::string_view line = take_line(head); !line.empty(); line = take_line(head)) {
    if (fields.is_false(line)) out.append("X-Archive-Orig-");
    out.append(line);
    if (!line.ends_with('\n')) out.append("\r\n");
  }
  if (fields.wants_length()) append_warc_field(out, "Content-Length", fields.length());
  out.append("\r\n");
}

}  // namespace bowerbird
