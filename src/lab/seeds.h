// The seeds of a crawl: `top:160`, `random:50`, `ids:1,2`, `home`, `home:20` or `file:NAME`.
//
//   top:K     the K pages of highest PageRank over the whole graph, in that order, ties by lower id
//   random:K  K different pages, drawn from the random seed
//   ids:...   these pages, in this order
//   home      all home pages (path "/"), by id; home:K the first K of them
//   file:F    one page id or URL per line, optionally followed by a weight; '#' begins a comment
// A page named twice counts once, at its first position.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "frontier/frontier.h"
#include "graph/web.h"

namespace bowerbird {

struct SeedSpec {
  enum class Kind { kTop, kRandom, kIds, kHome, kFile };

  Kind kind = Kind::kTop;
  std::uint64_t count = 160;  // of kTop, kRandom and kHome
  std::vector<PageId> ids;
  std::vector<double> weights;  // of the ids; empty: all equal
  std::vector<bool> light;      // of the ids: SeedPage::light; empty: none is
  std::string file;
  std::string text = "top:160";  // as written

  // Whether another random seed gives other pages.
  bool drawn() const { return kind == Kind::kRandom; }
  static Result<SeedSpec> parse(std::string_view text);
};

// The PageRank of each page over the whole graph; only called for `top`.
using RankSource = std::function<Result<std::span<const double>>()>;

// At least one page, without duplicates.
Result<std::vector<SeedPage>> choose_seeds(const SeedSpec& spec, const Web& web, const RankSource& rank,
                                           std::uint64_t random_seed);

}  // namespace bowerbird
