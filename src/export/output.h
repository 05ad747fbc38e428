// Where exported documents go: standard output, a file, a folder of shards, or a folder with a file per page.
//
// No file is visible under its name before it is complete. An export that was interrupted goes on when one
// with the same `identity` is started: until all is written, a file is NAME.part, and NAME.part.json says how
// much of it counts; a folder has manifest.part.json (shards) or export.part.json (a file per page). A folder
// of shards gets manifest.json at the end, with counts and a SHA-256 per file. Threads: one user.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sys/stream.h"

namespace bowerbird {

struct OutputOptions {
  std::string path = "-";                  // "-": standard output
  std::uint64_t shard_bytes = 0;           // not 0: `path` is a folder of files of about this size
  bool one_file_per_page = false;          // `path` is a folder
  std::string extension;                   // of the files in a folder: ".jsonl.zst"
  std::optional<Compression> compression;  // unset: as the name of a file says
  bool packed = false;                     // documents are compressed already
  bool at_once = false;                    // nothing of what goes to standard output is held back
  // What a file begins with, by its name without the folder.
  std::function<std::string(const std::string& name)> prologue;
  std::string identity;  // of input and options: tells whether an export can continue
  // How much is done again at most, where an export continues.
  std::uint64_t checkpoint_bytes = std::uint64_t{16} << 20;  // of a file, before compression
  std::uint64_t checkpoint_pages = 200;                      // of a folder of pages
};

// How far an earlier export came.
struct OutputStart {
  std::uint64_t next = 0;  // the first item that is not in a complete file
  std::uint64_t documents = 0;
};

struct OutputDocument {
  std::string url;
  std::string bytes;
};

class ExportOutput {
 public:
  static Result<std::unique_ptr<ExportOutput>> open(const OutputOptions& options);
  virtual ~ExportOutput() = default;

  virtual OutputStart start() const { return {}; }
  // The documents made from item `item` of the input; items ascend.
  virtual Status write(std::uint64_t item, std::span<const OutputDocument> documents) = 0;
  virtual Status finish() = 0;
  // Of all files together, as stored; after finish().
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t files() const { return files_; }

 protected:
  std::uint64_t bytes_ = 0;
  std::uint64_t files_ = 0;
};

}  // namespace bowerbird
