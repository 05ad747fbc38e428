// The options of `bowerbird export` for document formats, and running them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cmd/app.h"

namespace bowerbird {

// The options as given. Texts are parsed when the command runs.

// Which pages are exported.
struct PageChoice {
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::vector<std::string> hosts;
  std::vector<std::string> languages;
  std::string since;
  std::string until;
  std::vector<std::string> types = {"html", "pdf", "text", "feed"};
  std::string min_words = "0";
  std::optional<double> min_score;
  std::string top = "0";
  unsigned status = 200;
  bool all_captures = false;
  std::string dedup = "exact";
  bool skip_opted_out = false;
  bool respect_noarchive = false;
};

// The sizes of pieces of text.
struct ChunkSizes {
  std::string words = "300";
  std::string characters;  // not empty: instead of words
  std::string overlap = "30";
};

struct DocumentOptions {
  PageChoice pages;
  ChunkSizes chunks;
  std::vector<std::string> fields;
  std::string shard_size;
  bool main_only = false;
  bool keep_repeated = false;
  bool ignore_stored = false;
  bool comments = false;
  std::string compress;  // empty: as the name of the file says
  bool tail = false;
  unsigned threads = 0;  // 0: one per core
};

// Names of the formats, for --as.
std::vector<std::string> document_formats();

void add_document_options(CLI::App& command, DocumentOptions& options);

// out: empty for standard output.
Status run_document_export(const std::vector<std::string>& inputs, const std::string& format,
                           const std::string& out, const DocumentOptions& options,
                           const CommonOptions& common);

}  // namespace bowerbird
