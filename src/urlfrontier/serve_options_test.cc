#include "urlfrontier/serve_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bowerbird {
namespace {

using ::testing::HasSubstr;

TEST(ServeOptions, AreReadBackAsTheyWereWritten) {
  ServeOptions options;
  options.data = "folder \xff";
  options.policy = "fpr@100";
  options.memory = std::uint64_t{1} << 30;
  options.durable = true;
  const auto again = parse_serve_options(serve_options_json(options));
  ASSERT_TRUE(again.ok()) << again.error().text;
  EXPECT_EQ(again->listen, "127.0.0.1:7071");
  EXPECT_EQ(again->policy, "fpr@100");
  EXPECT_EQ(again->memory, std::uint64_t{1} << 30);
  EXPECT_TRUE(again->durable);
}

TEST(ServeOptions, AnyAddressButLoopbackNeedsCertificatesOrConsent) {
  ServeOptions options;
  options.data = "f";
  for (const char* open : {"0.0.0.0:7071", "192.0.2.1:7071", "[::]:7071"}) {
    options.listen = open;
    EXPECT_THAT(check_serve_options(options).error().text, HasSubstr("--insecure")) << open;
  }
  options.insecure = true;
  EXPECT_TRUE(check_serve_options(options).ok());
  options.insecure = false;
  options.certificate = "c.pem";
  EXPECT_THAT(check_serve_options(options).error().text, HasSubstr("give both"));
  options.key = "k.pem";
  EXPECT_TRUE(check_serve_options(options).ok());
  for (const char* loopback : {"127.0.0.1:0", "[::1]:7071"}) {
    EXPECT_TRUE(check_serve_options({.listen = loopback, .data = "f"}).ok()) << loopback;
  }
}

TEST(ServeOptions, ErrorsNameTheOption) {
  const auto text_of = [](const ServeOptions& options) { return check_serve_options(options).error().text; };
  EXPECT_THAT(text_of({}), HasSubstr("--data"));
  EXPECT_THAT(text_of({.listen = "nowhere", .data = "f"}), HasSubstr("--listen"));
  EXPECT_THAT(text_of({.data = "f", .memory = 5}), HasSubstr("--memory"));
  EXPECT_THAT(text_of({.data = "f", .max_crawls = 0}), HasSubstr("--max-crawls"));
  EXPECT_THAT(text_of({.data = "f", .client_ca = "ca.pem"}), HasSubstr("--tls-client-ca"));
  EXPECT_THAT(text_of({.data = "f", .policy = "no-such-ordering"}), HasSubstr("no-such-ordering"));
  EXPECT_FALSE(parse_serve_options("[]").ok());
  EXPECT_THAT(parse_serve_options(R"({"data": "f", "memory": "much"})").error().text, HasSubstr("memory"));
}

}  // namespace
}  // namespace bowerbird
