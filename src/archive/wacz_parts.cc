#include "archive/wacz_parts.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "archive/warc_records.h"

namespace bowerbird {

namespace {

class PartPlanner {
 public:
  PartPlanner(CaptureSource& source, const PartOptions& options) : source_(source), options_(options) {
    plan_.parts.emplace_back();
  }

  Status visit(const Capture& capture) {
    while (file_ < capture.file) BB_TRY_VOID(next_file());
    if (options_.split_bytes > 0) BB_TRY_VOID(split_before(capture.offset));
    if (options_.respect_noarchive && capture.noarchive) {
      BB_TRY(const std::uint64_t end, end_of(capture));
      BB_TRY_VOID(add(begin_, capture.offset));
      begin_ = end;
      ++plan_.left_out;
    }
    return {};
  }

  Result<WaczPlan> finish() {
    while (file_ < source_.files().size()) BB_TRY_VOID(next_file());
    return std::move(plan_);
  }

 private:
  const CaptureFile& file() const { return source_.files()[file_]; }

  Status next_file() {
    BB_TRY_VOID(add(begin_, file().bytes));
    ++file_;
    begin_ = 0;
    info_end_.reset();
    return {};
  }

  Status split_before(std::uint64_t offset) {
    if (used_ + (offset - begin_) < options_.split_bytes || used_ + (offset - begin_) == 0) return {};
    BB_TRY(const std::uint64_t info, info_end());
    const bool only_info = begin_ == 0 && offset <= info;
    if (only_info && used_ == 0) return {};
    if (!only_info) {
      BB_TRY_VOID(add(begin_, offset));
      begin_ = offset;
    }
    plan_.parts.emplace_back();
    used_ = 0;
    return {};
  }

  Status add(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return {};
    std::vector<PartFile>& files = plan_.parts.back().files;
    if (files.empty() || files.back().file != file_) {
      files.push_back({file_, {}});
      BB_TRY(const std::uint64_t info, begin == 0 ? Result<std::uint64_t>(std::uint64_t{0}) : info_end());
      if (info > 0) files.back().add(0, info);
    }
    files.back().add(begin, end);
    used_ += end - begin;
    return {};
  }

  // The end of the warcinfo record at the start of the file; 0: none.
  Result<std::uint64_t> info_end() {
    if (info_end_) return *info_end_;
    BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file().path));
    BB_TRY(const bool first, reader->next());
    if (!first || reader->head().type() != "warcinfo") {
      info_end_ = 0;
    } else {
      BB_TRY(const bool second, reader->next());
      info_end_ = second ? std::min(reader->offset(), file().bytes) : file().bytes;
    }
    return *info_end_;
  }

  // The end of the capture, including its request and metadata records.
  Result<std::uint64_t> end_of(const Capture& capture) const {
    BB_TRY(const std::unique_ptr<WarcReader> reader, WarcReader::open(file().path, capture.offset));
    const std::uint64_t own_end = std::min(capture.offset + capture.length, file().bytes);
    for (bool first = true;; first = false) {
      const auto more = reader->next();
      // After the last commit of a running crawl there may be anything.
      if (!more.ok()) return own_end;
      if (!*more || reader->offset() >= file().bytes) return file().bytes;
      const std::string_view type = reader->head().type();
      const bool about = type == "request" || type == "metadata";
      if (!first && (!about || record_url(reader->head()) != capture.url)) return reader->offset();
    }
  }

  CaptureSource& source_;
  const PartOptions& options_;
  WaczPlan plan_;
  std::size_t file_ = 0;
  std::uint64_t begin_ = 0;  // of the open range
  std::uint64_t used_ = 0;   // bytes of the last part
  std::optional<std::uint64_t> info_end_;
};

}  // namespace

std::optional<std::uint64_t> PartFile::position(std::uint64_t offset) const {
  const auto after = std::ranges::upper_bound(ranges, offset, {}, &ByteRange::begin);
  if (after == ranges.begin()) return std::nullopt;
  const ByteRange& range = *std::prev(after);
  if (offset >= range.end) return std::nullopt;
  return range.before + (offset - range.begin);
}

const PartFile* WaczPart::find(std::size_t file) const {
  const auto found = std::ranges::lower_bound(files, file, {}, &PartFile::file);
  return found != files.end() && found->file == file ? &*found : nullptr;
}

bool WaczPart::holds(const Capture& capture) const {
  const PartFile* const found = find(capture.file);
  return found != nullptr && found->holds(capture.offset);
}

Result<WaczPlan> plan_parts(CaptureSource& source, const PartOptions& options, const Progress& progress) {
  PartPlanner planner(source, options);
  if (options.split_bytes > 0 || options.respect_noarchive) {
    const auto take = [&](const Capture& capture) { return planner.visit(capture); };
    BB_TRY_VOID(source.for_each(take, progress));
  }
  return planner.finish();
}

}  // namespace bowerbird
