// The pages of a graph by importance (PageRank, degrees, or location), and such values as a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "graph/pagerank.h"
#include "graph/web.h"

namespace bowerbird {

enum class RankBy : std::uint8_t { kPageRank, kInDegree, kOutDegree, kLocation };
// "pagerank", "in-degree", "out-degree" or "location".
Result<RankBy> parse_rank_by(std::string_view name);

struct Ranking {
  std::vector<double> value;  // by page
  unsigned iterations = 0;    // 0 if it needs none
  double change = 0;
  bool converged = true;
};

// Fails beforehand if this machine has too little memory. pagerank: for kPageRank.
Result<Ranking> rank_pages(const Web& web, RankBy by, const PageRankOptions& pagerank = {},
                           const Progress& progress = {});

// The extension determines the format: .csv (page, score, url), .json, .f64 (a little-endian double per
// page); - is CSV on standard output.
enum class VectorFormat : std::uint8_t { kCsv, kJson, kBinary };
Result<VectorFormat> vector_format(const std::string& path);
// The value of every page. The file appears complete or not at all.
Status write_vector(const std::string& path, const Web& web, const std::vector<double>& value,
                    const Progress& progress = {});

}  // namespace bowerbird
