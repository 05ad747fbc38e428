#include "store/archive_files.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace bowerbird {

namespace {

constexpr std::size_t kLargestList = std::size_t{1} << 26;

struct ArchiveFile {
  std::string name;
  std::uint64_t bytes = 0;
};

std::optional<ArchiveFile> file_of_line(std::string_view line) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  ArchiveFile file{std::string(line.substr(0, blank)), 0};
  const char* const end = line.data() + line.size();
  const auto [at, code] = std::from_chars(line.data() + blank + 1, end, file.bytes);
  if (code != std::errc() || at != end || !is_archive_name(file.name)) return std::nullopt;
  return file;
}

// Completed files first, then those that were open at the commit.
Result<std::vector<ArchiveFile>> archive_files(Disk& disk, const std::string& folder,
                                               const CommitRecord& commit) {
  const std::string path = folder + "/" + kArchiveList;
  const CommittedFile* const list = commit.find(kArchiveList);
  if (list == nullptr) return error("{}: the journal does not list the file {}", folder, kArchiveList);
  BB_TRY(const std::unique_ptr<DiskFile> file, disk.open(path, Disk::Open::kRead));
  if (list->bytes > kLargestList) return error("{}: this list of files is too long", path);
  BB_TRY(const std::string text, file->read(0, static_cast<std::size_t>(list->bytes)));
  if (text.size() < list->bytes) {
    return error("{}: has {} bytes, but {} were there at the last commit: restore the file from a copy", path,
                 text.size(), list->bytes);
  }
  std::vector<ArchiveFile> files;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::optional<ArchiveFile> found = file_of_line(std::string_view(text).substr(at, end - at));
    if (!found) return error("{}: byte {}: this line cannot be read: restore the file from a copy", path, at);
    files.push_back(std::move(*found));
    at = end + 1;
  }
  for (const CommittedFile& one : commit.files) {
    if (one.open && !one.sealed) files.push_back({one.name, one.bytes});
  }
  return files;
}

Result<std::optional<ArchiveProblem>> check_file(Disk& disk, const std::string& folder,
                                                 const ArchiveFile& file) {
  std::string path = folder + "/" + file.name;
  if (!disk.exists(path)) path += ".open";
  if (!disk.exists(path)) {
    return std::optional(ArchiveProblem{folder + "/" + file.name,
                                        fmt::format("this file is missing, and it contains {} bytes of the "
                                                    "crawl: put it back, or make a symbolic link to it",
                                                    file.bytes)});
  }
  BB_TRY(const std::unique_ptr<DiskFile> opened, disk.open(path, Disk::Open::kRead));
  BB_TRY(const std::uint64_t size, opened->size());
  if (size >= file.bytes) return std::optional<ArchiveProblem>();
  return std::optional(ArchiveProblem{
      path, fmt::format("has {} bytes, but {} were there at the last commit: restore the file from a copy",
                        size, file.bytes)});
}

}  // namespace

std::string archive_line(std::string_view name, std::uint64_t bytes) {
  return fmt::format("{} {}\n", name, bytes);
}

Result<std::vector<ArchiveProblem>> check_archive(Disk& disk, const std::string& folder,
                                                  const CommitRecord& commit) {
  BB_TRY(const std::vector<ArchiveFile> files, archive_files(disk, folder, commit));
  std::vector<ArchiveProblem> problems;
  std::set<std::string, std::less<>> known;
  for (const ArchiveFile& file : files) {
    BB_TRY(std::optional<ArchiveProblem> problem, check_file(disk, folder, file));
    if (problem) problems.push_back(std::move(*problem));
    known.insert(file.name);
  }
  BB_TRY(const std::vector<std::string> names, disk.list(folder + "/" + kArchiveFolder));
  for (const std::string& name : names) {
    const std::string path = fmt::format("{}/{}", kArchiveFolder, name);
    if (!name.starts_with(kArchivePrefix) || name.ends_with(".open") || known.contains(path)) continue;
    problems.push_back({folder + "/" + path,
                        "the journal does not list this file, so it is older than the rest of the folder: "
                        "restore the whole folder from one copy"});
  }
  return problems;
}

}  // namespace bowerbird
