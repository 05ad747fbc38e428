// The command line of this process, so that it can be typed again: reports show it.
//
// main() stores it before anything else runs; only read from then on. Threads: any.
#pragma once

#include "lab/origin.h"

namespace bowerbird {

void keep_command_line(int argc, const char* const* argv);
// The command line ("bowerbird lab 'a graph' --out results"), this version, and now. Without the
// program's path and without secrets.
ReportOrigin report_origin();

}  // namespace bowerbird
