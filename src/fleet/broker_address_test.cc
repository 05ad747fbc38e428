#include "fleet/broker_address.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(BrokerAddress, FilesFollowAfterAQuestionMark) {
  const BrokerAddress plain = BrokerAddress::parse("nats://me:word@host:4222,nats://other:4222").value();
  EXPECT_EQ(plain.url, "nats://me:word@host:4222,nats://other:4222");
  EXPECT_FALSE(plain.is_tls());
  EXPECT_TRUE(BrokerAddress::parse("tls://host").value().is_tls());
  const BrokerAddress all =
      BrokerAddress::parse("tls://host:4222?ca=/a/ca.pem&credentials=/a/me.creds").value();
  EXPECT_EQ(all.url, "tls://host:4222");
  EXPECT_EQ(all.ca, "/a/ca.pem");
  EXPECT_EQ(all.credentials, "/a/me.creds");
  EXPECT_TRUE(BrokerAddress::parse("nats://host?ca=x").value().is_tls());
}

TEST(BrokerAddress, AnythingElseThereIsAnErrorThatNamesNoSecret) {
  for (const char* const text : {"nats://me:word@host?pass=word", "nats://me:word@host?ca=", "nats://h?ca"}) {
    const auto address = BrokerAddress::parse(text);
    ASSERT_FALSE(address.ok()) << text;
    EXPECT_EQ(address.error().kind, ErrorKind::kNeedsUser);
    EXPECT_EQ(address.error().text.find("word"), std::string::npos);
  }
}

}  // namespace
}  // namespace bowerbird
