#include "crawl/config/seeds.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "base/ascii.h"
#include "base/units.h"
#include "sys/file.h"
#include "url/canonical.h"
#include "url/url_notes.h"

namespace bowerbird {

namespace {

bool lacks_scheme(std::string_view text) {
  Url url;
  return canonical_url(text, nullptr, url) == UrlFault::kRelative;
}

// For messages: a file of something else may have lines without end.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 200;
  return std::string(text.substr(0, kMost)) + (text.size() > kMost ? "..." : "");
}

bool is_word(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_ascii_alnum(c) || c == '-'; });
}

// A single word is more often a mistake than a host.
bool begins_as_a_host(std::string_view text) {
  const std::string_view host = text.substr(0, text.find_first_of("/?#"));
  return host.find('.') != std::string_view::npos || host.starts_with('[') || host == "localhost";
}

}  // namespace

Result<std::string> canonical_seed(std::string_view text) {
  const bool bare = lacks_scheme(text);
  if (bare && !begins_as_a_host(text)) {
    return error(
        "'{}' is not a URL to crawl: it has neither a scheme nor a domain{}", shown(text),
        is_word(text) ? fmt::format("; for a host of that name write https://{}/", shown(text)) : "");
  }
  Url url;
  const UrlFault fault =
      canonical_url(bare ? "https://" + std::string(text) : std::string(text), nullptr, url);
  if (fault != UrlFault::kNone)
    return error("'{}' is not a URL to crawl: {}", shown(text), fault_text(fault));
  return url.text();
}

namespace {

constexpr std::size_t kMostComplaints = 20;

std::string_view next_word(std::string_view& rest) {
  constexpr std::string_view kBlanks = " \t\r";
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const std::size_t end = std::min(rest.find_first_of(kBlanks), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

Result<CrawlSeed> parse_line(std::string_view line) {
  CrawlSeed seed;
  if (line.find('\0') != line.npos) return error("a zero byte; save the file as text in UTF-8");
  BB_TRY(seed.url, canonical_seed(next_word(line)));
  const std::string_view weight = next_word(line);
  if (!weight.empty()) {
    const auto number = parse_number(weight);
    if (!number.ok() || !(*number > 0) || *number > 1e12) {
      return error("the weight '{}' is not a positive number", shown(weight));
    }
    seed.weight = *number;
  }
  if (!next_word(line).empty()) return error("unexpected text after URL and weight");
  return seed;
}

// The errors that are listed, and the number of all.
std::string bad_lines(const SeedFile& file, const std::string& name, std::string_view advice) {
  return fmt::format(
      "{}\n{}: {}{}: {}", fmt::join(file.complaints, "\n"), name, plural(file.bad, "bad line"),
      file.bad > kMostComplaints ? fmt::format(", the first {} named above", kMostComplaints) : "", advice);
}

}  // namespace

SeedFile parse_seed_file(std::string_view text, const std::string& name) {
  SeedFile file;
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    file.bad = 1;
    file.complaints.push_back(fmt::format("{}: the file is in UTF-16; save it as UTF-8", name));
    return file;
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string_view look = line;
    const std::string_view first = next_word(look);
    if (first.empty() || first.front() == '#') continue;
    auto seed = parse_line(line);
    if (seed.ok()) {
      if (lacks_scheme(first)) file.bare.push_back(seed->url);
      file.seeds.push_back(std::move(seed).value());
    } else if (++file.bad <= kMostComplaints) {
      file.complaints.push_back(fmt::format("{}:{}: {}", name, number, seed.error().text));
    }
  }
  return file;
}

Result<GatheredSeeds> gather_seeds(const CrawlOptions& options) {
  GatheredSeeds gathered;
  std::vector<CrawlSeed>& all = gathered.seeds;
  std::vector<std::string> complaints;
  std::vector<std::string> bare;  // given without a scheme
  const auto take = [&](const std::string& text, bool sitemap) {
    auto url = canonical_seed(text);
    if (url.ok()) {
      if (lacks_scheme(text)) bare.push_back(*url);
      all.push_back({std::move(url).value(), 1, sitemap});
    } else {
      complaints.push_back(url.error().text);
    }
  };
  for (const std::string& text : options.start.seeds) take(text, false);
  if (!options.start.seeds_file.empty()) {
    BB_TRY(const auto opened, MappedFile::open(options.start.seeds_file));
    SeedFile file = parse_seed_file(opened->text(), options.start.seeds_file);
    std::ranges::move(file.seeds, std::back_inserter(all));
    std::ranges::move(file.bare, std::back_inserter(bare));
    if (options.start.skip_bad_seeds) {
      if (file.bad > 0) gathered.notes.push_back(bad_lines(file, options.start.seeds_file, "skipped"));
    } else if (file.bad > 0) {
      complaints.push_back(bad_lines(file, options.start.seeds_file,
                                     "fix the file, or skip such lines with --skip-bad-seeds"));
    }
  }
  for (const std::string& text : options.start.sitemaps) take(text, true);
  if (!bare.empty()) {
    gathered.notes.push_back(fmt::format("{} without a scheme, https is used: {}{}",
                                         plural(bare.size(), "seed"), bare.front(),
                                         bare.size() > 1 ? ", ..." : ""));
  }
  gathered.bad = fmt::format("{}", fmt::join(complaints, "\n"));
  std::unordered_set<std::string> seen;
  std::erase_if(all, [&](const CrawlSeed& seed) { return !seen.insert(seed.url).second; });
  return gathered;
}

}  // namespace bowerbird
