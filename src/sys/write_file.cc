#include "sys/write_file.h"

#include "sys/file.h"

namespace bowerbird {

Status write_file(const std::string& path, std::string_view text) {
  BB_TRY(const auto file, OutputFile::create(path));
  BB_TRY_VOID(file->write(text));
  return file->finish();
}

}  // namespace bowerbird
