#include "export/wacz_input.h"

#include <fmt/format.h>

#include <filesystem>

#include "archive/zip_reader.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

// The extension of a WARC file's name; empty for other files.
std::string_view warc_extension(std::string_view name) {
  for (const std::string_view extension : {".warc", ".warc.gz", ".warc.zst"}) {
    if (name.ends_with(extension)) return extension;
  }
  return {};
}

Status unpack(const std::string& package, std::size_t number, const ScratchFolder& scratch,
              std::vector<std::string>& files) {
  BB_TRY(const auto mapped, MappedFile::open(package));
  BB_TRY(const ZipReader zip, ZipReader::open(mapped->text(), package));
  std::size_t count = 0;
  for (const ZipReader::Entry& entry : zip.entries()) {
    const std::string_view extension = warc_extension(entry.name);
    if (!entry.name.starts_with("archive/") || extension.empty()) continue;
    const std::string path = scratch / fmt::format("{}-{}{}", number, ++count, extension);
    BB_TRY(const std::unique_ptr<OutputFile> file, OutputFile::create(path));
    BB_TRY_VOID(zip.unpack(entry, [&](std::string_view piece) { return file->write(piece); }));
    BB_TRY_VOID(file->finish());
    files.push_back(path);
  }
  if (count == 0) return error("{}: this package has no WARC files", package);
  return {};
}

}  // namespace

bool is_wacz(const std::string& path) {
  std::error_code code;
  return path.ends_with(".wacz") && !std::filesystem::is_directory(path, code);
}

Result<std::vector<std::string>> unpack_packages(const std::vector<std::string>& paths,
                                                 const ScratchFolder& scratch) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (is_wacz(paths[i])) {
      BB_TRY_VOID(unpack(paths[i], i + 1, scratch, files));
    } else {
      files.push_back(paths[i]);
    }
  }
  return files;
}

}  // namespace bowerbird
