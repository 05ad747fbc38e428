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

Result<RecordRange> WarcWriter::write_fetch(WarcSink& to, const StoredFetch& fetch, const Sha1& digest,
                                            const Original* original) {
  const std::string id = ids_.next();
  const std::string& date = date_text(fetch.time_us);
  const std::uint64_t offset = to.bytes();
  head_.clear();
  append_stored_head(head_, fetch.response_head, fetch.body.size(), fetch.decoded);

  begin(original != nullptr ? "revisit" : "response", id, date);
  field("WARC-Target-URI", fetch.url);
  if (!fetch.ip.empty()) field("WARC-IP-Address", fetch.ip);
  if (!warcinfo_id_.empty()) field("WARC-Warcinfo-ID", warcinfo_id_);
  field("WARC-Payload-Digest", "sha1:" + base32(digest));
  if (fetch.truncated != Truncated::kNo) field("WARC-Truncated", truncated_text(fetch.truncated));
  if (original != nullptr) {
    field("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
    field("WARC-Refers-To-Target-URI", original->url);
    field("WARC-Refers-To-Date", warc_date(original->time_us));
    block_digest(head_);
    BB_TRY_VOID(finish(to, "application/http;msgtype=response", head_));
  } else {
    if (options_.block_digests) block_digest(head_ + fetch.body);
    BB_TRY_VOID(finish(to, "application/http;msgtype=response", head_, fetch.body));
  }
  const RecordRange range{offset, to.bytes() - offset};

  if (!fetch.request.empty()) {
    begin("request", ids_.next(), date);
    field("WARC-Target-URI", fetch.url);
    field("WARC-Concurrent-To", id);
    if (options_.block_digests) block_digest(fetch.request);
    BB_TRY_VOID(finish(to, "application/http;msgtype=request", fetch.request));
  }
  if (!fetch.metadata.empty()) {
    begin("metadata", ids_.next(), date);
    field("WARC-Target-URI", fetch.url);
    field("WARC-Concurrent-To", id);
    if (options_.block_digests) block_digest(fetch.metadata);
    BB_TRY_VOID(finish(to, "application/warc-fields", fetch.metadata));
  }
  return range;
}

namespace {

bool no_longer_holds(std::string_view name, bool decoded) {
  if (equals_ignoring_case(name, "transfer-encoding")) return true;
  return decoded &&
         (equals_ignoring_case(name, "content-encoding") || equals_ignoring_case(name, "content-length"));
}

}  // namespace

void append_stored_head(std::string& out, std::string_view head, std::size_t body_size, bool decoded) {
  bool renamed = false;
  bool has_length = false;
  while (!head.empty()) {
    const std::size_t end = head.find('\n');
    const std::string_view line = head.substr(0, end == std::string_view::npos ? head.size() : end + 1);
    head.remove_prefix(line.size());
    if (line == "\r\n" || line == "\n") break;
    const std::string_view name = line.substr(0, line.find(':'));
    if (name.size() < line.size() && no_longer_holds(name, decoded)) {
      out.append("X-Archive-Orig-");
      renamed = true;
    } else if (equals_ignoring_case(name, "content-length")) {
      has_length = true;
    }
    out.append(line);
    if (!line.ends_with('\n')) out.append("\r\n");
  }
  if (renamed && !has_length) append_warc_field(out, "Content-Length", std::to_string(body_size));
  out.append("\r\n");
}

}  // namespace bowerbird
