// Compares our decoders and encoders with Chromium's, an independent implementation of the same standards:
// all pairs of bytes, random bytes, and all characters in the query of a link. Skipped if Chromium or node is
// not installed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/rng.h"
#include "base/utf8.h"
#include "encoding/decoder.h"
#include "process.h"
#include "url/url.h"

namespace bowerbird {
namespace {

struct OracleCase {
  bool decode;
  Encoding encoding;
  std::string bytes;
};

std::string hex_text(std::string_view bytes) {
  std::string out;
  for (const unsigned char c : bytes) out += fmt::format("{:02x}", c);
  return out;
}

std::string ours(const OracleCase& one) {
  if (one.decode) {
    std::string utf8;
    append_decoded(utf8, one.encoding, one.bytes);
    return hex_text(utf8);
  }
  Url url;
  EXPECT_EQ(parse_url("http://x/?" + one.bytes, nullptr, url, one.encoding), UrlFault::kNone);
  return "?" + std::string(url.query());
}

// Every pair of a non-ASCII byte and another byte, each with text around it.
std::string all_pairs() {
  std::string bytes;
  for (int a = 0x80; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) bytes += {static_cast<char>(a), static_cast<char>(b), '.', '\n'};
  }
  return bytes;
}

// Random bytes, biased so that sequences of three and four bytes and escapes occur.
std::string random_bytes(Rng& random) {
  constexpr std::string_view kLikely = "\x1B\x1B($BJI@0139\x81\x84\x8E\x8F\xA1\xB0\xFE";
  std::string bytes;
  while (bytes.size() < 5000) {
    const auto draw = static_cast<std::size_t>(random.below(1000));
    bytes += draw < 600 ? kLikely[draw % kLikely.size()] : static_cast<char>(draw);
  }
  return bytes;
}

// Chromium (156) differs from the standard in three cases: in EUC-JP, what follows a broken character of JIS
// X 0212; in Big5, the pairs for two code points; in ISO-2022-JP, the byte after "ESC (" and "ESC $", if it
// neither completes an escape sequence nor is a character: the standard reads it again and replaces it by
// U+FFFD, Chromium drops it. The bytes that begin these are replaced.
std::string without_known_differences(Encoding encoding, std::string bytes) {
  for (std::size_t at = 2; encoding == Encoding::kIso2022Jp && at < bytes.size(); ++at) {
    const bool escape = bytes[at - 2] == '\x1B' && (bytes[at - 1] == '(' || bytes[at - 1] == '$');
    if (escape && std::string_view("BJI@").find(bytes[at]) == std::string_view::npos) bytes[at] = '0';
  }
  if (encoding == Encoding::kEucJp) std::replace(bytes.begin(), bytes.end(), '\x8F', '\x8E');
  if (encoding == Encoding::kBig5) std::replace(bytes.begin(), bytes.end(), '\x88', '\x89');
  return bytes;
}

void add_queries(Encoding encoding, std::vector<OracleCase>& cases) {
  std::string text;
  for (char32_t c = 0x21; c < 0x30000; c = c == 0xFFFF ? 0x1F000 : c == 0x1FFFF ? 0x20000 : c + 1) {
    if (c == '#' || (c >= 0xD800 && c < 0xE000)) continue;
    append_utf8(text, c);
    if (text.size() < 8000) continue;
    cases.push_back({false, encoding, text});
    text.clear();
  }
}

class EncodingOracleFull : public testing::TestWithParam<unsigned> {};

TEST_P(EncodingOracleFull, AgreesWithABrowserFull) {
  if (std::system("command -v chromium > /dev/null 2>&1 && node --version > /dev/null 2>&1") != 0) {
    GTEST_SKIP() << "no chromium, or no node";
  }
  const auto encoding = static_cast<Encoding>(GetParam());
  if (encoding == Encoding::kReplacementEncoding) GTEST_SKIP() << "TextDecoder refuses it";
  std::vector<OracleCase> cases = {{true, encoding, without_known_differences(encoding, all_pairs())}};
  Rng random(7);
  for (int i = 0; i < 20; ++i) {
    cases.push_back({true, encoding, without_known_differences(encoding, random_bytes(random))});
  }
  add_queries(encoding, cases);

  TemporaryFolder folder;
  std::string lines;
  for (const OracleCase& one : cases) {
    lines += fmt::format("{} {} {}\n", one.decode ? "decode" : "query", encoding_name(one.encoding),
                         hex_text(one.bytes));
  }
  write_text(folder / "cases", lines);
  const std::string command = fmt::format("node '{}/tests/encoding_oracle.mjs' chromium < '{}' > '{}'",
                                          BOWERBIRD_SOURCE_DIR, folder / "cases", folder / "answers");
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream answers(folder / "answers");
  for (const OracleCase& one : cases) {
    std::string answer;
    ASSERT_TRUE(std::getline(answers, answer));
    const std::string own = ours(one);
    if (own == answer) continue;
    const auto at = static_cast<std::size_t>(
        std::mismatch(own.begin(), own.end(), answer.begin(), answer.end()).first - own.begin());
    const std::size_t from = at < 40 ? 0 : at - 40;
    ADD_FAILURE() << (one.decode ? "decode" : "query") << " differs at " << at << ": ours "
                  << own.substr(from, 80) << ", Chromium's " << answer.substr(from, 80);
  }
}

std::string oracle_test_name(const testing::TestParamInfo<unsigned>& encoding) {
  std::string name(encoding_name(static_cast<Encoding>(encoding.param)));
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "Full";
}

INSTANTIATE_TEST_SUITE_P(Encodings, EncodingOracleFull, testing::Range(0u, kEncodingCount), oracle_test_name);

}  // namespace
}  // namespace bowerbird
