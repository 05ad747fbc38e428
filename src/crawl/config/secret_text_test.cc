#include "crawl/config/secret_text.h"

#include <gtest/gtest.h>

#include "crawl/config/option_table.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(SecretText, IsTheTextItselfOrTheContentOfItsFile) {
  TemporaryFolder folder;
  EXPECT_EQ(secret_text("me:word").value(), "me:word");
  EXPECT_EQ(secret_text("@" + folder.write("secret", "me:word\r\n")).value(), "me:word");
  EXPECT_FALSE(secret_text("@" + (folder / "missing")).ok());
  EXPECT_EQ(with_absolute_file("me:word"), "me:word");
  EXPECT_EQ(with_absolute_file("@/a/b"), "@/a/b");
  EXPECT_EQ(with_absolute_file("@b").substr(0, 2), "@/");
}

TEST(SecretText, EverySecretOptionMayBeInAFileAndNoOther) {
  TemporaryFolder folder;
  CrawlOptions options;
  const std::string url = "@" + folder.write("server", "nats://me:word@127.0.0.1:4222\n");
  ASSERT_TRUE(find_row(crawl_option_table(), "fleet")->set(options, url).ok());
  EXPECT_EQ(options.fleet.url, "nats://me:word@127.0.0.1:4222");
  const std::string auth = "@" + folder.write("auth", "example.org=me:word\n");
  ASSERT_TRUE(find_row(crawl_option_table(), "auth")->set(options, auth).ok());
  EXPECT_EQ(options.network.auth, std::vector<std::string>{"example.org=me:word"});
  ASSERT_TRUE(find_row(crawl_option_table(), "contact")->set(options, "@someone").ok());
  EXPECT_EQ(options.identity.contact, "@someone");
}

}  // namespace
}  // namespace bowerbird
