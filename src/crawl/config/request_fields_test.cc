#include "crawl/config/request_fields.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

RequestFields fields(const RequestFieldOptions& options) {
  auto made = RequestFields::make(options);
  EXPECT_TRUE(made.ok()) << made.error().text;
  return std::move(made).value();
}

TEST(RequestFields, CredentialsAreForTheirHostAndScheme) {
  const RequestFields made = fields({{}, {"a.example=x=1; y=2"}, {"a.example=Aladdin:open sesame"}});
  EXPECT_EQ(made.for_url("https://a.example/p"),
            "Cookie: x=1; y=2\r\nAuthorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n");
  for (const char* url : {"http://a.example/p", "https://a.example:444/", "https://www.a.example/",
                          "https://b.example/", "https://a.example.b.example/"}) {
    EXPECT_EQ(made.for_url(url), "") << url;
  }
}

TEST(RequestFields, AnotherSchemeOrPortMustBeNamed) {
  const RequestFields made =
      fields({{}, {"http://a.example=x=1", "B.example:8443=y=2", "http://[::1]:81=z=3"}, {}});
  EXPECT_EQ(made.for_url("http://a.example/"), "Cookie: x=1\r\n");
  EXPECT_EQ(made.for_url("https://a.example/"), "");
  EXPECT_EQ(made.for_url("https://b.example:8443/"), "Cookie: y=2\r\n");
  EXPECT_EQ(made.for_url("http://[::1]:81/"), "Cookie: z=3\r\n");
}

TEST(RequestFields, HeadersMayBeForOneHost) {
  const RequestFields made = fields(
      {{"X-All: a=b", "X-Tight:a=b", "a.example=X-One: c", "http://a.example:81=Cookie: d=e"}, {}, {}});
  EXPECT_EQ(made.for_url("https://b.example/"), "X-All: a=b\r\nX-Tight:a=b\r\n");
  EXPECT_EQ(made.for_url("https://a.example/"), "X-All: a=b\r\nX-Tight:a=b\r\nX-One: c\r\n");
  EXPECT_EQ(made.for_url("http://a.example:81/"), "X-All: a=b\r\nX-Tight:a=b\r\nCookie: d=e\r\n");
}

TEST(RequestFields, CredentialsForEverybodyAreRefused) {
  for (const char* header : {"Authorization: Basic x", "cookie: a=b", "Proxy-Authorization: x"}) {
    const auto made = RequestFields::make({{header}, {}, {}});
    ASSERT_FALSE(made.ok()) << header;
    EXPECT_NE(made.error().text.find("HOST="), std::string::npos);
    EXPECT_EQ(made.error().text.find("Basic x"), std::string::npos) << "no secrets in messages";
  }
}

// Otherwise they would be fields called "https", "a.example" and so on, for every host.
TEST(RequestFields, AHeaderForSomethingThatIsNoHostIsRefused) {
  for (const char* header :
       {"https://a.example/=Authorization: Basic x", "http://a.example/p=X-Key: x",
        "a.example:8443/=Cookie: a=b", "a.example:x=Authorization: Basic x", "ftp://a.example=X-Key: x"}) {
    const auto made = RequestFields::make({{header}, {}, {}});
    ASSERT_FALSE(made.ok()) << header;
    EXPECT_NE(made.error().text.find("HOST="), std::string::npos);
    EXPECT_EQ(made.error().text.find("Basic x"), std::string::npos) << "no secrets in messages";
  }
  EXPECT_EQ(
      fields({{"Referer: https://a.example/", "X-Token: a=b: c"}, {}, {}}).for_url("https://b.example/"),
      "Referer: https://a.example/\r\nX-Token: a=b: c\r\n");
}

TEST(RequestFields, FieldsOfOtherOptionsAreRefusedWithTheirNames) {
  const std::pair<const char*, const char*> cases[] = {
      {"User-Agent: x", "--user-agent"},
      {"host: x", "--connect-to"},
      {"a.example=Connection: close", "--connections-per-host"},
      {"Content-Length: 1", "--max-size"},
      {"Transfer-Encoding: chunked", "--http2"}};
  for (const auto& [header, option] : cases) {
    const auto made = RequestFields::make({{header}, {}, {}});
    ASSERT_FALSE(made.ok()) << header;
    EXPECT_NE(made.error().text.find(option), std::string::npos) << made.error().text;
  }
}

TEST(RequestFields, ArchivesContainNoSecretValues) {
  const RequestFields made = fields({{"X-Key: k", "accept: text/*", "a.example=Accept-Language: de"},
                                     {"a.example=c=1"},
                                     {"a.example=u:p"}});
  EXPECT_EQ(made.for_archive("https://a.example/"),
            "X-Key: withheld\r\naccept: text/*\r\nAccept-Language: de\r\nCookie: withheld\r\n"
            "Authorization: withheld\r\n");
  EXPECT_EQ(made.for_archive("https://b.example/"), "X-Key: withheld\r\naccept: text/*\r\n");
  EXPECT_TRUE(made.any_secret());
  EXPECT_FALSE(fields({{"Accept: text/*", "a.example=Accept-Language: de"}, {}, {}}).any_secret());
  EXPECT_TRUE(fields({{}, {"a.example=c=1"}, {}}).any_secret());
}

TEST(RequestFields, MalformedEntriesAreRefused) {
  for (const char* header : {"", "X", ": v", "X Y: v", "X: a\r\nY: b", "a.example=X", "*.a.example=X: v"})
    EXPECT_FALSE(RequestFields::make({{header}, {}, {}}).ok()) << header;
  for (const char* cookie : {"", "a.example", "=x", "a b=x", "ftp://a.example=x", "a.example/p=x",
                             "a.example=x\r\ny", "a.example=x", "session=1; b=2", "*.a.example=x=1"})
    EXPECT_FALSE(RequestFields::make({{}, {cookie}, {}}).ok()) << cookie;
  for (const char* auth : {"a.example", "a.example=user", "=u:p", "*.a.example=u:p"})
    EXPECT_FALSE(RequestFields::make({{}, {}, {auth}}).ok()) << auth;
}

}  // namespace
}  // namespace bowerbird
