// `--plugin FILE`, for commands that run orderings.
#pragma once

#include <CLI/CLI.hpp>

namespace bowerbird {

// The plug-ins are loaded while the command line is read, before anything checks the name of an ordering.
// They are not kept for a resume: who resumes a crawl names its plug-ins again.
void add_plugin_option(CLI::App& app);

}  // namespace bowerbird
