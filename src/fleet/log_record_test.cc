#include "fleet/log_record.h"

#include <gtest/gtest.h>

#include "crawl/config/option_table.h"

namespace bowerbird {
namespace {

const HashKey kLogKey{1, 2};

LogRecord some_piece(bool last) {
  LogPiece piece;
  piece.commit = 7;
  piece.number = 3;
  if (last) piece.last = LoggedCommit{{7, 1000, {4, 5, 6}}, 12'345};
  piece.parts = {
      {CopiedFile::kJournal, 0, "frame"}, {CopiedFile::kLinks, 0, "half "}, {CopiedFile::kLinks, 2, "block"}};
  return {"fleet", "member", piece};
}

TEST(LogRecord, WhatIsWrittenIsRead) {
  for (const bool last : {false, true}) {
    const LogRecord written = some_piece(last);
    const auto read = read_log_record(write_log_record(written, kLogKey), kLogKey);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->fleet, "fleet");
    EXPECT_EQ(read->member, "member");
    const auto& piece = std::get<LogPiece>(read->content);
    const auto& wanted = std::get<LogPiece>(written.content);
    EXPECT_EQ(piece.commit, 7u);
    EXPECT_EQ(piece.number, 3u);
    EXPECT_EQ(piece.last, wanted.last);
    EXPECT_EQ(piece.parts, wanted.parts);
    const auto head = read_log_head(write_log_record(written, kLogKey), kLogKey);
    ASSERT_TRUE(head);
    EXPECT_EQ(std::get<LogPiece>(head->content).last, wanted.last);
    EXPECT_TRUE(std::get<LogPiece>(head->content).parts.empty());
  }
  for (const bool withdrawn : {false, true}) {
    const auto read =
        read_log_record(write_log_record({"f", "m", LogClaim{"taker", 9, withdrawn}}, kLogKey), kLogKey);
    ASSERT_TRUE(read);
    const auto& claim = std::get<LogClaim>(read->content);
    EXPECT_EQ(claim.by, "taker");
    EXPECT_EQ(claim.commit, 9u);
    EXPECT_EQ(claim.withdrawn, withdrawn);
  }
}

TEST(LogRecord, WhatIsCutOffOrOfAnotherFleetIsRefused) {
  for (const LogRecord& record : {some_piece(true), LogRecord{"f", "m", LogClaim{"taker", 9, false}}}) {
    const std::string message = write_log_record(record, kLogKey);
    for (std::size_t size = 0; size < message.size(); ++size) {
      EXPECT_FALSE(read_log_record(message.substr(0, size), kLogKey)) << size;
      EXPECT_FALSE(read_log_head(message.substr(0, size), kLogKey)) << size;
    }
    for (std::size_t at = 0; at < message.size(); ++at) {
      std::string damaged = message;
      damaged[at] = static_cast<char>(damaged[at] ^ 4);
      EXPECT_FALSE(read_log_record(damaged, kLogKey)) << at;
    }
    EXPECT_FALSE(read_log_record(message, {3, 4}));
  }
}

TEST(LogRecord, AFullPieceFitsIntoAMessage) {
  LogPiece piece;
  piece.commit = 1;
  std::string noise;
  for (std::size_t i = 0; i < kPieceBytes; ++i) noise += static_cast<char>(i * i * 2654435761u >> 13);
  piece.parts = {{CopiedFile::kUrls, 1, noise}};
  EXPECT_LT(write_log_record({std::string(32, 'f'), std::string(32, 'm'), piece}, kLogKey).size(),
            (1u << 20) - 4096);
}

// The journal has the fixed options.
TEST(LogRecord, NoFixedOptionIsSecret) {
  for (const CrawlOptionRow& row : crawl_option_table())
    EXPECT_FALSE(row.is(kFixed) && row.is(kSecret)) << row.name;
}

}  // namespace
}  // namespace bowerbird
