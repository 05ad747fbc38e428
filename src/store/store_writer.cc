#include "store/store_writer.h"

#include <sys/random.h>

#include <array>
#include <chrono>

#include "base/check.h"
#include "base/json_text.h"
#include "base/varint.h"
#include "parse/sha1_pairs.h"
#include "store/archive_files.h"
#include "store/crawl_reader.h"
#include "store/links.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

RecordIds random_ids() {
  std::uint64_t seeds[2];
  CHECK(::getrandom(seeds, sizeof seeds, 0) == sizeof seeds);
  return {seeds[0], seeds[1]};
}

std::string_view extension(WarcCompression compression) {
  switch (compression) {
    case Compression::kNone:
      return ".warc";
    case Compression::kGzip:
      return ".warc.gz";
    case Compression::kZstd:
      return ".warc.zst";
  }
  return "";
}

}  // namespace

std::size_t job_bytes(const StoreJob& job) {
  struct Visitor {
    std::size_t operator()(const BlockJob& job) const { return job.block.raw.size(); }
    std::size_t operator()(const EventsJob& job) const { return job.events.size(); }
    std::size_t operator()(const StoredFetch& job) const { return job.bytes(); }
    std::size_t operator()(const StoredRecord& job) const { return job.url.size() + job.block.size(); }
    std::size_t operator()(const LogJob& job) const { return job.line.size(); }
    std::size_t operator()(const CommitJob& job) const { return job.state.size(); }
    std::size_t operator()(const FenceJob& /*job*/) const { return 0; }
  };
  return std::visit(Visitor(), job) + sizeof(StoreJob);
}

class StoreWriter::OpenWarc final : public WarcSink {
 public:
  OpenWarc(std::string name, GroupFile& file) : name_(std::move(name)), file_(file) {}
  Status write(std::string_view packed) override { return file_.append(packed); }
  std::uint64_t bytes() const override { return file_.bytes(); }
  const std::string& name() const { return name_; }  // "warc/x.warc.gz"
  std::string file_name() const { return name_.substr(name_.rfind('/') + 1); }

 private:
  std::string name_;
  GroupFile& file_;
};

StoreWriter::StoreWriter(std::unique_ptr<CommitGroup> group, std::string folder, const StoreOptions& options)
    : group_(std::move(group)),
      folder_(std::move(folder)),
      options_(options),
      warcs_({options.compression, options.level, options.warcinfo, options.block_digests}, random_ids()) {}

StoreWriter::~StoreWriter() = default;

Result<std::unique_ptr<StoreWriter>> StoreWriter::make(std::unique_ptr<CommitGroup> group,
                                                       const std::string& folder,
                                                       const StoreOptions& options) {
  auto writer = std::unique_ptr<StoreWriter>(new StoreWriter(std::move(group), folder, options));
  BB_TRY_VOID(writer->resume());
  return writer;
}

std::string StoreWriter::state() const {
  return StoredCounts{counts_.warc_files, counts_.fetches, counts_.revisits, counts_.body_bytes,
                      counts_.warc_bytes}
      .text();
}

Status StoreWriter::resume() {
  known_ = KnownPayloads(options_.payload_bytes);
  const CommitRecord& commit = group_->last_commit();
  counts_.commits = commit.number;
  const StoredCounts stored = stored_counts(commit.store_state);
  if (!stored.ok) return error("{}: the last commit is corrupt", folder_);
  counts_.warc_files = stored.warc_files;
  counts_.fetches = stored.fetches;
  counts_.revisits = stored.revisits;
  counts_.body_bytes = stored.body_bytes;
  counts_.warc_bytes = stored.warc_bytes;
  fetches_.first = group_->file(crawl_files::kFetches).records;
  note_urls();
  for (const std::string& name : group_->open_files()) {
    // A file with another compression is sealed as it is.
    if (name.ends_with(extension(options_.compression)) && !warc_) {
      warc_ = std::make_unique<OpenWarc>(name, group_->file(name));
    } else {
      BB_TRY_VOID(group_->seal(name));
    }
  }
  if (!options_.revisits) return {};
  if (!options_.others.empty()) {
    BB_TRY(others_, OtherPayloads::open(*options_.disk, options_.others, folder_ + "/" + crawl_files::kOthers,
                                        options_.sort_bytes));
  }
  BB_TRY(const std::unique_ptr<CrawlReader> reader, CrawlReader::open(folder_, *options_.disk));
  return reader->for_each_fetch([&](const FetchEntry& entry) -> Status {
    if (!entry.revisit && entry.truncated == Truncated::kNo)
      known_.add(entry.digest, {entry.page, entry.time_us, entry.derived_id});
    return {};
  });
}

// Tells the crawl's thread how much of urls.log it can read: what was committed.
void StoreWriter::note_urls() {
  const GroupFile& file = group_->file(crawl_files::kUrls);
  counts_.urls_written = file.records;
  counts_.urls_bytes = file.bytes();
  counts_.payload_memory = known_.bytes();
}

Status StoreWriter::run(StoreJob& job) {
  return std::visit([this](auto& one) { return run(one); }, job);
}

void StoreWriter::find_digests(std::span<StoreJob> jobs) {
  // Bodies that are hashed together; few, so that they are still in the CPU cache when they are written.
  constexpr std::size_t kTogether = 8;
  std::array<StoredFetch*, kTogether> fetches;
  std::array<std::string_view, kTogether> bodies;
  std::array<Sha1, kTogether> digests;
  std::size_t count = 0;
  for (StoreJob& job : jobs) {
    auto* const fetch = std::get_if<StoredFetch>(&job);
    if (fetch == nullptr) continue;
    if (fetch->digest || count == kTogether) break;
    fetches[count] = fetch;
    bodies[count++] = fetch->body;
  }
  sha1_of_all(std::span(bodies).first(count), std::span(digests).first(count));
  for (std::size_t i = 0; i < count; ++i) fetches[i]->digest = digests[i];
}

Status StoreWriter::run(BlockJob& job) {
  GroupFile& file = group_->file(job.file);
  encoded_.clear();
  encoder_.encode(job.block, encoded_);
  file.records += job.block.records;
  return file.append(encoded_);
}

// Ensures that the open WARC file has room.
Status StoreWriter::want_warc(std::int64_t time_us) {
  if (warc_ && warc_->bytes() >= options_.warc_bytes) {
    BB_TRY_VOID(group_->seal(warc_->name()));
    warc_.reset();
  }
  if (warc_) return {};
  const std::string name =
      fmt::format("{}/{}{}-{:05}{}", kArchiveFolder, kArchivePrefix, timestamp14(time_us), counts_.warc_files,
                  extension(options_.compression));
  BB_TRY(GroupFile* const file, group_->begin_file(name));
  warc_ = std::make_unique<OpenWarc>(name, *file);
  ++counts_.warc_files;
  BB_TRY_VOID(warcs_.write_info(*warc_, warc_->file_name(), time_us));
  counts_.warc_bytes += warc_->bytes();
  return {};
}

// From urls.log: the crawl passed the block with the URL before the first fetch of the page.
Result<std::string> StoreWriter::url_of(PageId page) {
  GroupFile& file = group_->file(crawl_files::kUrls);
  BB_TRY(std::shared_ptr<const DiskFile> bytes, file.readable());
  if (!urls_) {
    urls_ = std::make_unique<BlockReader>(std::move(bytes), folder_ + "/" + crawl_files::kUrls, file.bytes());
  }
  urls_->extend(file.bytes());
  BB_TRY(const Block* block, urls_->find(page));
  if (block == nullptr) return std::string();
  return std::string(url_in_block(*block, page).value_or(""));
}

// The earlier fetch with the same payload, here or in another archive.
Result<std::optional<Original>> StoreWriter::original_of(const StoredFetch& fetch, const Sha1& digest) {
  if (fetch.not_modified) {
    const NotModified& first = *fetch.not_modified;
    return std::optional<Original>(
        Original{first.url, first.time_us, response_id(first.url, first.time_us, first.digest)});
  }
  if (!options_.revisits || fetch.body.empty() || fetch.truncated != Truncated::kNo)
    return std::optional<Original>();
  const auto known = known_.find(digest);
  if (!known) return others_ ? others_->find(digest) : std::optional<Original>();
  BB_TRY(std::string url, url_of(known->page));
  if (url.empty()) return std::optional<Original>();
  std::string id = known->derived_id ? response_id(url, known->time_us, digest) : std::string();
  return std::optional<Original>(Original{std::move(url), known->time_us, std::move(id)});
}

Status StoreWriter::run(StoredRecord& record) {
  BB_TRY_VOID(want_warc(record.time_us));
  const std::uint64_t before = warc_->bytes();
  BB_TRY_VOID(warcs_.write_record(*warc_, record));
  counts_.warc_bytes += warc_->bytes() - before;
  return {};
}

void StoreWriter::count(const StoredFetch& fetch, const Sha1& digest, bool revisit) {
  if (fetch.page == kNoPage) return;
  ++counts_.fetches;
  counts_.revisits += revisit ? 1 : 0;
  counts_.body_bytes += fetch.body.size();
  if (options_.revisits && !revisit && fetch.truncated == Truncated::kNo)
    known_.add(digest, {fetch.page, fetch.time_us, true});
}

Status StoreWriter::run(StoredFetch& fetch) {
  BB_TRY_VOID(want_warc(fetch.time_us));
  Sha1 digest = fetch.digest ? *fetch.digest : sha1(fetch.body);
  if (fetch.not_modified) digest = fetch.not_modified->digest;
  BB_TRY(const std::optional<Original> original, original_of(fetch, digest));
  const std::uint64_t before = warc_->bytes();
  BB_TRY(const RecordRange range, warcs_.write_fetch(*warc_, fetch, digest, original ? &*original : nullptr));
  counts_.warc_bytes += warc_->bytes() - before;
  count(fetch, digest, original.has_value());

  FetchEntry record;
  record.page = fetch.page;
  record.time_us = fetch.time_us;
  record.status = fetch.status;
  record.revisit = original.has_value();
  record.truncated = fetch.truncated;
  record.noarchive = fetch.noarchive;
  record.requisite = fetch.requisite;
  record.derived_id = true;
  record.digest = digest;
  record.offset = range.offset;
  record.length = range.length;
  record.mime = fetch.mime;
  record.title = fetch.title;
  record.file = warc_->file_name();
  if (fetch.page == kNoPage) record.url = fetch.url;
  record.put(fetches_.raw);
  ++fetches_.records;
  if (fetches_.raw.size() >= kBlockBytes) BB_TRY_VOID(flush_fetches());
  return fetch.page == kNoPage ? Status{} : log_fetch(fetch, record);
}

Status StoreWriter::log_fetch(const StoredFetch& fetch, const FetchEntry& entry) {
  line_.assign("{\"time\":\"");
  line_.append(warc_date(fetch.time_us));
  line_.resize(line_.size() - 1);  // the Z follows the fraction
  fmt::format_to(std::back_inserter(line_),
                 ".{:03}Z\",\"status\":{},\"bytes\":{},\"mime\":", fetch.time_us / 1000 % 1000, fetch.status,
                 fetch.body.size());
  append_json_string(line_, fetch.mime);
  line_.append(",\"url\":");
  append_json_string(line_, fetch.url);
  line_.append(",\"digest\":\"sha1:").append(base32(entry.digest)).append("\",\"warc\":");
  append_json_string(line_, entry.file);
  fmt::format_to(std::back_inserter(line_), ",\"offset\":{}", entry.offset);
  if (entry.revisit) line_.append(",\"revisit\":true");
  if (entry.truncated != Truncated::kNo) {
    line_.append(",\"truncated\":\"").append(truncated_text(entry.truncated)).append("\"");
  }
  if (entry.noarchive) line_.append(",\"noarchive\":true");
  if (!fetch.log.empty()) line_.append(",").append(fetch.log);
  line_.append("}\n");
  return group_->file(crawl_files::kLog).append(line_);
}

Status StoreWriter::flush_fetches() {
  if (fetches_.records == 0) return {};
  BlockJob job{crawl_files::kFetches, std::move(fetches_)};
  fetches_ = Block();
  fetches_.first = job.block.first + job.block.records;
  return run(job);
}

Status StoreWriter::run(FenceJob& job) {
  group_->set_fence(std::move(job.may_commit));
  return {};
}

Status StoreWriter::run(CommitJob& job) {
  const std::int64_t begin = MonotonicClock().now_us();
  BB_TRY_VOID(flush_fetches());
  if (job.seal && warc_) {
    BB_TRY_VOID(group_->seal(warc_->name()));
    warc_.reset();
  }
  BB_TRY_VOID(group_->commit(state(), job.state, WallClock().now_us()));
  if (job.snapshot) BB_TRY_VOID(group_->publish_snapshot(*job.snapshot));
  counts_.commits = group_->last_commit().number;
  note_urls();
  counts_.commit_us = MonotonicClock().now_us() - begin;
  return {};
}

}  // namespace bowerbird
