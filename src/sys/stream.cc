#include "sys/stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bowerbird {

namespace {

// Many readers want one record of a large file: a buffer begins small.
constexpr std::size_t kFirstBuffer = 1 << 15;
constexpr std::size_t kLargestBuffer = 1 << 18;

bool is_gzip(std::string_view head) {
  return head.substr(0, 2) == "\x1f\x8b";
}

// A frame, or a skippable frame, which parallel compressors write before the first.
bool is_zstd(std::string_view head) {
  if (head.size() < 4) return false;
  return head.substr(0, 4) == "\x28\xb5\x2f\xfd" ||
         ((static_cast<unsigned char>(head[0]) & 0xf0u) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18");
}

}  // namespace

Compression compression_by_name(std::string_view path) {
  if (path.ends_with(".gz")) return Compression::kGzip;
  if (path.ends_with(".zst")) return Compression::kZstd;
  return Compression::kNone;
}

std::string_view without_compression(std::string_view path) {
  switch (compression_by_name(path)) {
    case Compression::kGzip:
      return path.substr(0, path.size() - 3);
    case Compression::kZstd:
      return path.substr(0, path.size() - 4);
    case Compression::kNone:
      break;
  }
  return path;
}

// The stored file: a window of bytes that were read and not yet consumed.
class InputStream::Raw {
 public:
  Raw(std::string name, int fd, std::uint64_t size, std::uint64_t offset = 0)
      : name_(std::move(name)), fd_(fd), size_(size), taken_(offset) {}
  Raw(std::string name, std::string_view bytes)
      : name_(std::move(name)), size_(bytes.size()), end_(true), window_(bytes) {}
  ~Raw() {
    if (fd_ > STDIN_FILENO) ::close(fd_);
  }
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  // Extends the window to at least `least` bytes, if there are that many.
  Status fill(std::size_t least = 1) {
    while (window_.size() < least && !end_) {
      make_room();
      const ssize_t n = ::read(fd_, buffer_.get() + window_.size(), capacity_ - window_.size());
      if (n < 0 && errno == EINTR) return error("{}: reading was interrupted at byte {}", name_, taken_);
      if (n < 0) return error("{}: cannot read at byte {}: {}", name_, taken_, std::strerror(errno));
      end_ = n == 0;
      window_ = {buffer_.get(), window_.size() + static_cast<std::size_t>(n)};
      filled_ = window_.size() == capacity_;
    }
    return {};
  }
  std::string_view window() const { return window_; }
  void take(std::size_t n) {
    window_.remove_prefix(n);
    taken_ += n;
  }
  const std::string& name() const { return name_; }
  std::uint64_t taken() const { return taken_; }
  std::uint64_t size() const { return size_; }

 private:
  // Moves the window to the front of the buffer, which doubles after it was filled.
  void make_room() {
    if (capacity_ == 0 || (filled_ && capacity_ < kLargestBuffer)) {
      capacity_ = capacity_ == 0 ? kFirstBuffer : 2 * capacity_;
      auto larger = std::make_unique_for_overwrite<char[]>(capacity_);
      if (!window_.empty()) std::memcpy(larger.get(), window_.data(), window_.size());
      buffer_ = std::move(larger);
    } else if (!window_.empty() && window_.data() != buffer_.get()) {
      std::memmove(buffer_.get(), window_.data(), window_.size());
    }
    filled_ = false;
  }

  std::string name_;
  int fd_ = -1;
  std::uint64_t size_;
  bool end_ = false;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  bool filled_ = false;  // by the last read
  std::uint64_t taken_ = 0;
  std::string_view window_;
};

class InputStream::Decoder {
 public:
  virtual ~Decoder() = default;
  virtual Result<std::size_t> read(Raw& raw, char* to, std::size_t size) = 0;
  std::uint64_t member_begin() const { return member_begin_; }

 protected:
  std::uint64_t member_begin_ = 0;
};

class InputStream::PlainDecoder final : public Decoder {
 public:
  Result<std::size_t> read(Raw& raw, char* to, std::size_t size) override {
    BB_TRY_VOID(raw.fill());
    const std::size_t n = std::min(size, raw.window().size());
    member_begin_ = raw.taken();
    if (n > 0) std::memcpy(to, raw.window().data(), n);
    raw.take(n);
    return n;
  }
};

class InputStream::GzipDecoder final : public Decoder {
 public:
  GzipDecoder() {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    CHECK(inflateInit2(&z_, kGzipOnly) == Z_OK);
  }
  ~GzipDecoder() override { inflateEnd(&z_); }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;

  Result<std::size_t> read(Raw& raw, char* to, std::size_t size) override {
    size = std::min<std::size_t>(size, 1u << 30);
    for (;;) {
      BB_TRY_VOID(raw.fill());
      if (!started_) member_begin_ = raw.taken();
      started_ = true;
      if (between_members_) {
        BB_TRY(const bool more, next_member(raw));
        if (!more) return std::size_t{0};
        continue;
      }
      const std::string_view window = raw.window();
      z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(window.data()));
      z_.avail_in = static_cast<uInt>(std::min<std::size_t>(window.size(), 1u << 30));
      const uInt given = z_.avail_in;
      z_.next_out = reinterpret_cast<Bytef*>(to);
      z_.avail_out = static_cast<uInt>(size);
      const int code = inflate(&z_, Z_NO_FLUSH);
      raw.take(given - z_.avail_in);
      const std::size_t made = size - z_.avail_out;
      if (code == Z_STREAM_END) {
        between_members_ = true;
      } else if (code != Z_OK && code != Z_BUF_ERROR) {
        return error("{}: the gzip data is damaged near byte {} ({})", raw.name(), raw.taken(),
                     z_.msg != nullptr ? z_.msg : "no details");
      } else if (given == 0 && made == 0) {
        return error("{}: the gzip data ends at byte {}: the file is not complete", raw.name(), raw.taken());
      }
      if (made > 0) return made;
    }
  }

 private:
  // At the end of a member: prepares for the next one; false at the end of the file.
  Result<bool> next_member(Raw& raw) {
    while (!raw.window().empty() && raw.window().front() == '\0') {
      padded_ = true;
      raw.take(1);
      BB_TRY_VOID(raw.fill());
    }
    if (raw.window().empty()) return false;
    BB_TRY_VOID(raw.fill(2));
    if (padded_ || !is_gzip(raw.window())) {
      return error("{}: unexpected data after the gzip data at byte {}", raw.name(), raw.taken());
    }
    CHECK(inflateReset(&z_) == Z_OK);
    member_begin_ = raw.taken();
    between_members_ = false;
    return true;
  }

  z_stream z_{};
  bool started_ = false;
  bool between_members_ = false;
  bool padded_ = false;
};

class InputStream::ZstdDecoder final : public Decoder {
 public:
  ZstdDecoder() : z_(ZSTD_createDCtx()) { CHECK(z_ != nullptr); }
  ~ZstdDecoder() override { ZSTD_freeDCtx(z_); }
  ZstdDecoder(const ZstdDecoder&) = delete;
  ZstdDecoder& operator=(const ZstdDecoder&) = delete;

  Result<std::size_t> read(Raw& raw, char* to, std::size_t size) override {
    for (;;) {
      BB_TRY_VOID(raw.fill());
      const bool at_end = raw.window().empty();
      if (at_end && frame_done_) return std::size_t{0};
      if (frame_done_) member_begin_ = raw.taken();
      ZSTD_inBuffer in{raw.window().data(), raw.window().size(), 0};
      ZSTD_outBuffer out{to, size, 0};
      const std::size_t code = ZSTD_decompressStream(z_, &out, &in);
      raw.take(in.pos);
      if (ZSTD_isError(code) != 0) {
        return error("{}: the zstd data is damaged near byte {} ({})", raw.name(), raw.taken(),
                     ZSTD_getErrorName(code));
      }
      frame_done_ = code == 0;
      if (out.pos > 0) return out.pos;
      if (at_end && !frame_done_) {
        return error("{}: the zstd data ends at byte {}: the file is not complete", raw.name(), raw.taken());
      }
    }
  }

 private:
  ZSTD_DCtx* z_;
  bool frame_done_ = true;
};

InputStream::InputStream(std::unique_ptr<Raw> raw) : raw_(std::move(raw)) {}

InputStream::~InputStream() = default;

Result<std::unique_ptr<InputStream>> InputStream::open(const std::string& path, std::uint64_t offset) {
  if (path == "-") {
    if (offset > 0) return error("standard input can only be read from its beginning");
    return std::unique_ptr<InputStream>(
        new InputStream(std::make_unique<Raw>("standard input", STDIN_FILENO, 0)));
  }
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return error("{}: cannot open: {}", path, std::strerror(errno));
  struct stat info {};
  const bool known = ::fstat(fd, &info) == 0;
  if (known && S_ISDIR(info.st_mode)) {
    ::close(fd);
    return error("{}: is a folder, not a file", path);
  }
  const std::uint64_t size = known && S_ISREG(info.st_mode) ? static_cast<std::uint64_t>(info.st_size) : 0;
  if (offset > 0 && ::lseek(fd, static_cast<off_t>(offset), SEEK_SET) < 0) {
    Error e = error("{}: cannot go to byte {}: {}", path, offset, std::strerror(errno));
    ::close(fd);
    return e;
  }
  return std::unique_ptr<InputStream>(new InputStream(std::make_unique<Raw>(path, fd, size, offset)));
}

std::unique_ptr<InputStream> InputStream::from_memory(std::string_view bytes, std::string name) {
  return std::unique_ptr<InputStream>(new InputStream(std::make_unique<Raw>(std::move(name), bytes)));
}

Status InputStream::choose_decoder() {
  BB_TRY_VOID(raw_->fill(4));
  if (is_gzip(raw_->window())) {
    compression_ = Compression::kGzip;
    decoder_ = std::make_unique<GzipDecoder>();
  } else if (is_zstd(raw_->window())) {
    compression_ = Compression::kZstd;
    decoder_ = std::make_unique<ZstdDecoder>();
  } else {
    decoder_ = std::make_unique<PlainDecoder>();
  }
  return {};
}

Result<std::size_t> InputStream::decode(char* to, std::size_t size) {
  if (!decoder_) BB_TRY_VOID(choose_decoder());
  return decoder_->read(*raw_, to, size);
}

Result<std::size_t> InputStream::read(char* to, std::size_t size) {
  CHECK(size > 0);
  if (ahead_.empty()) return decode(to, size);
  const std::size_t n = std::min(size, ahead_.size());
  std::memcpy(to, ahead_.data(), n);
  ahead_.erase(0, n);
  return n;
}

Result<std::string_view> InputStream::peek(std::size_t size) {
  while (ahead_.size() < size) {
    const std::size_t had = ahead_.size();
    ahead_.resize(size);
    auto got = decode(ahead_.data() + had, size - had);
    ahead_.resize(had + (got.ok() ? *got : 0));
    if (!got.ok()) return got.error();
    if (*got == 0) break;
  }
  return std::string_view(ahead_).substr(0, size);
}

const std::string& InputStream::name() const {
  return raw_->name();
}
std::uint64_t InputStream::position() const {
  return raw_->taken();
}
std::uint64_t InputStream::member_begin() const {
  return decoder_ ? decoder_->member_begin() : 0;
}
std::uint64_t InputStream::stored_size() const {
  return raw_->size();
}

}  // namespace bowerbird
