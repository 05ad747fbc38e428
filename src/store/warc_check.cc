#include "store/warc_check.h"

#include <openssl/evp.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/check.h"
#include "store/digest_text.h"

namespace bowerbird {

namespace {

constexpr std::size_t kMostProblems = 100;
constexpr std::size_t kCheckedPiece = 1 << 16;
constexpr std::uint64_t kTickBytes = std::uint64_t{1} << 24;

}  // namespace

std::string_view HttpSplitter::feed(std::string_view piece) {
  if (in_body_) return piece;
  const std::size_t had = head_.size();
  const std::size_t take = std::min(piece.size(), kLargestHead - std::min(kLargestHead, had));
  head_.append(piece.substr(0, take));
  for (std::size_t feed = head_.find('\n', had); feed != std::string::npos;
       feed = head_.find('\n', feed + 1)) {
    const std::string_view text = std::string_view(head_).substr(0, feed + 1);
    if (!text.ends_with("\n\r\n") && !text.ends_with("\n\n")) continue;
    in_body_ = true;
    head_.resize(feed + 1);
    return piece.substr(feed + 1 - had);
  }
  // Without an empty line it is not a header.
  in_body_ = take < piece.size();
  return piece.substr(take);
}

int HttpSplitter::status() const {
  const std::size_t blank = head_.find(' ');
  if (!head_.starts_with("HTTP/") || blank == std::string::npos || head_.size() < blank + 4) return 0;
  int status = 0;
  for (std::size_t i = blank + 1; i < blank + 4; ++i) {
    if (!is_ascii_digit(head_[i])) return 0;
    status = status * 10 + (head_[i] - '0');
  }
  return status;
}

std::string_view HttpSplitter::field(std::string_view name) const {
  std::string_view rest = head_;
  rest.remove_prefix(std::min(rest.size(), rest.find('\n')));
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size());
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && equals_ignoring_case(line.substr(0, colon), name)) {
      return trimmed(line.substr(colon + 1), " \t\r");
    }
  }
  return {};
}

bool is_http(const WarcHead& head) {
  return starts_ignoring_case(head.field("Content-Type"), "application/http");
}

struct DigestCheck::Context {
  EVP_MD_CTX* evp = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(evp); }
};

DigestCheck::DigestCheck(std::string_view field) : given_(!field.empty()) {
  const std::size_t colon = field.find(':');
  if (colon == std::string_view::npos) return;
  std::string algorithm = lowered(field.substr(0, colon));
  std::erase(algorithm, '-');
  const EVP_MD* md = nullptr;
  if (algorithm == "sha1") md = EVP_sha1();
  if (algorithm == "sha256") md = EVP_sha256();
  if (algorithm == "sha512") md = EVP_sha512();
  if (algorithm == "md5") md = EVP_md5();
  if (md == nullptr) return;
  wanted_ = trimmed(field.substr(colon + 1), " \t=");
  context_ = std::make_unique<Context>();
  CHECK(context_->evp != nullptr && EVP_DigestInit_ex(context_->evp, md, nullptr) == 1);
}

DigestCheck::~DigestCheck() = default;

void DigestCheck::add(std::string_view bytes) {
  if (context_) CHECK(EVP_DigestUpdate(context_->evp, bytes.data(), bytes.size()) == 1);
}

DigestCheck::Answer DigestCheck::finish() {
  if (!given_) return Answer::kNone;
  if (!context_) return Answer::kUnknown;
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(context_->evp, digest, &size) == 1);
  const auto wanted = digest_bytes(wanted_, size);
  if (!wanted) return Answer::kUnknown;
  return *wanted == std::string_view(reinterpret_cast<const char*>(digest), size) ? Answer::kRight
                                                                                  : Answer::kWrong;
}

namespace {

class FileCheck {
 public:
  FileCheck(WarcReader& reader, const Progress& progress) : reader_(reader), progress_(progress) {}

  WarcReport run() {
    for (;;) {
      const auto more = reader_.next();
      if (!more.ok()) problem(more.error().text);
      if (!more.ok() || !*more) break;
      if (!record() || report_.stopped) break;
    }
    if (report_.records == 0 && report_.problem_count == 0) problem("there is no record in it");
    return std::move(report_);
  }

 private:
  void problem(std::string text) {
    ++report_.problem_count;
    if (report_.problems.size() < kMostProblems)
      report_.problems.push_back({reader_.offset(), std::move(text)});
  }

  void must_have(std::string_view name) {
    if (reader_.head().field(name).empty()) problem(fmt::format("there is no {}", name));
  }

  void judge(DigestCheck& check, std::string_view what, bool certain) {
    switch (check.finish()) {
      case DigestCheck::Answer::kNone:
        return;
      case DigestCheck::Answer::kRight:
        ++report_.digests_checked;
        return;
      case DigestCheck::Answer::kUnknown:
        ++report_.digests_unchecked;
        return;
      case DigestCheck::Answer::kWrong:
        if (!certain) {
          ++report_.digests_unchecked;
          return;
        }
        ++report_.digests_checked;
        ++report_.digests_wrong;
        problem(fmt::format("the {} is not that of the bytes", what));
    }
  }

  // False: the file cannot be read any further.
  bool record() {
    const WarcHead& head = reader_.head();
    ++report_.records;
    ++report_.types[std::string(head.type())];
    if (!reader_.packed_alone()) ++report_.shared_members;
    for (const char* name : {"WARC-Type", "WARC-Record-ID", "WARC-Date"}) must_have(name);

    // A revisit has the digest of a payload that is elsewhere.
    const bool has_payload = !equals_ignoring_case(head.type(), "revisit");
    const bool http = is_http(head);
    DigestCheck block(head.field("WARC-Block-Digest"));
    DigestCheck payload(has_payload ? head.field("WARC-Payload-Digest") : std::string_view());
    HttpSplitter splitter;
    std::string piece(kCheckedPiece, '\0');
    for (;;) {
      const auto n = reader_.read(piece.data(), piece.size());
      if (!n.ok()) {
        problem(n.error().text);
        return false;
      }
      if (*n == 0) break;
      const std::string_view bytes(piece.data(), *n);
      block.add(bytes);
      payload.add(http ? splitter.feed(bytes) : bytes);
      report_.block_bytes += *n;
      if (!tick(*n)) return false;
    }
    judge(block, "WARC-Block-Digest", true);
    judge(payload, "WARC-Payload-Digest", splitter.field("Transfer-Encoding").empty());
    return true;
  }

  bool tick(std::size_t bytes) {
    since_tick_ += bytes;
    if (since_tick_ < kTickBytes) return true;
    since_tick_ = 0;
    report_.stopped =
        !progress_.tick("checking " + reader_.name(), reader_.position(), reader_.stored_size());
    return !report_.stopped;
  }

  WarcReader& reader_;
  const Progress& progress_;
  WarcReport report_;
  std::uint64_t since_tick_ = 0;
};

}  // namespace

WarcReport check_warc(WarcReader& reader, const Progress& progress) {
  return FileCheck(reader, progress).run();
}

}  // namespace bowerbird
