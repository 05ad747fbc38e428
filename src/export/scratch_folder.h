// A folder for files that are needed while an export runs; in TMPDIR, removed with its owner.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace bowerbird {

class ScratchFolder {
 public:
  static Result<std::unique_ptr<ScratchFolder>> make();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace bowerbird
