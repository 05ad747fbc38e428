#include "parse/sitemap.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "base/ascii.h"
#include "parse/charset.h"
#include "parse/sitemap_xml.h"
#include "parse/xml_text.h"

namespace bowerbird {

namespace {

// The maximum length of an XML declaration.
constexpr std::size_t kHead = 1024;

}  // namespace

// Decompresses gzip, any number of members, a buffer at a time.
class SitemapParser::Gunzip {
 public:
  Gunzip() {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Gunzip() { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  enum class Step { kMore, kStopped, kDamaged };

  // Passes the output to `take` until it returns false.
  template <typename Take>
  Step push(std::string_view bytes, Take take) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      if (ended_) {
        if (stream_.avail_in == 0 || rubbish_ || !next_member()) return Step::kMore;
      }
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      ended_ = code == Z_STREAM_END;
      const std::size_t size = buffer_.size() - stream_.avail_out;
      if (size > 0 && !take(std::string_view(buffer_.data(), size))) return Step::kStopped;
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return Step::kDamaged;
      if (code == Z_BUF_ERROR && size == 0) break;
    } while (stream_.avail_in > 0 || stream_.avail_out == 0);
    return Step::kMore;
  }
  bool complete() const { return ended_; }

 private:
  // Bytes after a member that do not begin another are ignored, like gzip itself does.
  bool next_member() {
    rubbish_ = *stream_.next_in != 0x1f;
    if (rubbish_) return false;
    ended_ = false;
    return inflateReset(&stream_) == Z_OK;
  }

  z_stream stream_{};
  bool ended_ = false;    // between members
  bool rubbish_ = false;  // after the last one
  std::array<char, 1 << 15> buffer_;
};

SitemapParser::SitemapParser(Sink sink, const SitemapOptions& options)
    : state_(std::make_unique<State>(State{std::move(sink), options, {}})) {}

SitemapParser::~SitemapParser() = default;

bool SitemapParser::push(std::string_view bytes) {
  // zlib counts in 32 bits.
  constexpr std::size_t kMost = std::size_t{1} << 30;
  while (bytes.size() > kMost) {
    if (!push(bytes.substr(0, kMost))) return false;
    bytes.remove_prefix(kMost);
  }
  if (state_->stopped()) return false;
  if (!compression_known_) {
    raw_head_.append(bytes);
    if (raw_head_.size() < 2) return true;
    compression_known_ = true;
    if (raw_head_.starts_with("\x1f\x8b")) gunzip_ = std::make_unique<Gunzip>();
    const std::string head = std::exchange(raw_head_, {});
    return push(head);
  }
  if (gunzip_ == nullptr) return unpacked(bytes);
  const auto step = gunzip_->push(bytes, [this](std::string_view piece) { return unpacked(piece); });
  if (step == Gunzip::Step::kDamaged) {
    if (!state_->stopped() && !decoder_) begin();
    stop(SitemapProblem::kGzip);
  }
  return !state_->stopped();
}

SitemapOutcome SitemapParser::finish() {
  if (!compression_known_ && !state_->stopped()) unpacked(raw_head_);
  if (!state_->stopped() && !decoder_) begin();
  if (gunzip_ != nullptr && !gunzip_->complete()) stop(SitemapProblem::kGzip);
  if (!state_->stopped()) content({}, /*last=*/true);
  const bool nothing = state_->outcome.kind == SitemapKind::kText && state_->outcome.entries == 0;
  if (nothing || state_->outcome.kind == SitemapKind::kUnknown) state_->stop(SitemapProblem::kNotASitemap);
  return state_->outcome;
}

// What was read so far counts.
void SitemapParser::stop(SitemapProblem problem) {
  if (xml_ != nullptr && !state_->stopped()) xml_->take_cut_entry();
  state_->stop(problem);
}

bool SitemapParser::unpacked(std::string_view bytes) {
  SitemapOutcome& outcome = state_->outcome;
  const std::uint64_t room = state_->options.max_bytes - outcome.bytes;
  const bool too_large = bytes.size() > room;
  bytes = bytes.substr(0, room);
  outcome.bytes += bytes.size();
  if (decoder_) {
    content(bytes, /*last=*/false);
  } else {
    head_.append(bytes);
    if (head_.size() >= kHead || too_large) begin();
  }
  if (too_large) stop(SitemapProblem::kTooLarge);
  return !state_->stopped();
}

// XML may come after blanks, which XML itself does not allow.
bool SitemapParser::begin() {
  std::string bytes = std::move(head_);
  bytes.erase(0, std::min(bytes.find_first_not_of(kAsciiSpaces), bytes.size()));
  const CharsetChoice choice = choose_xml_charset(bytes, state_->options.charset);
  decoder_.emplace(choice.encoding);
  return content(std::string_view(bytes).substr(choice.mark), /*last=*/false);
}

bool SitemapParser::content(std::string_view bytes, bool last) {
  utf8_.clear();
  decoder_->decode(bytes, utf8_, last);
  std::string_view text = utf8_;
  if (xml_ == nullptr && state_->outcome.kind != SitemapKind::kText) {
    text.remove_prefix(std::min(text.find_first_not_of(kAsciiSpaces), text.size()));
    if (text.empty()) return true;
    // XML begins with '<'.
    if (text[0] == '<') {
      xml_ = std::make_unique<Xml>(*state_);
    } else {
      state_->outcome.kind = SitemapKind::kText;
    }
  }
  if (xml_ != nullptr) return xml_->push(text, last);
  text_lines(text);
  if (last && !state_->stopped()) text_line(line_);
  return !state_->stopped();
}

void SitemapParser::text_lines(std::string_view text) {
  while (!text.empty() && !state_->stopped()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    // One byte more than allowed is enough to detect that it is too long.
    const std::size_t most = state_->options.max_text + 1;
    line_.append(text.substr(0, std::min(end, most - std::min(most, line_.size()))));
    if (end < text.size()) {
      text_line(line_);
      line_.clear();
    }
    text.remove_prefix(std::min(text.size(), end + 1));
  }
}

void SitemapParser::text_line(std::string_view line) {
  const bool too_long = line.size() > state_->options.max_text;
  line = without_blank_ends(line);
  if (line.empty()) return;
  if (too_long || (!starts_ignoring_case(line, "http://") && !starts_ignoring_case(line, "https://"))) {
    ++state_->outcome.unreadable;
    return;
  }
  SitemapEntry entry;
  entry.url = line;
  state_->emit(entry);
}

}  // namespace bowerbird
