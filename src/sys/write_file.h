// Writes a text to a file, completely or not at all (sys/file.h).
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// Creates all parent folders too; no error if it exists.
Status make_folder(const std::string& folder);

// A link at `path` is replaced, not followed.
Status write_file(const std::string& path, std::string_view text, mode_t mode = 0644);

}  // namespace bowerbird
