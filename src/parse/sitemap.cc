#include "parse/sitemap.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "base/ascii.h"
#include "parse/sitemap_xml.h"

namespace bowerbird {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

// gzip, any number of members, a buffer at a time.
class SitemapParser::Gunzip {
 public:
  Gunzip() {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Gunzip() { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  enum class Step { kMore, kStopped, kDamaged };

  // Gives what comes out to `take` until it answers false.
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
  // Bytes after a member that begin no other are ignored, as gzip itself does.
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
  if (gunzip_ == nullptr) return decoded(bytes);
  const auto step = gunzip_->push(bytes, [this](std::string_view piece) { return decoded(piece); });
  if (step == Gunzip::Step::kDamaged) state_->stop(SitemapProblem::kGzip);
  return !state_->stopped();
}

SitemapOutcome SitemapParser::finish() {
  if (!compression_known_ && !state_->stopped()) {
    compression_known_ = true;
    decoded(raw_head_);
  }
  if (gunzip_ != nullptr && !gunzip_->complete()) state_->stop(SitemapProblem::kGzip);
  if (!state_->stopped() && !mark_passed_) pass_mark();
  if (!state_->stopped() && xml_ != nullptr) xml_->finish();
  if (!state_->stopped() && state_->outcome.kind == SitemapKind::kText) text_line(line_);
  const bool nothing = state_->outcome.kind == SitemapKind::kText && state_->outcome.entries == 0;
  if (nothing || state_->outcome.kind == SitemapKind::kUnknown) state_->stop(SitemapProblem::kNotASitemap);
  return state_->outcome;
}

bool SitemapParser::decoded(std::string_view bytes) {
  SitemapOutcome& outcome = state_->outcome;
  const std::uint64_t room = state_->options.max_bytes - outcome.bytes;
  const bool too_large = bytes.size() > room;
  bytes = bytes.substr(0, room);
  outcome.bytes += bytes.size();
  const bool more = content(bytes);
  if (too_large) state_->stop(SitemapProblem::kTooLarge);
  return more && !too_large;
}

bool SitemapParser::content(std::string_view bytes) {
  if (xml_ != nullptr) return xml_->push(bytes);
  if (state_->outcome.kind == SitemapKind::kText) return text_lines(bytes);
  if (mark_passed_) return begin(bytes);
  mark_.append(bytes);
  return mark_.size() < 3 || pass_mark();
}

bool SitemapParser::pass_mark() {
  mark_passed_ = true;
  const std::string head = std::move(mark_);
  std::string_view rest = head;
  if (rest.starts_with("\xff\xfe") || rest.starts_with("\xfe\xff")) {
    xml_ = std::make_unique<Xml>(*state_);
    return xml_->push(rest);
  }
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  return begin(rest);
}

// XML begins with '<', after blanks that XML itself would not forgive; the rest is text.
bool SitemapParser::begin(std::string_view bytes) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of(kBlanks), bytes.size()));
  if (bytes.empty()) return true;
  if (bytes[0] == '<') {
    xml_ = std::make_unique<Xml>(*state_);
    return xml_->push(bytes);
  }
  state_->outcome.kind = SitemapKind::kText;
  return text_lines(bytes);
}

bool SitemapParser::text_lines(std::string_view bytes) {
  while (!bytes.empty() && !state_->stopped()) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    // One byte more than allowed is enough to know that it is too long.
    const std::size_t most = state_->options.max_text + 1;
    line_.append(bytes.substr(0, std::min(end, most - std::min(most, line_.size()))));
    if (end < bytes.size()) {
      text_line(line_);
      line_.clear();
    }
    bytes.remove_prefix(std::min(bytes.size(), end + 1));
  }
  return !state_->stopped();
}

void SitemapParser::text_line(std::string_view line) {
  if (line.size() > state_->options.max_text) return;
  line = trimmed(line, kBlanks);
  if (!starts_ignoring_case(line, "http://") && !starts_ignoring_case(line, "https://")) return;
  SitemapEntry entry;
  entry.url = line;
  state_->emit(entry);
}

std::string_view sitemap_kind_text(SitemapKind kind) {
  switch (kind) {
    case SitemapKind::kUnknown:
      return "unknown";
    case SitemapKind::kUrls:
      return "sitemap";
    case SitemapKind::kIndex:
      return "sitemap index";
    case SitemapKind::kText:
      return "text sitemap";
    case SitemapKind::kRss:
      return "RSS feed";
    case SitemapKind::kAtom:
      return "Atom feed";
  }
  return "unknown";
}

std::string_view sitemap_problem_text(SitemapProblem problem) {
  switch (problem) {
    case SitemapProblem::kNone:
      return "no problem";
    case SitemapProblem::kTooManyEntries:
      return "more entries than a sitemap may have";
    case SitemapProblem::kTooLarge:
      return "larger than a sitemap may be";
    case SitemapProblem::kTooDeep:
      return "elements nested too deeply";
    case SitemapProblem::kMalformed:
      return "not well-formed XML";
    case SitemapProblem::kEntities:
      return "declares entities, which a sitemap has no need of";
    case SitemapProblem::kGzip:
      return "damaged or incomplete gzip data";
    case SitemapProblem::kNotASitemap:
      return "neither a sitemap nor a feed";
  }
  return "unknown problem";
}

}  // namespace bowerbird
