#include "fetch/net_filter.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

NetAddress at(std::string_view text) {
  return NetAddress::parse(text).value();
}

TEST(NetFilter, PublicAddressesAreAdmitted) {
  for (const char* text : {"8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1",
                           "2002:0808:0808::1", "64:ff9b::808:808"}) {
    EXPECT_TRUE(NetFilter().admits(at(text))) << text;
  }
}

// RFC 6890.
TEST(NetFilter, OwnNetworksAreRefused) {
  for (const char* text : {"127.0.0.1",     "127.255.255.255", "10.1.2.3",
                           "172.16.0.1",    "172.31.255.255",  "192.168.1.1",
                           "0.0.0.0",       "169.254.169.254", "100.64.0.1",
                           "224.0.0.1",     "255.255.255.255", "::",
                           "::1",           "fe80::1",         "fd00:ec2::254",
                           "fc00::1",       "ff02::1",         "::ffff:127.0.0.1",
                           "::127.0.0.1",   "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
                           "2002:7f00:1::", "2001:db8::1"}) {
    EXPECT_FALSE(NetFilter().admits(at(text))) << text;
  }
}

// RFC 4291, 2.4 and IANA's registry of IPv6 addresses: global unicast is 2000::/3.
TEST(NetFilter, OnlyGlobalUnicastIsPublic) {
  for (const char* text : {"::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8", "1fff::1", "4000::1", "5f00::1",
                           "100::1", "64:ff9b:1::808:808", "3fff::1", "2001::1", "8000::1"}) {
    EXPECT_FALSE(NetFilter().admits(at(text))) << text;
  }
  for (const char* text : {"2000::1", "2400:cb00::1", "3ffe::1", "64:ff9b::8.8.8.8"}) {
    EXPECT_TRUE(NetFilter().admits(at(text))) << text;
  }
}

TEST(NetFilter, HostsThatAreAddressesAreCheckedByTheirText) {
  for (const char* host :
       {"127.0.0.1", "169.254.169.254", "[::1]", "[::ffff:7f00:1]", "localhost", "a.localhost"}) {
    EXPECT_TRUE(NetFilter().refuses_host(host)) << host;
  }
  for (const char* host :
       {"8.8.8.8", "[2606:2800:220:1::1]", "example.org", "notlocalhost", "127.0.0.1.example"}) {
    EXPECT_FALSE(NetFilter().refuses_host(host)) << host;
  }
  const NetFilter own = std::move(NetFilter::parse(std::vector<std::string>{"127.0.0.0/8"})).value();
  EXPECT_FALSE(own.refuses_host("127.0.0.1"));
  EXPECT_FALSE(own.refuses_host("localhost"));
}

TEST(NetFilter, NamedBlocksAreAdmitted) {
  const std::vector<std::string> cidrs = {"127.0.0.0/8", "fd00::/9", "10.0.0.7"};
  const NetFilter filter = std::move(NetFilter::parse(cidrs)).value();
  EXPECT_TRUE(filter.admits(at("127.9.9.9")));
  EXPECT_TRUE(filter.admits(at("::ffff:127.0.0.1")));
  EXPECT_TRUE(filter.named(at("fd7f::1")));
  EXPECT_FALSE(filter.admits(at("fd80::1")));
  EXPECT_TRUE(filter.admits(at("10.0.0.7")));
  EXPECT_FALSE(filter.admits(at("10.0.0.8")));
  EXPECT_FALSE(filter.named(at("8.8.8.8")));
}

TEST(NetFilter, BadBlocksAreNamedInTheError) {
  for (const char* text : {"", "localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8x", "::/129", "10.0.0"}) {
    const auto cidr = Cidr::parse(text);
    ASSERT_FALSE(cidr.ok()) << text;
    EXPECT_NE(cidr.error().text.find(text), std::string::npos);
  }
}

TEST(NetAddress, HasOneCanonicalForm) {
  EXPECT_EQ(at("::ffff:1.2.3.4").text(), "1.2.3.4");
  EXPECT_EQ(at("[2001:DB8::0:1]").text(), "2001:db8::1");
  EXPECT_EQ(at("2001:db8::1").host(), "[2001:db8::1]");
  EXPECT_FALSE(NetAddress::parse("1.2.3.4.5"));
}

}  // namespace
}  // namespace bowerbird
