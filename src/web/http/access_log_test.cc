#include "web/http/access_log.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

AccessEntry entry() {
  AccessEntry e;
  e.start_us = 12;
  e.end_us = 34;
  e.connection = 5;
  e.port = 6;
  e.protocol = "h2s";
  e.method = "GET";
  e.status = 200;
  e.bytes = 789;
  e.page = 3;
  e.fault = "drip";
  e.host = "a.org";
  e.target = "/x";
  return e;
}

TEST(AccessLog, ALineReadsBackAsItWasWritten) {
  std::string line;
  append_access_line(entry(), line);
  EXPECT_EQ(line, "12\t34\t5\t6\th2s\tGET\t200\t789\t3\tdrip\ta.org\t/x\n");
  line.pop_back();
  const auto back = parse_access_line(line);
  ASSERT_TRUE(back.ok()) << back.error().text;
  std::string again;
  append_access_line(*back, again);
  EXPECT_EQ(again, line + "\n");
}

TEST(AccessLog, InvisibleBytesAreEscapedAndMissingValuesAreDashes) {
  AccessEntry e = entry();
  e.page = kNoPage;
  e.fault = "-";
  e.method = "";
  e.host = "a\tb";
  e.target = "/\n\xff";
  std::string line;
  append_access_line(e, line);
  EXPECT_EQ(line, "12\t34\t5\t6\th2s\t-\t200\t789\t-\t-\ta%09b\t/%0A%FF\n");
}

TEST(AccessLog, OtherLinesAreRefused) {
  for (const char* line : {"", "1\t2", "12\t34\t5\t6\th3\tGET\t200\t789\t3\tdrip\ta.org\t/x",
                           "x\t34\t5\t6\th2\tGET\t200\t789\t3\tdrip\ta.org\t/x",
                           "12\t34\t5\t6\th2\tGET\t200\t789\t3\t\ta.org\t/x",
                           "12\t34\t5\t6\th2\tGET\t200\t789\t3\tdrip\ta.org\t/x\t"}) {
    EXPECT_FALSE(parse_access_line(line).ok()) << line;
  }
}

TEST(AccessLog, LinesReachTheSinkWhole) {
  std::string text;
  {
    AccessSink sink([&](std::string_view lines) { text += lines; });
    AccessLog log(&sink);
    EXPECT_TRUE(log.on());
    for (int i = 0; i < 3000; ++i) log.add(entry());
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text.back(), '\n');
  }
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3000);
}

TEST(AccessLog, AFileThatCannotBeMadeIsAnError) {
  const auto sink = AccessSink::open("/nonexistent/log.tsv");
  ASSERT_FALSE(sink.ok());
  EXPECT_NE(sink.error().text.find("/nonexistent/log.tsv"), std::string::npos);
}

}  // namespace
}  // namespace bowerbird
