// Checks WARC files: records must be complete, have the mandatory fields, and match their digests.
//
// Digests may be sha1, sha256, sha512 or md5, in base32, base16 or base64; others count as not checked.
// The payload of a record of type application/http is what follows the empty line. If its body is still
// chunked, writers disagree about the payload: a digest that does not match the bytes as stored counts as
// not checked. Threads: one user at a time.
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

// Splits an HTTP message that arrives in pieces into header and body.
class HttpSplitter {
 public:
  static constexpr std::size_t kLargestHead = std::size_t{1} << 20;

  // The part of the piece that belongs to the body.
  std::string_view feed(std::string_view piece);
  // Including the empty line; everything if there was none.
  const std::string& head() const { return head_; }
  bool in_body() const { return in_body_; }

  int status() const;  // 0: none
  // The first field of this name; empty: none.
  std::string_view field(std::string_view name) const;

 private:
  std::string head_;
  bool in_body_ = false;
};

bool is_http(const WarcHead& head);

// Checks a digest that a field states, while the bytes pass by.
class DigestCheck {
 public:
  // field: "sha1:ABC...". Empty: nothing is checked.
  explicit DigestCheck(std::string_view field);
  ~DigestCheck();
  DigestCheck(const DigestCheck&) = delete;
  DigestCheck& operator=(const DigestCheck&) = delete;

  void add(std::string_view bytes);
  enum class Answer { kNone, kRight, kWrong, kUnknown };
  // kUnknown: the algorithm or the encoding is not known.
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
  std::uint64_t shared_members = 0;  // records that share a compressed member
  std::uint64_t problem_count = 0;
  std::vector<WarcProblem> problems;  // the first hundred
  bool stopped = false;               // by the progress callback
};

// Checks all records of a file. If reading fails (damage, a wrong length), that is the last problem.
WarcReport check_warc(WarcReader& reader, const Progress& progress = {});

}  // namespace bowerbird
