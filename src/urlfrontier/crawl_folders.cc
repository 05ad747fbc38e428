#include "urlfrontier/crawl_folders.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/ascii.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

constexpr std::string_view kCrawlPrefix = "crawl-";
constexpr std::string_view kDeletedPrefix = "deleted-";
constexpr std::size_t kLongestFolder = 240;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

std::string folder_of_crawl(std::string_view name) {
  std::string folder(kCrawlPrefix);
  for (const char c : name) {
    if (is_plain(c)) {
      folder.push_back(c);
    } else {
      folder += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return folder;
}

// The inverse of folder_of_crawl(); none: not such a folder.
std::optional<std::string> crawl_of_folder(std::string_view folder) {
  std::string name;
  for (std::size_t i = kCrawlPrefix.size(); i < folder.size(); ++i) {
    if (folder[i] != '%') {
      name.push_back(folder[i]);
      continue;
    }
    if (i + 2 >= folder.size()) return std::nullopt;
    const int high = hex_value(folder[i + 1]), low = hex_value(folder[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    name.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return name;
}

std::vector<std::string> folders_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator(folder, fault)) {
    if (entry.is_directory(fault)) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

Result<std::unique_ptr<CrawlFolders>> CrawlFolders::open(const CrawlFoldersOptions& options, Time now) {
  std::unique_ptr<CrawlFolders> made(new CrawlFolders(options));
  BB_TRY_VOID(make_folder(options.folder));
  BB_TRY(made->lock_, Disk::real().lock(options.folder + "/lock"));
  const MutexLock lock(made->mutex_);
  made->delay_ = options.delay;
  BB_TRY_VOID(made->read_settings());
  for (const std::string& folder : folders_in(options.folder)) {
    if (folder.starts_with(kDeletedPrefix)) {
      BB_TRY_VOID(made->remove_folder(folder));
    } else if (folder.starts_with(kCrawlPrefix)) {
      const auto name = crawl_of_folder(folder);
      if (!name) return error("{}/{}: this is not the folder of a crawl", options.folder, folder);
      BB_TRY_VOID(made->open_crawl(*name, now));
    }
  }
  return made;
}

Status CrawlFolders::read_settings() {
  const std::string path = options_.folder + "/settings.json";
  if (!Disk::real().exists(path)) return write_settings();
  BB_TRY(const auto file, MappedFile::open(path));
  const auto read = nlohmann::json::parse(file->text(), nullptr, false);
  if (!read.is_object() || !read.value("active", nlohmann::json()).is_boolean() ||
      !read.value("delay_ms", nlohmann::json()).is_number_unsigned()) {
    return error("{}: these are not the settings of a frontier: fix or delete the file", path);
  }
  active_ = read["active"];
  delay_ = Duration{std::min(read["delay_ms"].get<std::uint64_t>(), std::uint64_t{1} << 40)};
  return {};
}

Status CrawlFolders::write_settings() {
  return write_file(options_.folder + "/settings.json",
                    nlohmann::json({{"active", active_}, {"delay_ms", delay_.count()}}).dump() + "\n");
}

Status CrawlFolders::remove_folder(const std::string& name) {
  std::error_code fault;
  std::filesystem::remove_all(options_.folder + "/" + name, fault);
  if (fault) return error("{}/{}: cannot be removed: {}", options_.folder, name, fault.message());
  return {};
}

Result<std::shared_ptr<ServedCrawl>> CrawlFolders::open_crawl(const std::string& name, Time now) {
  UrlFrontierOptions frontier;
  frontier.folder = options_.folder + "/" + folder_of_crawl(name);
  // The ordering of an existing crawl cannot change.
  frontier.policy = Disk::real().exists(frontier.folder) ? std::string() : options_.policy;
  frontier.identity = UrlIdentity::kAsGiven;
  frontier.memory = options_.memory;
  frontier.durable = options_.durable;
  frontier.delay = delay_;
  BB_TRY(auto opened, UrlFrontier::open(frontier));
  if (opened->active() != active_) BB_TRY_VOID(opened->set_active(active_, now));
  if (opened->default_delay() != delay_) BB_TRY_VOID(opened->set_delay({}, delay_, now));
  auto crawl = std::make_shared<ServedCrawl>(name);
  {
    const MutexLock own(crawl->mutex);
    crawl->frontier = std::move(opened);
  }
  crawls_[name] = crawl;
  return crawl;
}

std::vector<std::shared_ptr<ServedCrawl>> CrawlFolders::all() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<ServedCrawl>> list;
  for (const auto& [name, crawl] : crawls_) list.push_back(crawl);
  return list;
}

bool is_crawl_name(std::string_view name) {
  return folder_of_crawl(name).size() <= kLongestFolder;
}

std::shared_ptr<ServedCrawl> CrawlFolders::find(std::string_view name) const {
  const MutexLock lock(mutex_);
  const auto found = crawls_.find(name);
  return found == crawls_.end() ? nullptr : found->second;
}

Result<std::shared_ptr<ServedCrawl>> CrawlFolders::find_or_make(std::string_view name, Time now) {
  const MutexLock lock(mutex_);
  if (const auto found = crawls_.find(name); found != crawls_.end()) return found->second;
  if (!is_crawl_name(name)) {
    return error("a crawl ID of {} bytes is too long", name.size());
  }
  if (crawls_.size() >= options_.most_crawls) {
    return error("there are {} crawls already, as many as --max-crawls allows: delete one, or raise it",
                 crawls_.size());
  }
  return open_crawl(std::string(name), now);
}

Result<std::uint64_t> CrawlFolders::remove(std::string_view name) {
  const MutexLock lock(mutex_);
  const auto found = crawls_.find(name);
  if (found == crawls_.end()) return std::uint64_t{0};
  std::uint64_t urls = 0;
  std::string gone;
  {
    ServedCrawl& crawl = *found->second;
    const MutexLock own(crawl.mutex);
    urls = crawl.frontier->stats().urls;
    do {
      gone = fmt::format("{}{}", kDeletedPrefix, deleted_++);
    } while (Disk::real().exists(options_.folder + "/" + gone));
    BB_TRY_VOID(
        Disk::real().rename(options_.folder + "/" + folder_of_crawl(name), options_.folder + "/" + gone));
    if (options_.durable) BB_TRY_VOID(Disk::real().sync_folder(options_.folder));
    crawl.frontier.reset();
  }
  crawls_.erase(found);
  BB_TRY_VOID(remove_folder(gone));
  return urls;
}

bool CrawlFolders::active() const {
  const MutexLock lock(mutex_);
  return active_;
}

Status CrawlFolders::tell_settings(Time now) {
  BB_TRY_VOID(write_settings());
  for (const auto& [name, crawl] : crawls_) {
    const MutexLock own(crawl->mutex);
    BB_TRY_VOID(crawl->frontier->set_active(active_, now));
    BB_TRY_VOID(crawl->frontier->set_delay({}, delay_, now));
    BB_TRY_VOID(crawl->frontier->commit());
  }
  return {};
}

Status CrawlFolders::set_active(bool active, Time now) {
  const MutexLock lock(mutex_);
  active_ = active;
  return tell_settings(now);
}

Status CrawlFolders::set_delay(Duration delay, Time now) {
  const MutexLock lock(mutex_);
  delay_ = delay;
  return tell_settings(now);
}

Status CrawlFolders::close() {
  const MutexLock lock(mutex_);
  Status result;
  for (const auto& [name, crawl] : crawls_) {
    const MutexLock own(crawl->mutex);
    const Status closed = crawl->frontier->close();
    if (!closed.ok() && result.ok()) result = closed;
  }
  return result;
}

}  // namespace bowerbird
