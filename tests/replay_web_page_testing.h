// ReplayWeb.page for tests: npm's package replaywebpage, unpacked in the build folder.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "process.h"

namespace bowerbird {

// Downloaded once for the program `binary`; empty where it cannot be had.
inline std::string replay_web_page_folder(const std::string& binary) {
  const std::string folder = std::filesystem::path(binary).parent_path().string() + "/npm";
  const std::string package = folder + "/package";
  if (!std::filesystem::exists(package + "/sw.js")) {
    std::filesystem::create_directories(folder);
    shell_output(
        fmt::format("cd '{}' && timeout 120 npm pack --silent replaywebpage@2.4.6 2> /dev/null && "
                    "tar xzf replaywebpage-2.4.6.tgz",
                    folder));
  }
  return std::filesystem::exists(package + "/sw.js") ? package : "";
}

}  // namespace bowerbird
