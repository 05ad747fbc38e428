// Loads orderings from a shared library, for `--plugin FILE`.
//
// The function bowerbird_plugin() in the file returns a table of orderings
// (include/bowerbird/ordering.h). If it was built for another version of the interface, it is refused
// before anything else in it is used. The library stays loaded until the program ends, and has all rights
// of the program. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// Returns the names of its orderings, which are now in the registry.
Result<std::vector<std::string>> load_plugin(const std::string& path);

}  // namespace bowerbird
