// WACZ packages as input of an export: their WARC files, unpacked into a scratch folder.
//
// A WACZ is a ZIP file whose archive/ folder holds WARC files (WACZ 1.1.1, section 5). Packages come from
// strangers: archive/zip_reader.h checks them, and only files of that folder are written, under names of our
// own. Costs as much disk as the package. Threads: one user.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "export/scratch_folder.h"

namespace bowerbird {

bool is_wacz(const std::string& path);

// The paths, with each package replaced by its WARC files.
Result<std::vector<std::string>> unpack_packages(const std::vector<std::string>& paths,
                                                 const ScratchFolder& scratch);

}  // namespace bowerbird
