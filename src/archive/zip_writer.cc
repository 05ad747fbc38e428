#include "archive/zip_writer.h"

#include <libdeflate.h>

#include <algorithm>
#include <chrono>

#include "base/check.h"

namespace bowerbird {

namespace {

constexpr std::uint16_t kZip64Version = 45;
constexpr std::uint16_t kUtf8Names = 1 << 11;
constexpr std::uint16_t kZip64Field = 0x0001;

// Little-endian.
template <typename Number>
void put(std::string& out, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) out.push_back(static_cast<char>(number >> 8 * i & 0xff));
}

template <typename... Numbers>
void put_all(std::string& out, Numbers... numbers) {
  (put(out, numbers), ...);
}

// The date in the upper half, with a resolution of two seconds.
std::uint32_t dos_time(std::int64_t time_us) {
  using namespace std::chrono;
  const sys_seconds time{seconds(time_us / 1'000'000)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  const auto year = std::clamp(static_cast<int>(date.year()), 1980, 2107);
  return static_cast<std::uint32_t>(year - 1980) << 25 | static_cast<unsigned>(date.month()) << 21 |
         static_cast<unsigned>(date.day()) << 16 | static_cast<std::uint32_t>(clock.hours().count()) << 11 |
         static_cast<std::uint32_t>(clock.minutes().count()) << 5 |
         static_cast<std::uint32_t>(clock.seconds().count()) / 2;
}

constexpr std::uint32_t kIn64 = 0xffffffff;  // "see the ZIP64 field"

}  // namespace

ZipWriter::ZipWriter(std::unique_ptr<OutputFile> file, std::int64_t time_us)
    : file_(std::move(file)), dos_time_(dos_time(time_us)) {}

Result<std::unique_ptr<ZipWriter>> ZipWriter::create(const std::string& path, std::int64_t time_us) {
  BB_TRY(auto file, OutputFile::create(path));
  return std::unique_ptr<ZipWriter>(new ZipWriter(std::move(file), time_us));
}

std::string ZipWriter::local_header() const {
  std::string out = "PK\x03\x04";
  put_all(out, kZip64Version, kUtf8Names, std::uint16_t{0}, dos_time_, crc_, kIn64, kIn64,
          static_cast<std::uint16_t>(name_.size()), std::uint16_t{20});
  out.append(name_);
  put_all(out, kZip64Field, std::uint16_t{16}, size_, size_);
  return out;
}

Status ZipWriter::begin(const std::string& name) {
  CHECK(digest_ == nullptr && name.size() <= 0xffff);
  name_ = name;
  offset_ = file_->size();
  size_ = 0;
  crc_ = 0;
  digest_ = std::make_unique<Sha256>();
  return file_->write(local_header());
}

Status ZipWriter::write(std::string_view bytes) {
  crc_ = libdeflate_crc32(crc_, bytes.data(), bytes.size());
  digest_->add(bytes);
  size_ += bytes.size();
  return file_->write(bytes);
}

Status ZipWriter::end() {
  BB_TRY_VOID(file_->rewrite(offset_, local_header()));
  entries_.push_back({name_, size_, digest_->finish()});
  written_.push_back({offset_, crc_});
  digest_.reset();
  return {};
}

Status ZipWriter::add(const std::string& name, std::string_view bytes) {
  BB_TRY_VOID(begin(name));
  BB_TRY_VOID(write(bytes));
  return end();
}

std::string ZipWriter::directory_entry(std::size_t i) const {
  const Entry& entry = entries_[i];
  std::string out = "PK\x01\x02";
  constexpr std::uint16_t kMadeByUnix = 3 << 8 | kZip64Version;
  constexpr std::uint32_t kRegularFile = 0100644u << 16;
  put_all(out, kMadeByUnix, kZip64Version, kUtf8Names, std::uint16_t{0}, dos_time_, written_[i].crc, kIn64,
          kIn64, static_cast<std::uint16_t>(entry.name.size()), std::uint16_t{28}, std::uint16_t{0},
          std::uint16_t{0}, std::uint16_t{0}, kRegularFile, kIn64);
  out.append(entry.name);
  put_all(out, kZip64Field, std::uint16_t{24}, entry.size, entry.size, written_[i].offset);
  return out;
}

Status ZipWriter::finish() {
  const std::uint64_t begin = file_->size();
  const std::uint64_t count = entries_.size();
  for (std::size_t i = 0; i < count; ++i) BB_TRY_VOID(file_->write(directory_entry(i)));
  const std::uint64_t end = file_->size();
  std::string out = "PK\x06\x06";
  put_all(out, std::uint64_t{44}, kZip64Version, kZip64Version, std::uint32_t{0}, std::uint32_t{0}, count,
          count, end - begin, begin);
  out.append("PK\x06\x07");
  put_all(out, std::uint32_t{0}, end, std::uint32_t{1});
  out.append("PK\x05\x06");
  put_all(out, std::uint16_t{0}, std::uint16_t{0}, std::uint16_t{0xffff}, std::uint16_t{0xffff}, kIn64, kIn64,
          std::uint16_t{0});
  BB_TRY_VOID(file_->write(out));
  return file_->finish();
}

}  // namespace bowerbird
