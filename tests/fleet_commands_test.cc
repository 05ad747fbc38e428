// `bowerbird fleet` as a user runs it: start, status, stop, resume, check, merge.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "fleet_judges.h"
#include "fleet_testing.h"
#include "sys/disk.h"

namespace bowerbird {
namespace {

// The arguments of a crawl of a bench's Web, after the given ones.
std::vector<std::string> crawl_words(FleetBench& bench, std::vector<std::string> words) {
  for (const char* const word : {"--scope",     "any",         "--policy",      "opic",
                                 "--delay",     "0",           "--contact",     "tests@bowerbird.example",
                                 "--allow-net", "127.0.0.0/8", "--connections", "8",
                                 "--commit",    "100ms",       "--no-durable",  "--no-traps",
                                 "--patience",  "0.001",       "--partition",   "host-hash",
                                 "--json"}) {
    words.emplace_back(word);
  }
  words.insert(words.end(), {bench.options.start.seeds[0], "--connect-to", bench.options.network.connect_to});
  return words;
}

std::vector<std::string> start_words(FleetBench& bench, const std::string& folder) {
  return crawl_words(bench, {"fleet", "start", "--out", folder, "--procs", "3"});
}

// The pid in a file.
pid_t pid_in(const std::string& file) {
  return std::atoi(read_text(file).c_str());
}

// A fleet with its own server, which is running when its test begins.
struct FleetAtWork {
  explicit FleetAtWork(PageId pages, const std::vector<std::string>& more = {},
                       const std::string& policy = "opic")
      : bench(random_web(pages, 10, 4), slow()), folder(bench.dir("big")), log(bench.dir("start.log")) {
    bench.nats.reset();
    std::vector<std::string> words = start_words(bench, folder);
    words.insert(words.end(), more.begin(), more.end());
    *std::find(words.begin(), words.end(), "opic") = policy;
    process = std::make_unique<Process>(words, log);
    bench.wait_for_requests(300);
  }
  nlohmann::json members() const {
    return json_of(run_bowerbird({"fleet", "status", folder, "--json"})).at("members");
  }

  FleetBench bench;
  std::string folder;
  std::string log;
  std::unique_ptr<Process> process;
};

// The passwords of a fleet's own server are only in files that others cannot read.
void expect_no_password(const std::string& folder) {
  const auto users = nlohmann::json::parse(read_text(folder + "/nats/users.json"));
  constexpr std::string_view kPrivate[] = {"users.json", "server.conf", "options.toml", "server", "watcher"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = read_text(entry.path().string());
    if (std::ranges::find(kPrivate, entry.path().filename().string()) != std::end(kPrivate)) {
      EXPECT_EQ(entry.status().permissions() & std::filesystem::perms::mask,
                std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
          << entry.path();
      continue;
    }
    for (const auto& [user, password] : users.items())
      EXPECT_EQ(text.find(password.get<std::string>()), std::string::npos) << entry.path();
  }
  for (const char* const name : {"p0", "p1"}) {
    const pid_t pid = look_at_lock(folder + "/" + name + "/lock").holder;
    const std::string words = read_text("/proc/" + std::to_string(pid) + "/cmdline");
    EXPECT_EQ(words.find(users.at("member").get<std::string>()), std::string::npos) << words;
  }
}

TEST(FleetCommands, AStoppedFleetContinuesAndItsReportSaysThatNothingIsMissing) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 1500;
  FleetBench bench(random_web(kPages, 10, 4), slow());
  bench.nats.reset();  // it has its own
  const std::string folder = bench.dir("big");
  Process fleet(start_words(bench, folder), bench.dir("start.log"));
  bench.wait_for_requests(300);
  const auto running = json_of(run_bowerbird({"fleet", "status", folder, "--json", "--owners"}));
  EXPECT_TRUE(running.at("running").get<bool>());
  EXPECT_EQ(running.at("members").size(), 3u);
  for (const auto& member : running.at("members")) EXPECT_TRUE(member.at("alive").get<bool>());
  EXPECT_EQ(running.at("owners").size(), 256u);
  expect_no_password(folder);
  EXPECT_EQ(run_bowerbird({"fleet", "stop", folder}).code, 0);
  EXPECT_EQ(fleet.wait(), 0) << read_text(bench.dir("start.log"));

  const auto stopped = json_of(run_bowerbird({"fleet", "status", folder, "--json", "--check"}));
  EXPECT_FALSE(stopped.at("running").get<bool>());
  EXPECT_LT(stopped.at("check").at("pages").get<PageId>(), kPages);
  EXPECT_GT(stopped.at("check").at("left").get<PageId>(), 0u);

  const auto ended = json_of(run_bowerbird({"fleet", "resume", folder, "--json"}));
  EXPECT_EQ(ended.at("end"), "nothing left to fetch");
  expect_no_password(folder);
  EXPECT_EQ(ended.at("check").at("pages").get<PageId>(), kPages);
  EXPECT_EQ(ended.at("check").at("repeats").get<PageId>(), 0u);
  EXPECT_EQ(ended.at("check").at("left").get<PageId>(), 0u);
  EXPECT_EQ(run_bowerbird({"fleet", "merge", folder, "--into", folder}).code, 1);
  EXPECT_EQ(run_bowerbird(crawl_words(bench, {"crawl", "--out", folder})).code, 2);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"status"}, {"urls"}, {"report"}, {"lab"}, {"graph", "info"}}) {
    std::vector<std::string> words = command;
    words.push_back(folder);
    EXPECT_NE(run_bowerbird(words).err.find("fleet merge"), std::string::npos) << command.front();
  }
  EXPECT_EQ(run_bowerbird({"warc", "ls", folder}).code, 0);
  const Finished shown = run_bowerbird({"fleet", "status", folder, "--check"});
  EXPECT_NE(shown.out.find("no duplicates; every URL found was fetched"), std::string::npos) << shown.out;

  const auto merged =
      json_of(run_bowerbird({"fleet", "merge", folder, "--into", bench.dir("merged"), "--json"}));
  EXPECT_EQ(merged.at("pages").get<PageId>(), kPages);
  EXPECT_EQ(merged.at("repeats").get<PageId>(), 0u);
  EXPECT_EQ(bench.stored_by({"merged"}).size(), kPages);
  EXPECT_NE(read_text(bench.dir("merged") + "/options.toml").find("scope = 'any'"), std::string::npos);
  const auto told =
      json_of(run_bowerbird({"why", bench.dir("merged"), bench.options.start.seeds[0], "--json"}));
  EXPECT_EQ(told.at("steps_from_seed").get<int>(), 0);
  for (const auto& entry : std::filesystem::directory_iterator(bench.dir("merged"))) {
    if (entry.path().filename().string().starts_with("snapshot")) std::filesystem::remove(entry.path());
  }
  const auto again = json_of(run_bowerbird({"crawl", "--out", bench.dir("merged"), "--json"}));
  EXPECT_EQ(again.at("pages").get<PageId>(), kPages) << "by the journal alone";
  all_once(bench, kPages);
}

TEST(FleetCommands, ABrokerThatLosesItsDataIsRecoveredFromTheFolders) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 1500;
  FleetAtWork fleet(kPages);
  // Its processes are killed, too, so that messages are lost with the broker.
  fleet.process->send(SIGKILL);
  fleet.process->wait();
  for (const auto& entry : std::filesystem::directory_iterator(fleet.folder)) {
    if (const auto lock = entry.path() / "lock"; std::filesystem::exists(lock)) {
      if (const pid_t pid = look_at_lock(lock.string()).holder; pid > 0) ::kill(pid, SIGKILL);
    }
  }
  ::kill(pid_in(fleet.folder + "/nats/pid"), SIGKILL);
  std::filesystem::remove_all(fleet.folder + "/nats");
  const Finished refused = run_bowerbird({"fleet", "resume", fleet.folder});
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("fleet recover"), std::string::npos) << refused.err;
  const Finished recovered = run_bowerbird({"fleet", "recover", fleet.folder});
  EXPECT_EQ(recovered.code, 0) << recovered.err;
  EXPECT_NE(run_bowerbird({"fleet", "recover", fleet.folder}).code, 0) << "nothing is lost";
  const auto ended = json_of(run_bowerbird({"fleet", "resume", fleet.folder, "--json"}));
  EXPECT_EQ(ended.at("end"), "nothing left to fetch");
  EXPECT_EQ(ended.at("check").at("pages").get<PageId>(), kPages);
  EXPECT_EQ(ended.at("check").at("repeats").get<PageId>(), 0u);
  EXPECT_EQ(ended.at("check").at("left").get<PageId>(), 0u);
}

TEST(FleetCommands, AUsedUpBudgetStaysSoUntilItIsRaised) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 1500;
  FleetBench bench(random_web(kPages, 10, 4), slow());
  bench.nats.reset();
  const std::string folder = bench.dir("big");
  std::ofstream(bench.dir("some.toml")) << "pages = 300\n";
  std::vector<std::string> words = start_words(bench, folder);
  words.insert(words.end(), {"--config", bench.dir("some.toml")});
  const auto first = json_of(run_bowerbird(words));
  EXPECT_EQ(first.at("end"), "page budget reached");
  EXPECT_GE(first.at("pages").get<PageId>(), 300u);
  EXPECT_LT(first.at("pages").get<PageId>(), 600u) << "a few more than that, unless nobody hears of anybody";
  const std::size_t requests = bench.requests();
  const Finished again = run_bowerbird({"fleet", "resume", folder});
  EXPECT_EQ(again.code, 0) << "nothing left to do";
  EXPECT_NE(again.out.find("give a larger --pages"), std::string::npos) << again.out;
  EXPECT_EQ(bench.requests(), requests);
  EXPECT_EQ(run_bowerbird({"fleet", "resume", folder, "--scope", "host"}).code, 2) << "that all agreed upon";
  const auto ended = json_of(run_bowerbird({"fleet", "resume", folder, "--pages", "0", "--json"}));
  EXPECT_EQ(ended.at("end"), "nothing left to fetch");
  EXPECT_EQ(ended.at("check").at("pages").get<PageId>(), kPages);
  all_once(bench, kPages);
}

// A partition that is being given away is still in transit when all processes stop, and its queue
// delivers it to the sender.
TEST(FleetCommands, AFleetStoppedWhileAProcessLeavesStoresNothingTwiceFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 1500;
  FleetAtWork fleet(kPages);
  EXPECT_EQ(run_bowerbird({"fleet", "leave", fleet.folder, "p2"}).code, 0);
  EXPECT_EQ(run_bowerbird({"fleet", "stop", fleet.folder}).code, 0);
  EXPECT_EQ(fleet.process->wait(), 0) << read_text(fleet.log);
  const auto ended = json_of(run_bowerbird({"fleet", "resume", fleet.folder, "--json"}));
  EXPECT_EQ(ended.at("check").at("pages").get<PageId>(), kPages);
  EXPECT_EQ(ended.at("check").at("repeats").get<PageId>(), 0u);
  all_once(fleet.bench, kPages);
}

TEST(FleetCommands, ABrokerOfItsOwnThatIsKilledIsStartedAgainFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 1500;
  FleetAtWork fleet(kPages);
  ASSERT_EQ(::kill(pid_in(fleet.folder + "/nats/pid"), SIGKILL), 0);
  EXPECT_EQ(fleet.process->wait(), 0) << read_text(fleet.log);
  EXPECT_NE(read_text(fleet.log).find("was restarted"), std::string::npos);
  all_once(fleet.bench, kPages);
}

TEST(FleetCommands, AFleetContinuesWithoutItsLauncherAndRejectsOtherOptionsFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 1500;
  FleetAtWork fleet(kPages, {}, "auto");
  const Finished twice = run_bowerbird({"fleet", "resume", fleet.folder});
  EXPECT_EQ(twice.code, 1);
  EXPECT_NE(twice.err.find("in use"), std::string::npos) << twice.err;
  const Finished other = run_bowerbird(
      crawl_words(fleet.bench, {"crawl", "--fleet", read_text(fleet.folder + "/server"), "--member", "other",
                                "--exclude", "x", "--out", fleet.bench.dir("other")}));
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.err.find("--exclude: nothing in the fleet, x here"), std::string::npos) << other.err;
  EXPECT_NE(other.err.find("--policy: lipr in the fleet, opic here"), std::string::npos) << other.err;
  std::vector<std::string> words =
      crawl_words(fleet.bench, {"crawl", "--fleet", read_text(fleet.folder + "/server"), "--member", "p0",
                                "--out", fleet.bench.dir("same")});
  *std::find(words.begin(), words.end(), "opic") = "lipr";
  const Finished same = run_bowerbird(words);
  EXPECT_NE(same.err.find("a process named p0"), std::string::npos) << same.err;
  EXPECT_EQ(same.code, 1);
  EXPECT_FALSE(std::filesystem::exists(fleet.bench.dir("same"))) << same.err;
  fleet.process->send(SIGKILL);
  fleet.process->wait();
  const auto ended = json_of(run_bowerbird({"fleet", "resume", fleet.folder, "--json"}));
  EXPECT_EQ(ended.at("check").at("pages").get<PageId>(), kPages);
  EXPECT_EQ(ended.at("check").at("left").get<PageId>(), 0u);
  all_once(fleet.bench, kPages);
}

TEST(FleetCommands, AStopEndsTheServerOfAFleetWhoseLauncherWasKilledFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 1500;
  FleetAtWork fleet(kPages);
  const std::string server = read_text(fleet.folder + "/server");
  ASSERT_TRUE(Bus::connect(server).ok());
  fleet.process->send(SIGKILL);
  fleet.process->wait();
  EXPECT_EQ(run_bowerbird({"fleet", "stop", fleet.folder}).code, 0);
  EXPECT_FALSE(Bus::connect(server).ok());
  const auto ended = json_of(run_bowerbird({"fleet", "resume", fleet.folder, "--json"}));
  EXPECT_EQ(ended.at("check").at("pages").get<PageId>(), kPages);
  all_once(fleet.bench, kPages);
}

TEST(FleetCommands, AResumeReplacesAProcessThatWasTakenOverFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 3000;
  FleetAtWork fleet(kPages, {"--lease", "2s"});
  ASSERT_EQ(::kill(pid_in(fleet.folder + "/p0/lock"), SIGKILL), 0);
  for (int i = 0; i < 300 && fleet.members()["p0"].value("state", "") != "absorbed"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(run_bowerbird({"fleet", "stop", fleet.folder}).code, 0);
  EXPECT_EQ(fleet.process->wait(), 1) << "one of its processes was killed";
  const auto ended = json_of(run_bowerbird({"fleet", "resume", fleet.folder, "--json"}));
  EXPECT_EQ(ended.at("folders").get<int>(), 4);
  EXPECT_EQ(ended.at("check").at("pages").get<PageId>(), kPages);
  EXPECT_EQ(ended.at("check").at("repeats").get<PageId>(), 0u);
}

TEST(FleetCommands, AServerStaysForAProcessThatJoinedByHandFull) {
  SKIP_WITHOUT_NATS();
  constexpr PageId kPages = 3000;
  FleetAtWork fleet(kPages);
  Process guest(crawl_words(fleet.bench, {"crawl", "--fleet", read_text(fleet.folder + "/server"), "--member",
                                          "guest", "--out", fleet.bench.dir("guest")}),
                fleet.bench.dir("guest.log"));
  const auto of_guest = [&]() -> std::uint64_t {
    const auto members = fleet.members();
    return members.contains("guest") ? members["guest"].value("partitions", 0u) : 0;
  };
  const auto later = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (of_guest() == 0 && std::chrono::steady_clock::now() < later) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  for (const char* const member : {"p0", "p1", "p2"}) {
    EXPECT_EQ(run_bowerbird({"fleet", "leave", fleet.folder, member}).code, 0);
  }
  EXPECT_EQ(fleet.process->wait(), 0) << read_text(fleet.log);
  EXPECT_EQ(guest.wait(), 0) << read_text(fleet.bench.dir("guest.log"));
  const auto check =
      json_of(run_bowerbird({"fleet", "status", fleet.folder, "--json", "--check"})).at("check");
  EXPECT_EQ(check.at("pages").get<PageId>(), kPages);
  EXPECT_EQ(check.at("left").get<PageId>(), 0u);
  all_once(fleet.bench, kPages);
}

TEST(FleetCommands, AFleetWithoutAPageEndsWithOne) {
  SiteOptions site;
  site.page_faults = {{Fault::kForbidden, 1.0, 0}};
  FleetBench bench(random_web(20, 10, 3), site);
  bench.nats.reset();
  std::vector<std::string> words = start_words(bench, bench.dir("big"));
  words.insert(words.end(), {"--mode", "firewall"});
  const Finished ended = run_bowerbird(words);
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.err.find("no page was fetched"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("seed " + bench.options.start.seeds[0] + ": HTTP 40"), std::string::npos)
      << ended.err;
}

TEST(FleetCommands, StoppingAFleetWithoutABrokerEndsWithZero) {
  FleetBench bench(random_web(3000, 10, 3), slow());
  bench.nats.reset();
  const std::string folder = bench.dir("big");
  std::vector<std::string> words = start_words(bench, folder);
  words.insert(words.end(), {"--mode", "firewall"});
  Process fleet(words, bench.dir("log"));
  bench.wait_for_requests(100);
  EXPECT_EQ(run_bowerbird({"fleet", "stop", folder}).code, 0);
  EXPECT_EQ(fleet.wait(), 0) << read_text(bench.dir("log"));
}

// Processes that do not communicate: with a firewall pages are missed, and the check reports it.
TEST(FleetCommands, TheCheckFindsPagesThatAFirewallMisses) {
  FleetBench bench(random_web(300, 10, 3));
  bench.nats.reset();
  std::vector<std::string> words = start_words(bench, bench.dir("big"));
  words.insert(words.end(), {"--mode", "firewall"});
  const auto ended = json_of(run_bowerbird(words));
  const auto check = ended.at("check");
  EXPECT_EQ(check.at("repeats").get<PageId>(), 0u);
  EXPECT_GT(check.at("left").get<PageId>(), 0u);
  EXPECT_EQ(check.at("pages").get<PageId>(), bench.fetches().size());
}

}  // namespace
}  // namespace bowerbird
