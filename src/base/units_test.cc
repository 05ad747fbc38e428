#include "base/units.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(Units, CountsReadAsPeopleWriteThem) {
  EXPECT_EQ(*parse_count("160"), 160u);
  EXPECT_EQ(*parse_count("1.5M"), 1'500'000u);
  EXPECT_EQ(*parse_count("1_000_000"), 1'000'000u);
  EXPECT_EQ(*parse_count("10 k"), 10'000u);
}

TEST(Units, NonsenseIsRefusedWithAnExample) {
  for (const char* bad : {"", "x", "-3", "1.2.3", "5 parrots", "99999999999999999999"}) {
    EXPECT_FALSE(parse_count(bad).ok()) << bad;
  }
  EXPECT_NE(parse_count("5 parrots").error().text.find("for example"), std::string::npos);
}

TEST(Units, BytesKnowBothKindsOfUnits) {
  EXPECT_EQ(*parse_bytes("2GiB"), 2ull << 30);
  EXPECT_EQ(*parse_bytes("2GB"), 2'000'000'000u);
  EXPECT_EQ(*parse_bytes("512"), 512u);
  EXPECT_FALSE(parse_bytes("2 GiBs").ok());
}

TEST(Units, SharesArePercentOrFraction) {
  EXPECT_DOUBLE_EQ(*parse_share("5%"), 0.05);
  EXPECT_DOUBLE_EQ(*parse_share("0.05"), 0.05);
  for (const char* bad : {"101%", "-1%", "1.5", "nan", "%", ""}) EXPECT_FALSE(parse_share(bad).ok()) << bad;
}

TEST(Units, FormatsForReading) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(3216152), "3,216,152");
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(1430488), "1.4 MiB");
  EXPECT_EQ(plural(1, "page"), "1 page");
  EXPECT_EQ(plural(3216, "page"), "3,216 pages");
  EXPECT_EQ(plural(0, "process", "processes"), "0 processes");
}

TEST(Units, TimesAreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_seconds("90").value().count(), 90);
  EXPECT_EQ(parse_seconds("250ms").value().count(), 0.25);
  EXPECT_EQ(parse_seconds("1.5h").value().count(), 5400);
  for (const char* text : {"", "h", "-1", "1w", "1e99", "nan"})
    EXPECT_FALSE(parse_seconds(text).ok()) << text;
}

TEST(Units, ExactValuesAreReadAgain) {
  for (const std::uint64_t n : {0ull, 1ull, 1000ull, 1024ull, 10ull << 20, (1ull << 40) + 1})
    EXPECT_EQ(parse_bytes(exact_bytes(n)).value(), n);
  EXPECT_EQ(exact_bytes(10 << 20), "10MiB");
  EXPECT_EQ(exact_seconds(Seconds(0)), "0s");
  EXPECT_EQ(exact_seconds(Seconds(0.25)), "0.25s");
  EXPECT_EQ(exact_seconds(Seconds(5400)), "5400s");
  EXPECT_EQ(exact_seconds(Seconds(7200)), "2h");
  EXPECT_EQ(exact_seconds(Seconds(90 * 86400)), "90d");
}

}  // namespace
}  // namespace bowerbird
