#include "sys/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "sys/write_file.h"

namespace bowerbird {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder_(fs::path(testing::TempDir()) / fmt::format("bowerbird-file-test-{}", ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~Files() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  fs::path folder_;
};

void put(const std::string& path, std::string_view text) {
  auto file = OutputFile::create(path);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->write(text).ok());
  ASSERT_TRUE((*file)->finish().ok());
}

TEST_F(Files, OnlyFinishedFilesAreVisible) {
  put(path("a"), "hello");
  EXPECT_EQ((*MappedFile::open(path("a")))->text(), "hello");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, AnUnfinishedFileLeavesTheOldOneUnchanged) {
  put(path("a"), "old");
  {
    auto file = OutputFile::create(path("a"));
    ASSERT_TRUE((*file)->write(std::string(1 << 20, 'x')).ok());
  }
  EXPECT_EQ((*MappedFile::open(path("a")))->text(), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, AFinishedFileReplacesTheOldOne) {
  put(path("a"), "old and long");
  put(path("a"), "new");
  EXPECT_EQ((*MappedFile::open(path("a")))->text(), "new");
}

TEST_F(Files, LargeAndSmallWritesKeepTheirOrder) {
  auto file = OutputFile::create(path("a"));
  std::string expected;
  for (int i = 0; i < 40; ++i) {
    const std::string piece(static_cast<std::size_t>(i * i * 500), static_cast<char>('a' + i % 26));
    expected += piece;
    ASSERT_TRUE((*file)->write(piece).ok());
    EXPECT_EQ((*file)->size(), expected.size());
  }
  ASSERT_TRUE((*file)->finish().ok());
  EXPECT_TRUE((*MappedFile::open(path("a")))->text() == expected);
}

TEST_F(Files, AHeaderCanBeFilledInLast) {
  auto file = OutputFile::create(path("a"));
  ASSERT_TRUE((*file)->write("0000 rest").ok());
  ASSERT_TRUE((*file)->rewrite(0, "1234").ok());
  ASSERT_TRUE((*file)->write(" more").ok());
  ASSERT_TRUE((*file)->finish().ok());
  EXPECT_EQ((*MappedFile::open(path("a")))->text(), "1234 rest more");
}

TEST_F(Files, AnEmptyFileMapsToNothing) {
  put(path("a"), "");
  EXPECT_TRUE((*MappedFile::open(path("a")))->bytes().empty());
}

TEST_F(Files, APrivateFileReplacesOneThatAllCouldRead) {
  put(path("a"), "for all");
  auto file = OutputFile::create(path("a"), 0600);
  ASSERT_TRUE((*file)->write("for one").ok());
  ASSERT_TRUE((*file)->finish().ok());
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Files, ASymbolicLinkStaysOneAndItsTargetIsReplaced) {
  put(path("target"), "old");
  fs::create_symlink(path("target"), path("link"));
  put(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ((*MappedFile::open(path("target")))->text(), "new");
}

TEST_F(Files, AnOutputFileReplacesASymbolicLink) {
  ASSERT_TRUE(write_file(path("victim"), "precious").ok());
  fs::create_symlink(path("victim"), path("options.toml"));
  ASSERT_TRUE(write_file(path("options.toml"), "ours").ok());
  EXPECT_FALSE(fs::is_symlink(path("options.toml")));
  EXPECT_EQ((*MappedFile::open(path("victim")))->text(), "precious");
  EXPECT_EQ((*MappedFile::open(path("options.toml")))->text(), "ours");
}

TEST_F(Files, APipeStaysAPipeAndGetsTheBytes) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  put(path("pipe"), "hello");
  char text[16] = {};
  EXPECT_EQ(::read(reader, text, sizeof text), 5);
  EXPECT_STREQ(text, "hello");
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(Files, ErrorsNameThePath) {
  const auto missing = MappedFile::open(path("none"));
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().text.find(path("none")), std::string::npos);
  EXPECT_FALSE(MappedFile::open(folder_.string()).ok());
  EXPECT_FALSE(OutputFile::create(path("no/such/folder")).ok());
}

}  // namespace
}  // namespace bowerbird
