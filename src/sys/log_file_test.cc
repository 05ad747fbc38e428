#include "sys/log_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

std::string contents(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(LogFile, ALineIsTextOrJsonAndAlwaysOneLine) {
  LogOptions options;
  EXPECT_EQ(log_line(options, LogLevel::kInfo, 1'000, "a\nb", {{"url", "x\x1b[31m"}}),
            "1970-01-01T00:00:01.000Z info    a\\x0ab url=x\\x1b[31m\n");
  options.prefixes = true;
  EXPECT_EQ(log_line(options, LogLevel::kError, 0, "bad", {}), "<3>bad\n");
  options.prefixes = false;
  options.format = LogFormat::kJson;
  EXPECT_EQ(log_line(options, LogLevel::kWarning, 0, "a\"\n", {{"host", "h"}}),
            "{\"time\":\"1970-01-01T00:00:00.000Z\",\"level\":\"warning\",\"message\":\"a\\\"\\n\",\"host\":"
            "\"h\"}\n");
}

TEST(LogFile, IsRotatedAtItsLimit) {
  const TemporaryFolder folder;
  LogOptions options;
  options.file = folder / "log";
  options.bytes = 100;
  options.files = 2;
  const auto log = std::move(LogFile::open(options)).value();
  for (int i = 0; i < 8; ++i) log->write(LogLevel::kInfo, "message number " + std::to_string(i));
  log->write(LogLevel::kDebug, "not written");
  EXPECT_NE(contents(folder / "log").find("number 7"), std::string::npos);
  EXPECT_EQ(contents(folder / "log").find("not written"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder / "log.1"));
  EXPECT_TRUE(std::filesystem::exists(folder / "log.2"));
  EXPECT_FALSE(std::filesystem::exists(folder / "log.3"));
  EXPECT_LE(contents(folder / "log.1").size(), 100u);
}

TEST(LogFile, LevelsHaveNames) {
  EXPECT_EQ(parse_log_level("debug").value(), LogLevel::kDebug);
  EXPECT_FALSE(parse_log_level("loud").ok());
  EXPECT_FALSE(LogFile::open({"/nowhere/log"}).ok());
}

}  // namespace
}  // namespace bowerbird
