#include "parse/sha1.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(Sha1, IsTheDigestThatArchivesName) {
  // RFC 3174 section 7.3, and the empty payload as WARC files show it.
  EXPECT_EQ(sha1("abc")[0], 0xA9);
  EXPECT_EQ(base32(sha1("")), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
}

}  // namespace
}  // namespace bowerbird
