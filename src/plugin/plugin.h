// Loads orderings from a shared library, for `--plugin FILE`.
//
// The file's function bowerbird_plugin() returns a table of orderings (include/bowerbird/ordering.h). One
// that was built for another version of the interface is refused before anything else of it is used. The
// library stays loaded until the program ends. It runs with all rights of the program. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// The names of its orderings, which are in the registry now.
Result<std::vector<std::string>> load_plugin(const std::string& path);

}  // namespace bowerbird
