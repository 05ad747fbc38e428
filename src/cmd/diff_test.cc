// `bowerbird diff` on archives in which captures refer to the bodies of others.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cmd/command_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;

struct DiffBody {
  std::string text;
  std::string digest;  // its SHA-1
};
const DiffBody kFirstBody = {"<p>first body</p>", "UTK3UXFTRFFEG2AYC4W6LPDDXU2FII34"};
const DiffBody kSharedBody = {"<p>common body</p>", "BEPHYGF4GNRX3CKP26P4JYG7MTXPTLUK"};

// A capture; as a revisit it refers to the record with the same digest.
std::string diff_record(int day, const std::string& url, const DiffBody& body, bool revisit) {
  const std::string http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + (revisit ? "" : body.text);
  std::string head = fmt::format(
      "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Target-URI: {}\r\nWARC-Date: 2026-01-0{}T00:00:00Z\r\n"
      "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{:012}>\r\nWARC-Payload-Digest: sha1:{}\r\n",
      revisit ? "revisit" : "response", url, day, std::hash<std::string>()(url) % 1'000'000 * 10 + day,
      body.digest);
  if (revisit) head += "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n";
  return fmt::format(
      "{}Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n", head,
      http.size(), http);
}

TEST(Diff, ABodyMayBeThatOfAnotherPage) {
  const TemporaryFolder folder;
  const std::string file = folder / "x.warc";
  std::ofstream(file) << diff_record(1, "http://a.test/p", kFirstBody, false)
                      << diff_record(2, "http://a.test/q", kSharedBody, false)
                      << diff_record(3, "http://a.test/p", kSharedBody, true);
  const std::string told = output_of_command({"diff", file.c_str(), "http://a.test/p"});
  EXPECT_THAT(told, HasSubstr("-first body\n"));
  EXPECT_THAT(told, HasSubstr("+common body\n"));
}

TEST(Diff, OfAnUnchangedPageIsEmptyAndNoFailure) {
  const TemporaryFolder folder;
  const std::string file = folder / "x.warc";
  std::ofstream(file) << diff_record(1, "http://a.test/q", kSharedBody, false)
                      << diff_record(2, "http://a.test/q", kSharedBody, true);
  const std::string told = output_of_command({"diff", file.c_str(), "http://a.test/q"});
  EXPECT_THAT(told, HasSubstr("--- 2026-01-01T00:00:00Z\n+++ 2026-01-02T00:00:00Z\nthe page is the same\n"));
  EXPECT_THAT(output_of_command({"diff", file.c_str(), "http://a.test/q", "--json"}),
              HasSubstr("\"added\":[]"));
}

TEST(Diff, NeedsTwoCaptures) {
  const TemporaryFolder folder;
  const std::string file = folder / "x.warc";
  std::ofstream(file) << diff_record(1, "http://a.test/q", kSharedBody, false)
                      << diff_record(2, "http://a.test/q", kSharedBody, true);
  EXPECT_THAT(output_of_command({"diff", file.c_str(), "http://a.test/q", "--to", "2026-01-01"}, kExitFailed),
              HasSubstr("there is no older capture"));
  EXPECT_THAT(output_of_command({"diff", file.c_str(), "http://a.test/x"}, kExitFailed),
              HasSubstr("no capture of this page is stored"));
}

}  // namespace
}  // namespace bowerbird
