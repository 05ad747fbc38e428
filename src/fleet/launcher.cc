#include "fleet/launcher.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/option_row.h"
#include "fleet/identity.h"
#include "store/crawl_reader.h"
#include "sys/file.h"
#include "sys/spawn.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr char kLockFile[] = "/lock";
// URLs of the server with the passwords of its users, while the fleet runs.
constexpr char kServerFile[] = "/server";
constexpr char kWatcherFile[] = "/watcher";
constexpr char kSecretsFolder[] = "/secrets";
constexpr char kLoopback[] = "127.0.0.1";
// Reading more links than this takes minutes; use `fleet status --check`.
constexpr std::uint64_t kMostLinksToCheck = 20'000'000;
constexpr int kEndTries = 600;
constexpr auto kEndTick = std::chrono::milliseconds(100);

std::string name_of(std::uint64_t number) {
  return "p" + std::to_string(number);
}

// The last error that a process logged, which may have several lines.
std::string last_logged_error(const std::string& path) {
  constexpr std::string_view kComplaint = "bowerbird: ";
  std::ifstream in(path);
  std::string line, last;
  while (std::getline(in, line)) {
    if (line.starts_with(kComplaint)) {
      last = line.substr(kComplaint.size());
    } else if (!line.empty()) {
      last += (last.empty() ? "" : "\n") + line;
    }
  }
  return last.empty() ? "nothing" : last;
}

// Whether any process of this fleet has ever been a member.
bool has_joined(const std::string& folder) {
  return std::ranges::any_of(fleet_folders(folder), [](const std::string& one) {
    const auto identity = read_identity(one);
    return identity.ok() && *identity && (*identity)->joined;
  });
}

// A process that was told to stop has its own exit code.
bool ended_well(int status) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return code == 0 || code == 128 + SIGINT || code == 128 + SIGTERM;
}

}  // namespace

std::vector<std::uint64_t> processes_to_start(const Members& members, const std::string& folder,
                                              std::uint64_t procs) {
  std::vector<std::uint64_t> numbers, left;
  std::error_code failed;
  for (std::uint64_t i = 0;; ++i) {
    const auto known = members.find(name_of(i));
    const bool is_new = known == members.end() || !known->second.record;
    if (is_new && numbers.size() + left.size() >= procs) break;
    if (std::filesystem::is_symlink(folder + "/" + name_of(i), failed)) continue;  // a guest's
    const auto state = is_new ? MemberRecord::State::kIn : known->second.record->state;
    if (state == MemberRecord::State::kLeft) left.push_back(i);
    if (state == MemberRecord::State::kIn || state == MemberRecord::State::kLeaving) numbers.push_back(i);
  }
  return numbers.empty() ? left : numbers;
}

// ---- processes

pid_t fleet_runner(const std::string& folder) {
  return look_at_lock(folder + kLockFile).holder;
}

Result<std::unique_ptr<FleetLauncher>> FleetLauncher::start(const std::string& folder,
                                                            const FleetSetup& setup) {
  std::unique_ptr<FleetLauncher> launcher(new FleetLauncher(folder, setup));
  BB_TRY_VOID(launcher->begin());
  return launcher;
}

Status FleetLauncher::begin() {
  BB_TRY(lock_, Disk::real().lock(folder_ + kLockFile));
  Members members;
  if (setup_.exchanges()) BB_TRY_VOID(begin_broker(members));
  for (const std::uint64_t number : processes_to_start(members, folder_, setup_.procs))
    BB_TRY_VOID(spawn(number));
  return {};
}

Status FleetLauncher::begin_broker(Members& members) {
  url_ = setup_.url;
  if (url_.empty()) {
    end_leftovers();
    BB_TRY(server_, LocalServer::start(folder_ + "/nats", 0, kLoopback, setup_.fleet));
    url_ = server_->url();
    BB_TRY_VOID(write_file(folder_ + kWatcherFile, server_->watcher_url(), 0600));
  }
  BB_TRY_VOID(write_file(folder_ + kServerFile, url_, 0600));
  const auto admin = FleetAdmin::open(url_, setup_.fleet);
  bool knows = admin.ok() || !server_;  // another server may only be unreachable
  if (admin.ok()) {
    BB_TRY(knows, (*admin)->knows_fleet());
  }
  if (!knows && has_joined(folder_)) {
    return error(
        "{0}: the NATS server does not know this fleet, because it has lost its data. Run `bowerbird fleet "
        "recover {0}`; nothing that was committed is lost",
        folder_);
  }
  if (admin.ok()) {
    BB_TRY_VOID((*admin)->set_stop(false));
    BB_TRY(const FleetView view, (*admin)->look());
    members = view.members;
  }
  return {};
}

// The process that started them is dead, because we have its lock. They commit and end; we start them again.
void FleetLauncher::end_leftovers() {
  const auto url = MappedFile::open(folder_ + "/server");
  if (!url.ok()) return;
  if (auto admin = FleetAdmin::open(std::string((*url)->text()), setup_.fleet);
      admin.ok() && (*admin)->set_stop(true).ok()) {
    const auto alive = [&] {
      const auto view = (*admin)->look();
      return view.ok() && std::any_of(view->members.begin(), view->members.end(),
                                      [](const auto& one) { return one.second.heartbeat.has_value(); });
    };
    if (alive())
      warnings_.emplace_back("processes of an earlier start are still running; stopping them first");
    for (int i = 0; i < kEndTries && alive(); ++i) std::this_thread::sleep_for(kEndTick);
  }
  LocalServer::end_leftover(folder_ + "/nats");
}

Status FleetLauncher::spawn(std::uint64_t number) {
  const std::string name = name_of(number);
  std::vector<std::string> words = {"bowerbird", "crawl"};
  BB_TRY(const std::vector<std::string> given, words_without_secrets(setup_.words, folder_ + kSecretsFolder));
  words.insert(words.end(), given.begin(), given.end());
  words.insert(words.end(),
               {"--out=" + folder_ + "/" + name, "--member=" + name,
                fmt::format("--mode={}", name_of(setup_.mode)), "--procs=" + std::to_string(setup_.procs),
                "--process=" + std::to_string(number % setup_.procs), "--quiet", "--json"});
  if (setup_.exchanges()) {
    words.insert(words.end(), {"--fleet=@" + folder_ + kServerFile, "--fleet-name=" + setup_.fleet});
  }
  BB_TRY(const pid_t pid,
         bowerbird::spawn(kThisProgram, std::move(words), {folder_ + "/" + name + ".log", true}));
  children_.push_back({name, pid});
  names_.push_back(name);
  return {};
}

FleetLauncher::~FleetLauncher() {
  for (const Child& child : children_) ::kill(child.pid, SIGTERM);
  for (const Child& child : children_) ::waitpid(child.pid, nullptr, 0);
  admin_.reset();
  if (!url_.empty()) {
    std::error_code failed;
    std::filesystem::remove(folder_ + kServerFile, failed);
    std::filesystem::remove(folder_ + kWatcherFile, failed);
  }
}

void FleetLauncher::note_end(const Child& child, int status) {
  if (ended_well(status)) return;
  std::string how;
  if (WIFSIGNALED(status)) {
    how = fmt::format("{} was killed by signal {} ({})", child.name, WTERMSIG(status),
                      ::strsignal(WTERMSIG(status)));
  } else {
    how = fmt::format("{0} ended with an error (see {1}/{0}.log): {2}", child.name, folder_,
                      last_logged_error(folder_ + "/" + child.name + ".log"));
  }
  if (failed_.empty()) failure_ = how;
  failed_.push_back(child.name);
  if (setup_.exchanges()) how += "; other processes, if any, take over its partitions";
  warnings_.push_back(std::move(how));
}

void FleetLauncher::keep_server() {
  if (!server_ || server_->running()) return;
  admin_.reset();
  auto again = LocalServer::start(folder_ + "/nats", server_->port(), kLoopback, setup_.fleet);
  warnings_.push_back(again.ok() ? "nats-server ended unexpectedly and was restarted"
                                 : "nats-server has ended: " + again.error().text);
  server_ = again.ok() ? std::move(*again) : nullptr;
}

std::size_t FleetLauncher::running() {
  keep_server();
  std::erase_if(children_, [this](const Child& child) {
    int status = 0;
    if (::waitpid(child.pid, &status, WNOHANG) != child.pid) return false;
    note_end(child, status);
    return true;
  });
  if (!admin_ && !refused_ && setup_.exchanges()) open_admin();
  return children_.size();
}

void FleetLauncher::open_admin() {
  auto admin = FleetAdmin::open(url_, setup_.fleet);
  if (admin.ok()) {
    admin_ = std::move(*admin);
  } else if (admin.error().kind != ErrorKind::kRetry) {
    refused_ = true;
    warnings_.push_back(admin.error().text);
  }
}

std::optional<FleetView> FleetLauncher::look() {
  if (!admin_) return std::nullopt;
  auto view = admin_->look();
  if (!view.ok()) return std::nullopt;
  for (const std::string& name : elsewhere(folder_, *view)) {
    const MemberRecord& guest = *view->members.at(name).record;
    if (!is_folder_of(guest.folder, guest.id) || !CrawlReader::holds_crawl(guest.folder)) continue;
    std::error_code failed;
    std::filesystem::create_directory_symlink(guest.folder, folder_ + "/" + name, failed);
  }
  return std::move(view).value();
}

std::vector<std::string> FleetLauncher::elsewhere(const std::string& folder, const FleetView& view) {
  std::vector<std::string> names;
  for (const auto& [name, one] : view.members) {
    std::error_code failed;
    if (one.record && !std::filesystem::exists(folder + "/" + name, failed)) names.push_back(name);
  }
  return names;
}

Status FleetLauncher::end_orphans(const std::string& folder, const FleetSetup& setup) {
  FleetLauncher launcher(folder, setup);
  BB_TRY(launcher.lock_, Disk::real().lock(folder + kLockFile));
  launcher.end_leftovers();
  std::error_code failed;
  std::filesystem::remove(folder + kServerFile, failed);
  std::filesystem::remove(folder + kWatcherFile, failed);
  return {};
}

Result<FleetEnd> FleetLauncher::finish(bool stopped) {
  FleetEnd end;
  end.stopped = stopped;
  if (stopped) end.reason = "stopped";
  if (const auto view = look()) {
    end.reason = view->control.ended ? "nothing left to fetch" : view->control.reason;
    end.stopped = stopped || (view->control.stop && end.reason == kAskedToStop);
    end.elsewhere = elsewhere(folder_, *view);
  }
  end.sums = sum_folders(folder_);
  if (end.sums.folders > 0 && end.sums.counts.links <= kMostLinksToCheck) {
    BB_TRY(end.check, check_pages(fleet_folders(folder_)));
  }
  return end;
}

std::size_t FleetLauncher::guests() {
  if (!server_) return 0;
  const auto view = look();
  if (!view) return 0;
  std::size_t guests = 0;
  for (const auto& [name, one] : view->members) guests += one.heartbeat ? 1 : 0;
  for (const std::string& name : names_) {
    const auto ours = view->members.find(name);
    guests -= ours != view->members.end() && ours->second.heartbeat ? 1 : 0;
  }
  return guests;
}

Status stop_fleet(const std::string& where, const FleetSetup& setup, int signal) {
  if (setup.exchanges()) {
    BB_TRY(const std::string url, fleet_url(where, setup));
    BB_TRY(const auto admin, FleetAdmin::open(url, setup.fleet));
    BB_TRY_VOID(admin->set_stop(true));
    if (setup.url.empty() && fleet_runner(where) == 0) return FleetLauncher::end_orphans(where, setup);
    return {};
  }
  const pid_t runner = fleet_runner(where);
  if (runner <= 0 || ::kill(runner, signal) != 0) return error("{}: the fleet is not running", where);
  return {};
}

Status check_name_free(const FleetSetup& setup) {
  if (!setup.exchanges() || setup.url.empty()) return {};
  const auto admin = FleetAdmin::open(setup.url, setup.fleet);
  if (!admin.ok()) return {};
  BB_TRY(const FleetView view, (*admin)->look());
  if (view.members.empty()) return {};
  return error(
      "a fleet named {0} already runs on {1}: choose another --fleet-name, or join that fleet with "
      "`bowerbird crawl ... --fleet {1} --member NAME`",
      setup.fleet, without_secret(setup.url));
}

Status FleetLauncher::stop() {
  if (admin_) return admin_->set_stop(true);
  for (const Child& child : children_) ::kill(child.pid, SIGINT);
  return {};
}

}  // namespace bowerbird
