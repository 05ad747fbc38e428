// What the folders of a fleet hold together: whether a page was fetched by two processes, and whether one was
// found that nobody fetched.
//
// Read from URLs and links alone, whatever the processes thought of each other, so that it can be held
// against them. Memory: 16 bytes for a URL, and 4 for each of the largest folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace bowerbird {

struct FleetTally {
  std::uint64_t pages = 0;    // different ones that are done
  std::uint64_t repeats = 0;  // done once more, by another process
  std::uint64_t left = 0;     // links that were to be followed lead to them, and nobody has done them
};

// As of the last commits.
Result<FleetTally> tally_folders(const std::vector<std::string>& folders);

// "120 pages, none twice; no URL that was found is left". exchanges: whether the processes told each other
// what they found.
std::string text_of(const FleetTally& tally, bool exchanges);

}  // namespace bowerbird
