#include "parse/mime_sniff.h"

#include <gtest/gtest.h>

#include <string>

namespace bowerbird {
namespace {

using namespace std::string_view_literals;

struct SniffCase {
  std::string_view bytes;
  std::string_view type;
  std::string_view with_nosniff;  // empty: the same
};

// WHATWG MIME Sniffing, section 7.1.
TEST(SniffType, FollowsTheStandard) {
  const SniffCase cases[] = {
      {"<!DOCTYPE HTML>", "text/html", "text/plain"},
      {" \n\t<HtMl lang=en>", "text/html", "text/plain"},
      {"<a href=x>", "text/html", "text/plain"},
      {"<!-- x -->", "text/html", "text/plain"},
      {"<body", "text/plain", ""},
      {"<abbr>", "text/plain", ""},
      {"<?xml version=\"1.0\"?><x/>", "text/xml", "text/plain"},
      {"%PDF-1.7\n", "application/pdf", "text/plain"},
      {" %PDF-1.7\n", "text/plain", ""},
      {"%!PS-Adobe-3.0", "application/postscript", ""},
      {"\xEF\xBB\xBF<html>", "text/plain", ""},
      {"\xFF\xFEh\0"sv, "text/plain", ""},
      {"GIF89a\1\0"sv, "image/gif", ""},
      {"\x89PNG\r\n\x1A\n\0"sv, "image/png", ""},
      {"\xFF\xD8\xFF\xE0"sv, "image/jpeg", ""},
      {"RIFF\1\2\3\4WEBPVP8 "sv, "image/webp", ""},
      {"RIFF\1\2\3\4WEBP"sv, "application/octet-stream", ""},
      {"\0\0\0\x18"
       "ftypmp42"sv,
       "video/mp4", ""},
      {"\x1F\x8B\x08\0"sv, "application/x-gzip", ""},
      {"PK\3\4"sv, "application/zip", ""},
      {"plain words", "text/plain", ""},
      {"", "text/plain", ""},
      {"nul \0"sv, "application/octet-stream", ""},
  };
  for (const SniffCase& test : cases) {
    EXPECT_EQ(sniff_type(test.bytes, false), test.type) << test.bytes;
    EXPECT_EQ(sniff_type(test.bytes, true), test.with_nosniff.empty() ? test.type : test.with_nosniff)
        << test.bytes;
  }
}

// Beyond the standard.
TEST(SniffType, KnowsXmlByItsRootElement) {
  EXPECT_EQ(sniff_type("<?xml version='1.0'?>\n<!-- x -->\n<rss version='2.0'>", false),
            "application/rss+xml");
  EXPECT_EQ(sniff_type("<?xml version='1.0'?><feed xmlns='x'>", false), "application/atom+xml");
  EXPECT_EQ(sniff_type("<rdf:RDF xmlns='x'>", false), "application/rss+xml");
  EXPECT_EQ(sniff_type("<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html xmlns='y'>", false),
            "application/xhtml+xml");
  EXPECT_EQ(sniff_type("<?xml version='1.0'?><rssx>", false), "text/xml");
  EXPECT_EQ(sniff_type("<?xml version='1.0'", false), "text/xml");
  EXPECT_EQ(sniff_type("<rss>", true), "text/plain");
}

TEST(SniffType, LooksAtTheFirstBytesOnly) {
  std::string text(kSniffedBytes, ' ');
  EXPECT_EQ(sniff_type(text + '\0', false), "text/plain");
  text.back() = '\0';
  EXPECT_EQ(sniff_type(text, false), "application/octet-stream");
}

TEST(UnknownType, IsWhatTheStandardSaysItIs) {
  for (const char* type : {"", "unknown/unknown", "application/unknown", "*/*"})
    EXPECT_TRUE(is_unknown_type(type)) << type;
  for (const char* type : {"text/html", "application/octet-stream"})
    EXPECT_FALSE(is_unknown_type(type)) << type;
}

}  // namespace
}  // namespace bowerbird
