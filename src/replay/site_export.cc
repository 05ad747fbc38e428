#include "replay/site_export.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "dash/escape.h"
#include "parse/http_head.h"
#include "replay/our_page.h"
#include "replay/rewritten.h"
#include "replay/site_files.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

namespace fs = std::filesystem;

constexpr char kIndexPage[] = "index.html";
constexpr int kMostRedirects = 8;
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;  // of bodies that are written as they are
constexpr std::size_t kMostCachedLinks = 1'000'000;

// A temporary folder. It is removed unless it was renamed to its final name.
class NewFolder {
 public:
  static Result<std::unique_ptr<NewFolder>> create(const std::string& path) {
    std::error_code code;
    if (fs::exists(fs::symlink_status(path, code)))
      return error("{}: it exists already; choose another name", path);
    std::unique_ptr<NewFolder> folder(new NewFolder(path, fmt::format("{}.tmp-{}", path, ::getpid())));
    if (fs::create_directories(folder->temporary_, code); code)
      return error("{}: cannot create the folder: {}", folder->temporary_, code.message());
    return folder;
  }
  ~NewFolder() {
    std::error_code code;
    if (!temporary_.empty()) fs::remove_all(temporary_, code);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  Result<std::unique_ptr<OutputFile>> create_file(const std::string& name) const {
    const std::string path = temporary_ + "/" + name;
    std::error_code code;
    fs::create_directories(fs::path(path).parent_path(), code);
    if (code) return error("{}: cannot create its folder: {}", path, code.message());
    return OutputFile::create(path);
  }

  Status write(const std::string& name, std::string_view bytes) const {
    BB_TRY(const std::unique_ptr<OutputFile> file, create_file(name));
    BB_TRY_VOID(file->write(bytes));
    return file->finish();
  }

  void remove(const std::string& name) const {
    std::error_code code;
    fs::remove(temporary_ + "/" + name, code);
  }

  Status finish() {
    if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0)
      return error("{}: {}", path_,
                   errno == EEXIST ? "it exists already; choose another name" : std::strerror(errno));
    temporary_.clear();
    return {};
  }

 private:
  NewFolder(std::string path, std::string temporary)
      : path_(std::move(path)), temporary_(std::move(temporary)) {}

  std::string path_;
  std::string temporary_;  // empty: it has its final name
};

class SiteExport {
 public:
  SiteExport(const CaptureLibrary& library, const SiteExportOptions& options, const Progress& progress)
      : library_(library), options_(options), progress_(progress), names_(kIndexPage) {}

  Result<SiteExportCounts> run() {
    std::string out = options_.out;
    while (out.size() > 1 && out.ends_with('/')) out.pop_back();
    BB_TRY(const std::unique_ptr<NewFolder> folder, NewFolder::create(out));
    BB_TRY_VOID(choose());
    std::uint64_t done = 0;
    for (const auto& [url, chosen] : chosen_) {
      if (!progress_.tick("writing pages", done++, chosen_.size())) return error("stopped");
      BB_TRY_VOID(write(*folder, url, chosen));
    }
    BB_TRY_VOID(folder->write(kIndexPage, index_page()));
    BB_TRY_VOID(folder->finish());
    return counts_;
  }

 private:
  struct Chosen {
    FoundCapture capture;
    std::string path;
    bool left_out = false;
    bool noarchive = false;
  };

  Status choose() {
    BB_TRY_VOID(library_.for_each([this](const FoundCapture& capture) -> Status {
      if (capture.entry.status != 200 || !capture.entry.url.starts_with("http")) return {};
      const auto [at, fresh] = chosen_.try_emplace(capture.entry.url);
      if (fresh || at->second.capture.entry.time <= capture.entry.time) at->second.capture = capture;
      return {};
    }));
    for (auto& [url, chosen] : chosen_) {
      std::string type = chosen.capture.entry.mime;
      if (chosen.capture.entry.revisit) {
        const auto loaded = library_.load_beginning(chosen.capture, 0);
        type = loaded.ok() ? content_type_of(loaded->head).type : std::string();
      }
      if (options_.respect_noarchive && (type == "text/html" || type == "application/xhtml+xml")) {
        const auto loaded = library_.load_beginning(chosen.capture, kLargestRewritten);
        chosen.left_out = loaded.ok() && says_noarchive(*loaded);
        counts_.noarchive += chosen.left_out ? 1 : 0;
      }
      if (!chosen.left_out) chosen.path = names_.add(url, type);
    }
    return {};
  }

  Status write(const NewFolder& folder, const std::string& name, const Chosen& chosen) {
    if (chosen.left_out) return {};
    auto opened = library_.open_body(chosen.capture);
    ArchivedResponse loaded;
    Url url;
    if (!opened.ok() || !read_to_rewrite(**opened, 0, loaded).ok() ||
        parse_url(name, nullptr, url) != UrlFault::kNone) {
      leave_out(name);
      return {};
    }
    const bool noarchive = says_noarchive(loaded);
    if (noarchive) marked_.insert(name);
    counts_.noarchive += noarchive ? 1 : 0;
    const UrlMapper map = [&](const Url& target, UrlUse /*use*/) {
      const std::string text = target.text().substr(0, target.text().find('#'));
      const std::string path = path_of(text, kMostRedirects);
      return path.empty() ? text : relative_reference(chosen.path, path);
    };
    RewrittenBody body = rewritten_body(loaded, url, map);
    // A file has no Content-Type: the byte order mark declares UTF-8.
    if (body.changed && body.type != "text/css") body.body.insert(0, "\xEF\xBB\xBF");
    BB_TRY(const std::unique_ptr<OutputFile> file, folder.create_file(chosen.path));
    BB_TRY_VOID(file->write(body.body));
    std::uint64_t bytes = body.body.size();
    bool readable = true;
    while (!body.changed && readable) {
      body.body.clear();
      readable = (*opened)->append(body.body, kPieceBytes).ok();
      if (body.body.empty()) break;
      BB_TRY_VOID(file->write(body.body));
      bytes += body.body.size();
      readable = readable && bytes <= CaptureLibrary::kLargestBody;
    }
    BB_TRY_VOID(file->finish());
    if (!readable) {
      folder.remove(chosen.path);
      leave_out(name);
      return {};
    }
    ++counts_.files;
    counts_.bytes += bytes;
    return {};
  }

  void leave_out(const std::string& url) {
    ++counts_.unreadable;
    unreadable_.insert(url);
  }

  // The file of a URL; empty: none.
  std::string path_of(const std::string& url, int redirects) {
    if (const auto found = chosen_.find(url); found != chosen_.end()) return found->second.path;
    if (const auto cached = paths_.find(url); cached != paths_.end()) return cached->second;
    std::string path = look_up(url, redirects);
    if (paths_.size() >= kMostCachedLinks) paths_.clear();
    paths_.emplace(url, path);
    return path;
  }

  // The file of an equivalent URL, or of the target of a redirect.
  std::string look_up(const std::string& url, int redirects) {
    const auto captures = library_.captures(url);
    if (!captures.ok() || redirects == 0) return {};
    for (auto at = captures->rbegin(); at != captures->rend(); ++at) {
      if (const auto found = chosen_.find(at->entry.url); found != chosen_.end()) return found->second.path;
      if (at->entry.status < 300 || at->entry.status > 399) continue;
      const auto loaded = library_.load_beginning(*at, 0);
      Url base, target;
      if (!loaded.ok() || parse_url(at->entry.url, nullptr, base) != UrlFault::kNone) continue;
      const std::string location = reference_in_field(head_field(loaded->head, "Location"));
      if (location.empty() || parse_url(location, &base, target) != UrlFault::kNone) continue;
      return path_of(target.text().substr(0, target.text().find('#')), redirects - 1);
    }
    return {};
  }

  std::string index_page() {
    std::string rows;
    for (const ArchivedPage& page : library_.pages()) {
      const auto found = chosen_.find(page.url);
      if (found == chosen_.end() || found->second.left_out || unreadable_.contains(page.url)) continue;
      ++counts_.pages;
      rows += fmt::format(
          "<li><span class=\"name\"><a href=\"{}\">{}</a>{}</span><span class=\"url\">{}</span><span "
          "class=\"when\">{}</span></li>\n",
          html_escaped(relative_reference(kIndexPage, found->second.path)),
          html_escaped(page.title.empty() ? page.url : page.title),
          marked_.contains(page.url) ? "<span class=\"mark\">noarchive</span>" : "", html_escaped(page.url),
          timestamp_of(found->second.capture.entry.time).substr(0, 8));
    }
    return our_page(
        options_.title,
        fmt::format("<header><p class=\"brand\"><b>Bowerbird</b> <span>saved pages</span></p></header>\n<h1 "
                    "class=\"headline\">{}</h1>\n<ul class=\"captured\">\n{}</ul>\n",
                    html_escaped(options_.title), rows));
  }

  const CaptureLibrary& library_;
  const SiteExportOptions& options_;
  const Progress& progress_;
  SiteFiles names_;
  std::map<std::string, Chosen> chosen_;                // by URL
  std::unordered_map<std::string, std::string> paths_;  // of URLs that are not in chosen_
  std::unordered_set<std::string> unreadable_;
  std::unordered_set<std::string> marked_;  // pages with noarchive
  SiteExportCounts counts_;
};

}  // namespace

Result<SiteExportCounts> export_site(const CaptureLibrary& library, const SiteExportOptions& options,
                                     const Progress& progress) {
  return SiteExport(library, options, progress).run();
}

}  // namespace bowerbird
