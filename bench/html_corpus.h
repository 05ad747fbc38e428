// Real pages for the benches: every .htm and .html file under a folder, or generated pages if there is none.
//
// The folder is the program's first argument, else $BOWERBIRD_PAGES, else $BENCH/www, else
// $HOME/benchdata/www (where the documentation packages of Debian can be laid out as web sites).
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sys/stream.h"

namespace bowerbird::bench {

inline std::string pages_folder(int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-') return argv[1];
  if (const char* given = std::getenv("BOWERBIRD_PAGES")) return given;
  if (const char* bench = std::getenv("BENCH")) return std::string(bench) + "/www";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : ".") + "/benchdata/www";
}

// In the order of their names; links are not followed.
inline std::vector<std::string> html_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (std::filesystem::recursive_directory_iterator it(folder, failed), end; it != end;
       it.increment(failed)) {
    const std::string extension = it->path().extension().string();
    if ((extension == ".html" || extension == ".htm") && it->is_regular_file(failed) &&
        !it->is_symlink(failed)) {
      files.push_back(it->path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::string read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The content of a file that may be compressed, as far as it can be read.
inline std::string read_decompressed(const std::string& path) {
  auto stream = InputStream::open(path);
  std::string bytes;
  char block[65536];
  while (stream.ok()) {
    const auto more = stream.value()->read(block, sizeof block);
    if (!more.ok() || more.value() == 0) break;
    bytes.append(block, more.value());
  }
  return bytes;
}

}  // namespace bowerbird::bench
