// The command line of this process as it could be typed again: reports say how they were made.
//
// main() keeps it before anything else runs; read from then on. Threads: any.
#pragma once

#include "lab/origin.h"

namespace bowerbird {

void keep_command_line(int argc, const char* const* argv);
// The command line ("bowerbird lab 'a graph' --out results"), this version, and now. Without the
// program's path and without secrets.
ReportOrigin report_origin();

}  // namespace bowerbird
