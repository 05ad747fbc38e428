// A text as a file: written whole or not at all (sys/file.h), in one call.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// With all folders above it; one that is there already is no error.
Status make_folder(const std::string& folder);

// A link at `path` is replaced, not followed.
Status write_file(const std::string& path, std::string_view text, mode_t mode = 0644);

}  // namespace bowerbird
