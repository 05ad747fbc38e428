// Checks WARC files: that records are whole, have what they must have, and that their digests are those of
// their bytes.
//
// Digests may be sha1, sha256, sha512 or md5, in base32, base16 or base64; others count as not checked. The
// payload of a record of type application/http is what follows the empty line; where its body is still
// chunked, writers disagree what the payload is: a digest that is not that of the bytes as they stand counts
// as not checked. Threads: one user at a time.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "store/warc_reader.h"

namespace bowerbird {

// The head of an HTTP message and what follows it, out of pieces.
class HttpSplitter {
 public:
  static constexpr std::size_t kLargestHead = std::size_t{1} << 20;

  // The part of the piece that belongs to the body.
  std::string_view feed(std::string_view piece);
  // With its empty line; all there was where none came.
  const std::string& head() const { return head_; }
  bool in_body() const { return in_body_; }

  int status() const;  // 0 where there is none
  // The first field of that name; empty where there is none.
  std::string_view field(std::string_view name) const;

 private:
  std::string head_;
  bool in_body_ = false;
};

bool is_http(const WarcHead& head);

// A digest named in a field, computed along.
class DigestCheck {
 public:
  // `field`: "sha1:ABC...", or empty: nothing is checked.
  explicit DigestCheck(std::string_view field);
  ~DigestCheck();
  DigestCheck(const DigestCheck&) = delete;
  DigestCheck& operator=(const DigestCheck&) = delete;

  void add(std::string_view bytes);
  enum class Answer { kNone, kRight, kWrong, kUnknown };
  // kUnknown: an algorithm or a form that we do not know.
  Answer finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
  std::string wanted_;
  bool given_ = false;
};

struct WarcProblem {
  std::uint64_t offset = 0;
  std::string text;
};

struct WarcReport {
  std::uint64_t records = 0;
  std::uint64_t block_bytes = 0;
  std::map<std::string, std::uint64_t, std::less<>> types;
  std::uint64_t digests_checked = 0;
  std::uint64_t digests_wrong = 0;  // of those
  std::uint64_t digests_unchecked = 0;
  std::uint64_t shared_members = 0;  // records that are not packed alone
  std::uint64_t problem_count = 0;
  std::vector<WarcProblem> problems;  // the first hundred
  bool stopped = false;               // by the progress callback
};

// All records of a file. What ends the reading (damage, a wrong length) is the last problem.
WarcReport check_warc(WarcReader& reader, const Progress& progress = {});

}  // namespace bowerbird
