// The text form of SyntheticOptions.
#include <fmt/format.h>

#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "graph/synthetic.h"

namespace bowerbird {

namespace {

constexpr std::string_view kPrefix = "synthetic";

enum class Kind { kCount, kNumber, kShare };

// One field of the options: exactly one of the two members is set.
struct Field {
  std::string_view name;
  std::string_view about;
  Kind kind;
  std::uint64_t SyntheticOptions::*count;
  double SyntheticOptions::*number;
  double least;
  double most;
};

using O = SyntheticOptions;

const std::vector<Field>& fields() {
  static const std::vector<Field> list = {
      {"pages", "Number of pages: 200, 10k, 1.5M, 1G", Kind::kCount, &O::pages, nullptr, 1,
       static_cast<double>(kMaxPages)},
      {"seed", "Random seed: another seed gives another web of the same kind", Kind::kCount, &O::seed,
       nullptr, 0, 1.8e19},
      {"degree", "Mean number of links per page", Kind::kNumber, nullptr, &O::degree, 4, 60},
      {"inter", "Share of the links that leave their host", Kind::kShare, nullptr, &O::inter, 0, 0.5},
      {"dangling", "Share of the pages without links", Kind::kShare, nullptr, &O::dangling, 0, 0.8},
      {"orphans", "Share of the pages that their own directory does not list", Kind::kShare, nullptr,
       &O::orphans, 0, 0.5},
      {"indegree-exponent", "Exponent of the power law of the number of hosts that link to a host",
       Kind::kNumber, nullptr, &O::indegree_exponent, 2.01, 4},
      {"host-exponent", "Exponent of the power law of pages per host", Kind::kNumber, nullptr,
       &O::host_exponent, 1.1, 3},
      {"largest-host", "The largest host's share of the pages", Kind::kShare, nullptr, &O::largest_host,
       0.000001, 1},
      {"host-pages", "Maximum number of pages per host", Kind::kCount, &O::host_pages, nullptr, 1,
       static_cast<double>(kMaxPages)},
  };
  return list;
}

std::string field_names() {
  std::string names;
  for (const Field& field : fields()) names += fmt::format("{}{}", names.empty() ? "" : ", ", field.name);
  return names;
}

const Field* find_field(std::string_view name) {
  for (const Field& field : fields()) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::string range_of(const Field& field) {
  if (field.kind == Kind::kNumber) return fmt::format(", {} to {}", field.least, field.most);
  if (field.kind == Kind::kShare) return fmt::format(", {:g}% to {:g}%", 100 * field.least, 100 * field.most);
  return field.least > 0 ? fmt::format(", at least {}", field.least) : std::string();
}

std::string text_of(const SyntheticOptions& options, const Field& field) {
  return field.count != nullptr ? fmt::format("{}", options.*field.count)
                                : fmt::format("{}", options.*field.number);
}

std::string default_of(const Field& field) {
  if (field.kind != Kind::kShare) return text_of(SyntheticOptions(), field);
  return fmt::format("{:g}%", 100 * SyntheticOptions().*field.number);
}

}  // namespace

std::vector<SyntheticField> synthetic_fields() {
  std::vector<SyntheticField> list;
  for (const Field& field : fields()) {
    list.push_back(
        {std::string(field.name), fmt::format("{}{}", field.about, range_of(field)), default_of(field)});
  }
  return list;
}

Status set_synthetic(SyntheticOptions& options, std::string_view name, std::string_view value) {
  const Field* const field = find_field(name);
  if (field == nullptr) return error("a synthetic web has no '{}'; it has {}", name, field_names());
  double number = 0;
  if (field->kind == Kind::kCount) {
    const auto count = parse_count(value);
    if (!count.ok()) return error("'{}' is not a count: 200, 10k, 1.5M and 1G are, for example", value);
    options.*field->count = *count;
    number = static_cast<double>(options.*field->count);
  } else if (field->kind == Kind::kShare) {
    BB_TRY(options.*field->number, parse_share(value));
    number = options.*field->number;
  } else {
    BB_TRY(options.*field->number, parse_number(value));
    number = options.*field->number;
  }
  if (!(number >= field->least && number <= field->most)) {
    return error("{} is out of range: it must be between {} and {}", value, field->least, field->most);
  }
  return {};
}

bool is_synthetic(std::string_view spec) {
  return spec == kPrefix || (spec.starts_with(kPrefix) && spec[kPrefix.size()] == ':');
}

Result<SyntheticOptions> parse_synthetic(std::string_view spec) {
  SyntheticOptions options;
  if (!is_synthetic(spec)) {
    return error("'{}' is not a synthetic web; write it as synthetic:pages=1M,seed=7", spec);
  }
  std::string_view rest = spec.substr(std::min(spec.size(), kPrefix.size() + 1));
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    if (equals == item.npos && find_field(name) != nullptr) {
      return error("{}: '{}' needs a value, as in {}=...", spec, name, name);
    }
    const Status status = set_synthetic(options, name, item.substr(std::min(item.size(), name.size() + 1)));
    if (!status.ok()) return error("{}: {}: {}", spec, name, status.error().text);
  }
  return options;
}

std::string format_synthetic(const SyntheticOptions& options) {
  const SyntheticOptions defaults;
  std::string spec;
  for (const Field& field : fields()) {
    const std::string value = text_of(options, field);
    if (value == text_of(defaults, field) && field.name != "pages") continue;
    spec += fmt::format("{}{}={}", spec.empty() ? "synthetic:" : ",", field.name, value);
  }
  return spec;
}

}  // namespace bowerbird
