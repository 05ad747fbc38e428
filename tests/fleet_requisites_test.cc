// Requisites in a fleet: each is fetched once, by the owner of its host, even if a process is lost.
#include <gtest/gtest.h>

#include <chrono>

#include "fleet_testing.h"
#include "process.h"
#include "small_site_testing.h"
#include "stored_urls.h"

namespace bowerbird {
namespace {

// Twelve hosts with pages, and six with images and style sheets that refer to each other across hosts.
struct IllustratedFleet {
  static constexpr int kHosts = 12, kPagesPerHost = 12;

  explicit IllustratedFleet(std::string lease)
      : site(files()),
        nats(std::move(LocalServer::start(folder / "nats")).value()),
        lease_(std::move(lease)) {}

  static std::string image(int number) {
    return fmt::format("http://cdn{}.test/i{}.png", number % 5, number);
  }
  static std::string page(int host, int number) {
    return fmt::format("http://h{}.test/p{}.html", host, number);
  }
  // Answers by path alone, whatever the host.
  static SmallSite::Files files() {
    SmallSite::Files files;
    for (int number = 0; number < kPagesPerHost; ++number) {
      std::string html = "<link rel=icon href='data:,'><link rel=stylesheet href=http://cdn5.test/s.css>";
      for (int i = 0; i < 3; ++i) html += fmt::format("<img src={}>", image(number * 3 + i));
      for (int host = 0; host < kHosts; ++host)
        html += fmt::format("<a href={}>", page(host, (number + 1) % kPagesPerHost));
      files[fmt::format("/p{}.html", number)] = {"text/html", html};
    }
    for (int i = 0; i < kPagesPerHost * 3; ++i)
      files[fmt::format("/i{}.png", i)] = {"image/png", fmt::format("image {}", i)};
    files["/s.css"] = {"text/css", "@import 'http://cdn4.test/t.css'; p{background:url(/moved.png)}"};
    files["/t.css"] = {"text/css", "@font-face{src:url(http://cdn3.test/f.woff2)}"};
    files["/f.woff2"] = {"font/woff2", "font"};
    return files;
  }
  // Each URL that a fleet stores.
  static std::set<std::string> expected() {
    std::set<std::string> urls = {"http://cdn5.test/s.css", "http://cdn4.test/t.css",
                                  "http://cdn3.test/f.woff2", "http://cdn5.test/moved.png"};
    for (int host = 0; host < kHosts; ++host) {
      for (int number = 0; number < kPagesPerHost; ++number) urls.insert(page(host, number));
    }
    for (int i = 0; i < kPagesPerHost * 3; ++i) urls.insert(image(i));
    return urls;
  }

  std::vector<std::string> words(const std::string& name) {
    return {"crawl",
            page(0, 0),
            "--out",
            folder / name,
            "--member",
            name,
            "--fleet",
            nats->url(),
            "--procs",
            "3",
            "--scope",
            "any",
            "--include",
            "^http://h",
            "--archive",
            "--connect-to",
            site.url("").substr(7),
            "--allow-net",
            "127.0.0.0/8",
            "--delay",
            delay,
            "--contact",
            "tests@bowerbird.example",
            "--commit",
            "100ms",
            "--no-durable",
            "--no-traps",
            "--patience",
            "0.001",
            "--partition",
            "host-hash",
            "--lease",
            lease_,
            "--no-report",
            "-q"};
  }
  void start(const std::string& name) {
    processes[name] = std::make_unique<Process>(words(name), folder / (name + ".log"));
  }
  std::multiset<std::string> stored(const std::vector<std::string>& names) {
    std::multiset<std::string> all;
    for (const std::string& name : names) all.merge(stored_urls(folder / name));
    return all;
  }
  void expect_complete(const std::string& merged) {
    EXPECT_EQ(std::set<std::string>(expected()), [&] {
      const auto urls = stored_urls(merged);
      EXPECT_EQ(urls.size(), expected().size()) << "each once";
      return std::set<std::string>(urls.begin(), urls.end());
    }());
    const auto status = json_of(run_bowerbird({"status", merged, "--json"}));
    EXPECT_EQ(status["pages"], kHosts * kPagesPerHost);
    EXPECT_EQ(status["pages_complete"], kHosts * kPagesPerHost);
    EXPECT_EQ(status["requisites_pending"], 0);
    EXPECT_EQ(run_bowerbird({"urls", merged, "--incomplete"}).out, "");
  }

  TemporaryFolder folder;
  SmallSite site;
  std::unique_ptr<LocalServer> nats;
  std::string delay = "0";
  std::string lease_;
  std::map<std::string, std::unique_ptr<Process>> processes;
};

TEST(FleetRequisites, AreFetchedOnceByTheirOwner) {
  SKIP_WITHOUT_NATS();
  IllustratedFleet fleet("10");
  const std::vector<std::string> names = {"p0", "p1", "p2"};
  for (const std::string& name : names) fleet.start(name);
  for (const std::string& name : names)
    EXPECT_EQ(fleet.processes[name]->wait(), 0) << read_text(fleet.folder / (name + ".log"));
  const auto stored = fleet.stored(names);
  EXPECT_EQ(stored.size(), IllustratedFleet::expected().size()) << "none is fetched by two processes";
  // The folder of a fleet is exported as one file.
  const Finished exported = run_bowerbird(
      {"export", fleet.folder.path(), "--as", "wacz", "-o", fleet.folder / "whole.wacz", "--json"});
  ASSERT_EQ(exported.code, 0) << exported.err;
  const auto checked =
      nlohmann::json::parse(shell_output(fmt::format("python3 '{}/tests/wacz_check.py' '{}'",
                                                     BOWERBIRD_SOURCE_DIR, fleet.folder / "whole.wacz")),
                            nullptr, false);
  ASSERT_TRUE(checked.is_object());
  EXPECT_EQ(checked["wrong"], nlohmann::json::array());
  EXPECT_EQ(checked["pages"].size(),
            static_cast<std::size_t>(IllustratedFleet::kHosts) * IllustratedFleet::kPagesPerHost);
  const Finished merge = run_bowerbird({"fleet", "merge", fleet.folder / "p0", fleet.folder / "p1",
                                        fleet.folder / "p2", "--into", fleet.folder / "merged"});
  ASSERT_EQ(merge.code, 0) << merge.err;
  fleet.expect_complete(fleet.folder / "merged");
  // The merged folder can be resumed: its journal is valid.
  const Finished again = run_bowerbird({"crawl", "--out", fleet.folder / "merged", "--json"});
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST(FleetRequisites, OfALostProcessAreFetchedByOthersFull) {
  SKIP_WITHOUT_NATS();
  IllustratedFleet fleet("2");
  fleet.delay = "0.5";
  const std::vector<std::string> names = {"p0", "p1", "p2"};
  for (const std::string& name : names) fleet.start(name);
  // A process is lost while its requisites are pending.
  std::string lost;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (lost.empty() && std::chrono::steady_clock::now() < deadline) {
    const auto status = nlohmann::json::parse(
        run_bowerbird({"fleet", "status", fleet.nats->url(), "--json"}).out, nullptr, false);
    if (!status.is_object() || !status.contains("members")) continue;
    for (const auto& [name, member] : status["members"].items()) {
      if (member.value("requisites_pending", 0u) > 0) lost = name;
    }
  }
  ASSERT_NE(lost, "") << "nothing was pending";
  fleet.processes[lost]->send(SIGKILL);
  fleet.processes[lost]->wait();
  for (const std::string& name : names) {
    if (name == lost) continue;
    EXPECT_EQ(fleet.processes[name]->wait(), 0) << read_text(fleet.folder / (name + ".log"));
  }
  const Finished merge = run_bowerbird({"fleet", "merge", fleet.folder / "p0", fleet.folder / "p1",
                                        fleet.folder / "p2", "--into", fleet.folder / "merged"});
  ASSERT_EQ(merge.code, 0) << merge.err;
  fleet.expect_complete(fleet.folder / "merged");
}

}  // namespace
}  // namespace bowerbird
