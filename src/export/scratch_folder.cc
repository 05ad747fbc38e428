#include "export/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace bowerbird {

Result<std::unique_ptr<ScratchFolder>> ScratchFolder::make() {
  std::error_code ignored;
  std::string path = (std::filesystem::temp_directory_path(ignored) / "bowerbird-export-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr)
    return error("{}: cannot create: {}; set TMPDIR to another folder", path, std::strerror(errno));
  return std::unique_ptr<ScratchFolder>(new ScratchFolder(std::move(path)));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace bowerbird
