// Packages of npm for tests, unpacked in the build folder.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "process.h"

namespace bowerbird {

// The folder of a package without dependencies, downloaded once; empty: not available. binary: the
// program that needs it.
inline std::string npm_package(const std::string& binary, const std::string& name,
                               const std::string& version) {
  const std::string folder =
      fmt::format("{}/npm/{}-{}", std::filesystem::path(binary).parent_path().string(), name, version);
  const std::string package = folder + "/package";
  if (!std::filesystem::exists(package + "/package.json")) {
    std::filesystem::create_directories(folder);
    shell_output(
        fmt::format("cd '{0}' && timeout 120 npm pack --silent {1}@{2} 2> /dev/null && tar xzf {1}-{2}.tgz",
                    folder, name, version));
  }
  return std::filesystem::exists(package + "/package.json") ? package : "";
}

}  // namespace bowerbird
