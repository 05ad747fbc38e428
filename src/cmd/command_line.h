// The command line of this process as it could be typed again: reports say how they were made.
//
// main() keeps it before anything else runs; read from then on. Threads: any.
#pragma once

#include <string>

namespace bowerbird {

void keep_command_line(int argc, const char* const* argv);
// "bowerbird lab 'a graph' --out results"; the program's path is left out, and what --auth, --cookie,
// --header and --proxy were given.
const std::string& command_line();

}  // namespace bowerbird
