#include "base/result.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

Status fail(ErrorKind kind) {
  return error(kind, "file {}", 7);
}

Status pass_on(ErrorKind kind) {
  BB_TRY_VOID(fail(kind));
  return {};
}

Result<int> number(ErrorKind kind) {
  BB_TRY_VOID(pass_on(kind));
  return 1;
}

TEST(Result, AnErrorIsPermanentUnlessItSaysOtherwise) {
  EXPECT_EQ(error("x").kind, ErrorKind::kPermanent);
  EXPECT_EQ(Error{"x"}.kind, ErrorKind::kPermanent);
}

TEST(Result, AnErrorKeepsItsTextAndKindOnTheWayUp) {
  for (const ErrorKind kind : {ErrorKind::kPermanent, ErrorKind::kRetry, ErrorKind::kNeedsUser}) {
    const Result<int> result = number(kind);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().text, "file 7");
    EXPECT_EQ(result.error().kind, kind);
  }
}

}  // namespace
}  // namespace bowerbird
