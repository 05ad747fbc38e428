#include "lab/parallel/team.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/suggest.h"
#include "base/units.h"

namespace bowerbird {
namespace {

constexpr unsigned kMostProcs = 4096;

using Names = std::vector<std::string>;
const Names kCoordinations = {"static", "dynamic", "independent"};

template <typename Enum>
Result<Enum> parse(std::string_view text, const Names& names, std::string_view what) {
  BB_TRY(const std::size_t index, index_among(text, names, what));
  return static_cast<Enum>(index);
}

template <typename Enum>
std::string_view name(Enum value, const Names& names) {
  return names[static_cast<std::size_t>(value)];
}

double ratio(double part, std::uint64_t whole) {
  return whole > 0 ? part / static_cast<double>(whole) : 0;
}

}  // namespace

double TeamFigures::overlap() const {
  return ratio(static_cast<double>(downloads - distinct), distinct);
}

double TeamFigures::exchanged_per_page() const {
  return ratio(static_cast<double>(exchanged), downloads);
}

double TeamFigures::bytes_per_page() const {
  return ratio(static_cast<double>(exchanged_bytes), downloads);
}

double TeamFigures::balance() const {
  if (pages.empty()) return 1;
  const auto busiest = static_cast<double>(*std::max_element(pages.begin(), pages.end()));
  return ratio(busiest * static_cast<double>(pages.size()), downloads);
}

std::string_view name_of(Coordination coordination) {
  return name(coordination, kCoordinations);
}

Result<std::vector<TeamOptions>> all_teams(const TeamLists& lists) {
  std::vector<TeamOptions> teams;
  for (const std::string& number : lists.procs) {
    TeamOptions team = lists.common;
    BB_TRY(const std::uint64_t procs, parse_count(number));
    if (procs == 0) return error("the number of processes must be at least 1");
    team.procs = static_cast<unsigned>(std::min<std::uint64_t>(procs, kMostProcs + 1));
    for (const std::string& mode : lists.modes) {
      BB_TRY(team.mode, parse_mode(mode));
      for (const std::string& partition : lists.partitions) {
        BB_TRY(team.partitioning, parse_partitioning(partition));
        BB_TRY_VOID(check_team(team));
        const bool again = procs == 1 && !teams.empty() && teams.back().procs == 1;
        if (!again) teams.push_back(team);
      }
    }
  }
  if (teams.empty()) teams.emplace_back();
  return teams;
}

std::string label_of(const TeamOptions& team) {
  if (team.procs == 0) return {};
  std::string text = plural(team.procs, "proc");
  if (team.procs == 1) return text;
  if (team.coordination == Coordination::kIndependent) return text + ", independent";
  if (team.coordination == Coordination::kDynamic) return text + ", dynamic";
  return text + fmt::format(", {}, {}", name_of(team.mode), name_of(team.partitioning));
}

Status check_team(const TeamOptions& team) {
  if (team.procs > kMostProcs) return error("the lab can simulate at most {} processes", kMostProcs);
  if (team.batch == 0) return error("the batch size must be at least 1 page");
  if (team.coordination == Coordination::kDynamic &&
      (team.mode != Mode::kExchange || team.partitioning == Partitioning::kHierarchical)) {
    return error(
        "--coordination dynamic works only with --mode exchange and the partitions site-hash, host-hash and "
        "url-hash");
  }
  if (!team.rules.empty() && team.partitioning != Partitioning::kHierarchical) {
    return error("rules for top-level domains ('{}') need the partition hierarchical", team.rules);
  }
  if (team.learn && team.replicate == 0) return error("--learn needs --replicate N");
  if (team.replicate > 0 && team.mode != Mode::kExchange) {
    return error("--replicate works only in exchange mode; {} mode sends no URLs", name_of(team.mode));
  }
  BB_TRY_VOID(DomainRules::parse(team.rules, std::max(1u, team.procs)));
  return {};
}

}  // namespace bowerbird
