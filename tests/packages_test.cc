// What users install: the files of a release, the units, and the terminal under tmux. The tests that end in
// Full need root and the Debian archive; all use the release build as it is.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "crawl_testing.h"
#include "process.h"
#include "version.h"

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kSource = BOWERBIRD_SOURCE_DIR;
const std::string kBuild = std::filesystem::path(BOWERBIRD_BINARY).parent_path().string();

// The files of a release, made once.
const std::string& release_folder() {
  static const TemporaryFolder folder;
  static const std::string made = [] {
    const ShellResult result = run_shell(fmt::format("{}/tools/release --no-build --build {} --out {} 2>&1",
                                                     kSource, kBuild, folder / "dist"));
    EXPECT_EQ(result.code, 0) << result.text;
    return folder / "dist";
  }();
  return made;
}

std::string deb_file() {
  for (const auto& entry : std::filesystem::directory_iterator(release_folder())) {
    if (entry.path().extension() == ".deb") return entry.path().string();
  }
  ADD_FAILURE() << "there is no package";
  return {};
}

std::string package_cache() {
  return kBuild + "/packages";
}

// One at a time: cpack and mmdebstrap use the same folders.
class PackagesFull : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(lockf(lock_, F_LOCK, 0), 0); }
  ~PackagesFull() override { close(lock_); }

 private:
  const int lock_ = open((kBuild + "/packages.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
};

TEST(Packages, TheServiceIsAsDocumented) {
  const std::string unit = read_text(kSource + "/packaging/bowerbird@.service");
  for (const char* line : {"Type=notify\n", "Restart=on-failure\n", "SuccessExitStatus=143\n",
                           "RestartPreventExitStatus=2\n", "StateDirectory=bowerbird/%i\n",
                           "/etc/bowerbird/%i.toml", "NoNewPrivileges=yes\n", "ProtectSystem=strict\n"})
    EXPECT_THAT(unit, HasSubstr(line));
  EXPECT_THAT(read_text(kSource + "/packaging/bowerbird@.timer"), HasSubstr("OnCalendar="));
}

// The example that is installed is a valid options file, and names no real site.
TEST(Packages, TheExampleOptionsAreValid) {
  const Finished shown =
      run_bowerbird({"crawl", "--config", kSource + "/packaging/example.toml", "--out", "x", "--dry-run"});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("would start a crawl in x"));
}

TEST_F(PackagesFull, AReleaseHasChecksumsAndAListOfDependencies) {
  const ShellResult sums = run_shell("cd " + release_folder() + " && sha256sum -c SHA256SUMS 2>&1");
  EXPECT_EQ(sums.code, 0) << sums.text;
  const auto list =
      nlohmann::json::parse(read_text(release_folder() + "/bowerbird-" BOWERBIRD_VERSION ".spdx.json"));
  EXPECT_EQ(list["spdxVersion"], "SPDX-2.3");
  std::set<std::string> ids, names;
  for (const auto& package : list["packages"]) {
    EXPECT_TRUE(ids.insert(package["SPDXID"].get<std::string>()).second) << package["SPDXID"];
    names.insert(package["name"].get<std::string>());
    for (const char* key : {"versionInfo", "downloadLocation", "licenseDeclared", "licenseConcluded"})
      EXPECT_FALSE(package[key].get<std::string>().empty()) << package["name"] << " " << key;
  }
  for (const char* name : {"bowerbird", "libpsl5", "libre2-9", "libcli11-dev", "npm-@observablehq/plot"})
    EXPECT_TRUE(names.contains(name)) << name;
  ids.insert("SPDXRef-DOCUMENT");
  for (const auto& relation : list["relationships"]) {
    EXPECT_TRUE(ids.contains(relation["spdxElementId"].get<std::string>()));
    EXPECT_TRUE(ids.contains(relation["relatedSpdxElement"].get<std::string>()));
  }
}

TEST_F(PackagesFull, LintianFindsNoErrors) {
  const ShellResult result = run_shell("lintian --allow-root --fail-on error " + deb_file() + " 2>&1");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, Not(HasSubstr("E: ")));
}

TEST_F(PackagesFull, TheUnitsAreCorrectAndHardened) {
  TemporaryFolder root;
  const std::string copy =
      fmt::format("dpkg-deb -x {} {} && cd {}/usr/lib/systemd/system", deb_file(), root.path(), root.path());
  const ShellResult verified =
      run_shell(copy +
                " && systemd-analyze verify --man=no --recursive-errors=no ./bowerbird@x.service "
                "./bowerbird@x.timer 2>&1 | grep -v '/usr/bin/bowerbird is not executable'");
  EXPECT_THAT(verified.text, Not(HasSubstr("bowerbird@"))) << verified.text;
  const ShellResult exposed = run_shell(
      copy + " && systemd-analyze security --offline=true --threshold=20 ./bowerbird@.service 2>&1");
  EXPECT_EQ(exposed.code, 0) << exposed.text;
}

TEST_F(PackagesFull, ATreeIsInstalledAnywhere) {
  TemporaryFolder root;
  const ShellResult result =
      run_shell(fmt::format("cmake --install {} --prefix {}/x 2>&1", kBuild, root.path()));
  ASSERT_EQ(result.code, 0) << result.text;
  for (const char* file :
       {"bin/bowerbird", "share/man/man1/bowerbird.1.gz", "share/bash-completion/completions/bowerbird",
        "share/zsh/vendor-completions/_bowerbird", "share/fish/vendor_completions.d/bowerbird.fish",
        "lib/systemd/system/bowerbird@.service", "share/doc/bowerbird/copyright"})
    EXPECT_TRUE(std::filesystem::exists(root.path() + "/x/" + file)) << file;
  EXPECT_FALSE(std::filesystem::exists(root.path() + "/etc")) << "only below /usr";
}

TEST_F(PackagesFull, AFreshDebianCanCrawlWithIt) {
  const ShellResult result = run_shell(
      fmt::format("{}/tests/package_smoke.sh chroot {} {} 2>&1", kSource, deb_file(), package_cache()));
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, HasSubstr("smoke: ok as 1000"));
}

TEST_F(PackagesFull, AContainerCanCrawlWithoutRoot) {
  const ShellResult result = run_shell(
      fmt::format("{}/tests/package_smoke.sh container {} {} 2>&1", kSource, deb_file(), package_cache()));
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, HasSubstr("smoke: ok as 10001"));
}

// ---- The terminal

// A crawl in a tmux of its own; the window may be resized while it runs.
class Tmux {
 public:
  Tmux(int columns, int rows, const std::string& command) {
    run(fmt::format("new-session -d -x {} -y {} '{}; echo ended; sleep 100'", columns, rows, command));
  }
  ~Tmux() { run("kill-server"); }
  Tmux(const Tmux&) = delete;
  Tmux& operator=(const Tmux&) = delete;

  std::string run(const std::string& words) const {
    return shell_output(fmt::format("tmux -L {} -f /dev/null {}", name_, words));
  }
  // The screen once it contains `text` this many times, or after ten seconds.
  std::string screen_with(const std::string& text, std::size_t times = 1) const {
    return shell_output(
        fmt::format("for i in $(seq 100); do [ $(tmux -L {0} capture-pane -p | grep -c '{1}') = {2} ] && "
                    "break; sleep 0.1; "
                    "done; tmux -L {0} capture-pane -p",
                    name_, text, times));
  }

 private:
  std::string name_ = fmt::format("bowerbird-test-{}", ::getpid());
};

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// A slow crawl, so that it is still running when the screen is read.
TEST_F(PackagesFull, TheTerminalIsRightAtEveryWidthAndAfterResizing) {
  CrawlBench bench(random_web(500, 50, 5));
  std::string words = BOWERBIRD_BINARY;
  for (const std::string& word : bench.command({"--pages", "400", "--delay", "300ms"})) words += " " + word;
  Tmux tmux(120, 30, words);
  EXPECT_THAT(tmux.screen_with("% of 400 pages"), HasSubstr("pages/s"));
  tmux.screen_with("last ");  // the first page is there
  for (const int width : {40, 200, 57, 80}) {
    SCOPED_TRACE(width);
    tmux.run(fmt::format("resize-window -x {} -y 30", width));
    tmux.screen_with("% of 400 pages", 1);
    const std::string screen = tmux.screen_with("frontier", 1);
    EXPECT_EQ(times_in(screen, "% of 400 pages"), 1u) << screen;
    EXPECT_EQ(times_in(screen, "frontier"), 1u) << screen;
    EXPECT_EQ(times_in(screen, "last "), 1u) << screen;
  }
  tmux.run("send-keys C-c");
  EXPECT_THAT(tmux.screen_with("ended"), HasSubstr("resume    bowerbird crawl --out "));
}

TEST(Packages, WithoutATerminalThereAreNoColoursAndNoRedrawnLines) {
  CrawlBench bench(random_web(50, 10, 3));
  const Finished done = run_bowerbird(bench.command());
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out + done.err, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace bowerbird
