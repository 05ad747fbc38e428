#include "control/folder_jobs.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <optional>

#include "base/ascii.h"
#include "crawl/inspect/crawl_history.h"
#include "crawl/inspect/crawl_log.h"
#include "crawl/judge/url_pattern.h"
#include "store/crawl_reader.h"
#include "sys/file.h"
#include "sys/spawn.h"
#include "url/url.h"

namespace bowerbird {

namespace {

constexpr int kNice = 10;
constexpr std::size_t kMostRetried = 200'000;

// Runs this program and returns its output. An error: the last line it printed.
Result<std::string> run_self(std::vector<std::string> words, int most_seconds) {
  std::string path = (std::filesystem::temp_directory_path() / "bowerbird-job-XXXXXX").string();
  const int fd = ::mkstemp(path.data());
  if (fd < 0) return error("cannot create a temporary file");
  ::close(fd);
  const auto spawned = spawn(kThisProgram, std::move(words), {path, true});
  if (!spawned.ok()) {
    ::unlink(path.c_str());
    return spawned.error();
  }
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(*spawned), kNice);
  int status = 0;
  bool ended = false;
  for (int tenths = 0; tenths < most_seconds * 10 && !ended; ++tenths) {
    ended = ::waitpid(*spawned, &status, WNOHANG) == *spawned;
    if (!ended) ::usleep(100'000);
  }
  if (!ended) {
    ::kill(*spawned, SIGKILL);
    ::waitpid(*spawned, &status, 0);
  }
  std::string output;
  if (const auto file = MappedFile::open(path); file.ok()) output = (*file)->text();
  ::unlink(path.c_str());
  if (!ended) return error("it took longer than {} seconds", most_seconds);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    while (output.ends_with('\n')) output.pop_back();
    return error("{}", output.empty() ? "the process failed" : output);
  }
  return output;
}

}  // namespace

Answer explain_in_process(const std::string& folder, const std::string& url) {
  const auto output = run_self({"bowerbird", "why", "--json", "--", folder, url}, 240);
  if (!output.ok()) return error_answer(400, output.error().text);
  const std::size_t begin = output->find('{');
  nlohmann::json json =
      nlohmann::json::parse(begin == output->npos ? "" : output->substr(begin), nullptr, false);
  if (!json.is_object()) return error_answer(503, "the response cannot be read; try again later");
  return {200, std::move(json)};
}

Status report_in_process(const std::string& folder) {
  BB_TRY_VOID(run_self({"bowerbird", "report", "--quiet", "--", folder}, 280));
  return {};
}

Result<std::vector<FailedPage>> find_failed_pages(const std::string& folder, const nlohmann::json& wanted) {
  std::optional<UrlPattern> pattern;
  if (wanted.contains("pattern")) {
    BB_TRY(pattern, UrlPattern::make(wanted["pattern"].get<std::string>()));
  }
  std::string host = wanted.value("host", std::string());
  for (char& c : host) c = ascii_lower(c);
  const std::string outcome = wanted.value("outcome", std::string());
  if (!outcome.empty()) {
    const OutcomeRule* const rule = rule_named(outcome);
    if (rule == nullptr) return error("'{}' is not an outcome; `bowerbird status` lists them", outcome);
    if (!is_failure(rule->outcome)) return error("'{}' is not a failure", outcome);
  }
  const auto matches = [&](const std::string& url) {
    if (pattern && !pattern->found_in(url)) return false;
    if (host.empty()) return true;
    Url parsed;
    return parse_url(url, nullptr, parsed) == UrlFault::kNone && parsed.host() == host;
  };
  BB_TRY(const auto reader, CrawlReader::open(folder));
  std::map<std::string, std::uint8_t> last;  // by URL
  BB_TRY_VOID(each_log_line(folder, *reader, [&](const nlohmann::json& line) {
    if (is_requisite_line(line)) return;
    const OutcomeRule* const rule = rule_named(log_text(line, "outcome"));
    const std::string url = log_text(line, "url");
    if (rule == nullptr || !matches(url)) return;
    last.erase(url);
    if (!is_failure(rule->outcome) || (!outcome.empty() && rule->name != outcome)) return;
    if (last.size() < kMostRetried) last[url] = static_cast<std::uint8_t>(rule->outcome);
  }));
  std::vector<FailedPage> pages;
  for (const auto& [url, kind] : last) pages.push_back({url, kind});
  return pages;
}

nlohmann::json no_fleet_object() {
  return {{"on", false},
          {"running", false},
          {"partitions", 0},
          {"unassigned", 0},
          {"owners", nlohmann::json::array()},
          {"processes", nlohmann::json::array()},
          {"problem", nullptr}};
}

}  // namespace bowerbird
