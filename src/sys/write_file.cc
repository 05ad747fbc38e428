#include "sys/write_file.h"

#include <filesystem>

#include "sys/file.h"

namespace bowerbird {

Status make_folder(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) return error("{}: cannot create the folder: {}", folder, failure.message());
  return {};
}

Status write_file(const std::string& path, std::string_view text, mode_t mode) {
  BB_TRY(const auto file, OutputFile::replace(path, mode));
  BB_TRY_VOID(file->write(text));
  return file->finish();
}

}  // namespace bowerbird
