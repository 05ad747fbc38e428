#include "lab/refresh/rates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "base/rng.h"
#include "base/units.h"
#include "lab/refresh/stream.h"
#include "policy/change_rate.h"
#include "policy/spec.h"
#include "sys/line_reader.h"
#include "sys/stream.h"

namespace bowerbird {
namespace {

constexpr double kMostPerDay = 1e5;

// A separate random stream for each page or host, independent of other draws.
SplitMix stream_of(std::uint64_t random_seed, std::uint64_t number, std::uint64_t kind) {
  return SplitMix(draw(draw(random_seed, kind), number));
}

double power_draw(const RateSpec& spec, double u) {
  const double k = 1 - spec.exponent;
  if (std::abs(k) < 1e-9) return spec.least * std::pow(spec.most / spec.least, u);
  const double low = std::pow(spec.least, k), high = std::pow(spec.most, k);
  return std::pow(low + u * (high - low), 1 / k);
}

std::vector<double> drawn_rates(const RateSpec& spec, PageId pages, const HostOf& hosts,
                                std::uint64_t random_seed) {
  std::vector<double> rates(pages);
  for (PageId page = 0; page < pages; ++page) {
    SplitMix stream = stream_of(random_seed, page, 1);
    switch (spec.kind) {
      case RateSpec::Kind::kPower:
        rates[page] = power_draw(spec, stream.unit());
        break;
      case RateSpec::Kind::kPerHost: {
        SplitMix of_host = stream_of(random_seed, hosts ? hosts(page) : 0, 2);
        rates[page] =
            std::exp(std::log(spec.median) + spec.sigma * of_host.normal() + spec.within * stream.normal());
        break;
      }
      default:
        rates[page] = std::exp(std::log(spec.median) + spec.sigma * stream.normal());
    }
    rates[page] = std::min(rates[page], kMostPerDay);
  }
  return rates;
}

// Calls take() with the words of each line that is neither empty nor a comment.
template <typename Take>
Status each_line(const std::string& path, const Take& take) {
  BB_TRY(const std::unique_ptr<InputStream> in, InputStream::open(path));
  LineReader lines(*in, 1 << 16);
  std::string_view line;
  for (;;) {
    BB_TRY(const bool more, lines.next(line));
    if (!more) return {};
    line = line.substr(0, line.find('#'));
    std::vector<std::string_view> words;
    while (true) {
      const std::size_t begin = line.find_first_not_of(" \t,");
      if (begin == std::string_view::npos) break;
      line.remove_prefix(begin);
      const std::size_t end = std::min(line.find_first_of(" \t,"), line.size());
      words.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
    if (words.empty()) continue;
    if (const Status taken = take(words); !taken.ok()) {
      return error("{}: {}", lines.where(), taken.error().text);
    }
  }
}

Result<std::vector<double>> rates_of_file(const std::string& path, PageId pages) {
  std::vector<double> rates;
  BB_TRY_VOID(each_line(path, [&](const std::vector<std::string_view>& words) -> Status {
    BB_TRY(const double rate, parse_number(words[0]));
    if (words.size() > 1 || !(rate >= 0 && rate <= kMostPerDay)) {
      return error("expected one rate per line, from 0 to {} changes per day", kMostPerDay);
    }
    if (rates.size() == pages) return error("there are more rates than the {} pages of the graph", pages);
    rates.push_back(rate);
    return {};
  }));
  if (rates.size() < pages) {
    return error("{}: {} rates for {} pages; one rate per page and line is needed", path, rates.size(),
                 pages);
  }
  return rates;
}

Result<std::vector<PageVisit>> visits_of_file(const std::string& path, PageId pages) {
  std::vector<PageVisit> visits;
  BB_TRY_VOID(each_line(path, [&](const std::vector<std::string_view>& words) -> Status {
    if (words.size() != 3) return error("expected a page, a day, and 0 or 1: whether it had changed");
    BB_TRY(const std::uint64_t page, parse_count(words[0]));
    BB_TRY(const double day, parse_number(words[1]));
    if (page >= pages) return error("page {}: the graph has {} pages", page, pages);
    if (!std::isfinite(day)) return error("'{}' is not a day", words[1]);
    if (words[2] != "0" && words[2] != "1") return error("'{}': expected 0 or 1", words[2]);
    visits.push_back({static_cast<PageId>(page), day, words[2] == "1"});
    return {};
  }));
  std::stable_sort(visits.begin(), visits.end(),
                   [](const PageVisit& a, const PageVisit& b) { return a.day < b.day; });
  return visits;
}

bool visits_a_page_twice(std::span<const PageVisit> visits, PageId pages) {
  std::vector<bool> visited(pages);
  for (const PageVisit& visit : visits) {
    if (visited[visit.page]) return true;
    visited[visit.page] = true;
  }
  return false;
}

}  // namespace

Result<RateSpec> RateSpec::parse(std::string_view text) {
  RateSpec rates;
  rates.text = text;
  for (const auto& [prefix, kind] : {std::pair("file:", Kind::kFile), std::pair("visits:", Kind::kVisits),
                                     std::pair("truth:", Kind::kTruth)}) {
    if (!text.starts_with(prefix)) continue;
    rates.kind = kind;
    rates.file = text.substr(std::string_view(prefix).size());
    if (rates.file.empty()) return error("rates '{}': a file name is missing", text);
    return rates;
  }
  BB_TRY(const Spec spec, Spec::parse(text));
  SpecReader reader(spec);
  const auto number = [&](std::string_view key, double lowest, double highest, double& value) {
    value = reader.number(key, lowest, highest).value_or(value);
  };
  if (spec.name == "lognormal") {
    number("median", 1e-9, kMostPerDay, rates.median);
    number("sigma", 0, 10, rates.sigma);
  } else if (spec.name == "power") {
    rates.kind = Kind::kPower;
    number("exponent", 0, 10, rates.exponent);
    number("least", 1e-9, kMostPerDay, rates.least);
    number("most", 1e-9, kMostPerDay, rates.most);
    if (rates.least > rates.most) return error("rates '{}': 'least' is larger than 'most'", text);
  } else if (spec.name == "per-host") {
    rates.kind = Kind::kPerHost;
    rates.sigma = 1;
    number("median", 1e-9, kMostPerDay, rates.median);
    number("sigma", 0, 10, rates.sigma);
    number("within", 0, 10, rates.within);
  } else if (spec.name == "visits") {
    rates.kind = Kind::kVisits;
  } else {
    return error(
        "rates '{}': expected lognormal, power, per-host, file:NAME, visits, visits:NAME or truth:NAME",
        text);
  }
  BB_TRY_VOID(reader.finish());
  return rates;
}

std::vector<double> rates_from_visits(std::span<const PageVisit> visits, PageId pages, const HostOf& hosts) {
  constexpr double kNotYet = -std::numeric_limits<double>::infinity();
  std::vector<double> last(pages, kNotYet);
  std::vector<ChangeHistory> of_page(pages), of_host;
  ChangeHistory all;
  const auto host_of = [&](PageId page) -> ChangeHistory& {
    const HostId host = hosts ? hosts(page) : 0;
    if (of_host.size() <= host) of_host.resize(std::size_t{host} + 1);
    return of_host[host];
  };
  for (const PageVisit& visit : visits) {
    const double interval = visit.day - std::exchange(last[visit.page], visit.day);
    if (!std::isfinite(interval)) continue;
    for (ChangeHistory* const history : {&of_page[visit.page], &host_of(visit.page), &all}) {
      visit.changed ? history->add_change(interval) : history->add_unchanged(interval);
    }
  }
  std::vector<double> rates(pages);
  for (PageId page = 0; page < pages; ++page) {
    rates[page] = change_rate(of_page[page], change_rate(host_of(page), overall_rate(all)));
  }
  return rates;
}

Result<std::vector<double>> choose_rates(const RateSpec& spec, PageId pages, const HostOf& hosts,
                                         std::uint64_t random_seed, std::span<const PageVisit> visits) {
  if (spec.kind == RateSpec::Kind::kFile) return rates_of_file(spec.file, pages);
  if (spec.kind == RateSpec::Kind::kTruth) return std::vector<double>(pages);
  if (spec.kind != RateSpec::Kind::kVisits) return drawn_rates(spec, pages, hosts, random_seed);
  std::vector<PageVisit> read;
  if (!spec.from_crawl()) {
    BB_TRY(read, visits_of_file(spec.file, pages));
    visits = read;
  }
  if (!visits_a_page_twice(visits, pages)) {
    return error(
        "rates '{}': no page was visited more than once, so change rates are unknown; draw them (--rates "
        "lognormal) or name a list of visits (--rates visits:FILE)",
        spec.text);
  }
  return rates_from_visits(visits, pages, hosts);
}

}  // namespace bowerbird
