#include "lab/seeds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_set>

#include "base/rng.h"
#include "base/units.h"
#include "sys/file.h"
#include "url/host.h"

namespace bowerbird {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool read_id(std::string_view text, PageId& id) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), id);
  return failure == std::errc() && end == text.data() + text.size();
}

Result<std::vector<PageId>> parse_ids(std::string_view list) {
  std::vector<PageId> ids;
  while (true) {
    const auto comma = list.find(',');
    const std::string_view item = trim(list.substr(0, comma));
    if (!read_id(item, ids.emplace_back())) return error("seeds: '{}' is not a page id", item);
    if (comma == std::string_view::npos) return ids;
    list.remove_prefix(comma + 1);
  }
}

Result<std::vector<SeedPage>> top_seeds(std::uint64_t count, const RankSource& source) {
  BB_TRY(const std::span<const double> rank, source());
  std::vector<PageId> pages(rank.size());
  std::iota(pages.begin(), pages.end(), PageId{0});
  const auto kept = static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(count, pages.size()));
  std::partial_sort(pages.begin(), pages.begin() + kept, pages.end(),
                    [&](PageId a, PageId b) { return rank[a] != rank[b] ? rank[a] > rank[b] : a < b; });
  std::vector<SeedPage> seeds;
  for (std::ptrdiff_t i = 0; i < kept; ++i) seeds.push_back({pages[static_cast<std::size_t>(i)], 1});
  return seeds;
}

std::vector<SeedPage> random_seeds(std::uint64_t count, PageId pages, std::uint64_t random_seed) {
  std::vector<SeedPage> seeds;
  std::unordered_set<PageId> taken;
  // Floyd's algorithm would not keep the draws of a smaller K as a prefix of those of a larger one.
  for (std::uint64_t i = 0; taken.size() < std::min<std::uint64_t>(count, pages); ++i) {
    const auto page = static_cast<PageId>(to_below(draw(random_seed, i), pages));
    if (taken.insert(page).second) seeds.push_back({page, 1});
  }
  return seeds;
}

Result<std::vector<SeedPage>> home_seeds(std::uint64_t count, const Web& web) {
  if (!web.names) return error("seeds 'home': this graph has no URLs, so its home pages are not known");
  std::vector<SeedPage> seeds;
  for (PageId page = 0; page < web.graph->pages() && seeds.size() < count; ++page) {
    if (is_home_page(web.names->name(page))) seeds.push_back({page, 1});
  }
  if (seeds.empty()) return error("seeds 'home': no page of this graph has the path \"/\"");
  return seeds;
}

// A line of a seed file: page and weight.
struct SeedLine {
  std::string_view what;
  double weight = 1;
  std::size_t line = 0;
};

Result<std::vector<SeedLine>> read_lines(const std::string& file, std::string_view text) {
  std::vector<SeedLine> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const std::size_t gap = std::min(line.find_first_of(kBlank), line.size());
    SeedLine seed{line.substr(0, gap), 1, number};
    const std::string_view rest = trim(line.substr(gap));
    if (!rest.empty() && rest.front() != '#') {
      const auto weight = parse_number(rest);
      if (!weight.ok() || !(*weight > 0) || !std::isfinite(*weight)) {
        return error("{}: line {}: '{}' is not a weight (a number above 0)", file, number, rest);
      }
      seed.weight = *weight;
    }
    lines.push_back(seed);
  }
  if (lines.empty()) return error("{}: contains no seeds; expected one page id or URL per line", file);
  return lines;
}

// Fills in the pages of those lines that name a URL, in one pass over all names.
Status find_urls(const std::string& file, const std::vector<SeedLine>& lines, const Web& web,
                 std::vector<SeedPage>& seeds) {
  std::multimap<std::string_view, std::size_t> wanted;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (seeds[i].page == kNoPage) wanted.emplace(lines[i].what, i);
  }
  if (wanted.empty()) return {};
  if (!web.names) {
    return error("{}: line {}: '{}' is not a page id, and this graph has no URLs to find it among", file,
                 lines[wanted.begin()->second].line, wanted.begin()->first);
  }
  std::size_t missing = wanted.size();
  for (PageId page = 0; page < web.graph->pages() && missing > 0; ++page) {
    const std::string name = web.names->name(page);
    const auto [first, last] = wanted.equal_range(name);
    for (auto it = first; it != last; ++it) {
      if (seeds[it->second].page != kNoPage) continue;
      seeds[it->second].page = page;
      --missing;
    }
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (seeds[i].page == kNoPage) {
      return error("{}: line {}: no page of this graph has the URL '{}'", file, lines[i].line, lines[i].what);
    }
  }
  return {};
}

Result<std::vector<SeedPage>> file_seeds(const std::string& file, const Web& web) {
  BB_TRY(const auto mapped, MappedFile::open(file));
  BB_TRY(const auto lines, read_lines(file, mapped->text()));
  std::vector<SeedPage> seeds;
  for (const SeedLine& line : lines) {
    SeedPage& seed = seeds.emplace_back(SeedPage{kNoPage, line.weight});
    PageId page = 0;
    if (!read_id(line.what, page)) continue;
    if (page >= web.graph->pages()) {
      return error("{}: line {}: page {} is beyond this graph's {} pages", file, line.line, page,
                   web.graph->pages());
    }
    seed.page = page;
  }
  BB_TRY_VOID(find_urls(file, lines, web, seeds));
  return seeds;
}

Result<std::vector<SeedPage>> id_seeds(const SeedSpec& spec, PageId pages) {
  std::vector<SeedPage> seeds;
  for (std::size_t i = 0; i < spec.ids.size(); ++i) {
    const PageId id = spec.ids[i];
    if (id >= pages) return error("seeds: page {} is beyond this graph's {} pages", id, pages);
    seeds.push_back(
        {id, i < spec.weights.size() ? spec.weights[i] : 1, i < spec.light.size() && spec.light[i]});
  }
  return seeds;
}

void keep_first(std::vector<SeedPage>& seeds) {
  std::unordered_set<PageId> seen;
  std::erase_if(seeds, [&](const SeedPage& seed) { return !seen.insert(seed.page).second; });
}

}  // namespace

Result<SeedSpec> SeedSpec::parse(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const std::string_view rest = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  SeedSpec spec;
  spec.text = std::string(text);
  const auto counted = [&](Kind which) -> Result<SeedSpec> {
    const auto number = parse_count(rest);
    if (!number.ok() || *number == 0) return error("seeds '{}': expected a number of pages after ':'", text);
    spec.kind = which;
    spec.count = *number;
    return spec;
  };
  if (kind == "top") return counted(Kind::kTop);
  if (kind == "random") return counted(Kind::kRandom);
  if (kind == "home" && colon != std::string_view::npos) return counted(Kind::kHome);
  if (kind == "home") {
    spec.kind = Kind::kHome;
    spec.count = std::numeric_limits<std::uint64_t>::max();
    return spec;
  }
  if (kind == "ids") {
    spec.kind = Kind::kIds;
    BB_TRY(spec.ids, parse_ids(rest));
    return spec;
  }
  if (kind == "file" && !rest.empty()) {
    spec.kind = Kind::kFile;
    spec.file = std::string(rest);
    return spec;
  }
  return error("seeds '{}': expected top:K, random:K, ids:1,2,3, home, home:K or file:NAME", text);
}

Result<std::vector<SeedPage>> choose_seeds(const SeedSpec& spec, const Web& web, const RankSource& rank,
                                           std::uint64_t random_seed) {
  if (web.graph->pages() == 0) return error("this graph has no pages, so there is nothing to start from");
  const auto choose = [&]() -> Result<std::vector<SeedPage>> {
    switch (spec.kind) {
      case SeedSpec::Kind::kTop:
        return top_seeds(spec.count, rank);
      case SeedSpec::Kind::kRandom:
        return random_seeds(spec.count, web.graph->pages(), random_seed);
      case SeedSpec::Kind::kIds:
        return id_seeds(spec, web.graph->pages());
      case SeedSpec::Kind::kHome:
        return home_seeds(spec.count, web);
      case SeedSpec::Kind::kFile:
        break;
    }
    return file_seeds(spec.file, web);
  };
  BB_TRY(std::vector<SeedPage> seeds, choose());
  keep_first(seeds);
  return seeds;
}

}  // namespace bowerbird
