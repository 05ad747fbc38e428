// Values of secret options, which may be in files: a command line can be read by everybody on the machine.
//
// Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// "@FILE": what the file contains, without the end of its last line. Other texts: unchanged.
Result<std::string> secret_text(std::string_view given);

// "@FILE" with its absolute path; other texts unchanged.
std::string with_absolute_file(std::string_view given);

}  // namespace bowerbird
