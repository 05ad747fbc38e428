// The text form of SyntheticOptions.
#include <fmt/format.h>

#include <functional>
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
  Kind kind;
  std::uint64_t SyntheticOptions::*count;
  double SyntheticOptions::*number;
  double least;
  double most;
};

using O = SyntheticOptions;

const std::vector<Field>& fields() {
  static const std::vector<Field> list = {
      {"pages", Kind::kCount, &O::pages, nullptr, 1, static_cast<double>(kMaxPages)},
      {"seed", Kind::kCount, &O::seed, nullptr, 0, 1.8e19},
      {"degree", Kind::kNumber, nullptr, &O::degree, 4, 60},
      {"inter", Kind::kShare, nullptr, &O::inter, 0, 0.5},
      {"dangling", Kind::kShare, nullptr, &O::dangling, 0, 0.8},
      {"orphans", Kind::kShare, nullptr, &O::orphans, 0, 0.5},
      {"indegree-exponent", Kind::kNumber, nullptr, &O::indegree_exponent, 2.01, 4},
      {"host-exponent", Kind::kNumber, nullptr, &O::host_exponent, 1.1, 3},
      {"largest-host", Kind::kShare, nullptr, &O::largest_host, 0.000001, 1},
      {"host-pages", Kind::kCount, &O::host_pages, nullptr, 1, static_cast<double>(kMaxPages)},
  };
  return list;
}

std::string field_names() {
  std::string names;
  for (const Field& field : fields()) names += fmt::format("{}{}", names.empty() ? "" : ", ", field.name);
  return names;
}

Status set(SyntheticOptions& options, const Field& field, std::string_view value) {
  double number = 0;
  if (field.kind == Kind::kCount) {
    BB_TRY(options.*field.count, parse_count(value));
    number = static_cast<double>(options.*field.count);
  } else if (field.kind == Kind::kShare) {
    BB_TRY(options.*field.number, parse_share(value));
    number = options.*field.number;
  } else {
    BB_TRY(options.*field.number, parse_number(value));
    number = options.*field.number;
  }
  if (!(number >= field.least && number <= field.most)) {
    return error("must be between {} and {}", field.least, field.most);
  }
  return {};
}

}  // namespace

bool is_synthetic(std::string_view spec) {
  return spec == kPrefix || (spec.starts_with(kPrefix) && spec[kPrefix.size()] == ':');
}

Result<SyntheticOptions> parse_synthetic(std::string_view spec) {
  SyntheticOptions options;
  if (!is_synthetic(spec)) {
    return error("'{}' is no synthetic web: it is written as synthetic:pages=1M,seed=7", spec);
  }
  std::string_view rest = spec.substr(std::min(spec.size(), kPrefix.size() + 1));
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    const Field* found = nullptr;
    for (const Field& field : fields()) {
      if (field.name == name) found = &field;
    }
    if (found == nullptr) {
      return error("{}: a synthetic web has no '{}'; it has {}", spec, name, field_names());
    }
    if (equals == item.npos) return error("{}: '{}' needs a value, as in {}=...", spec, name, name);
    const Status status = set(options, *found, item.substr(equals + 1));
    if (!status.ok()) return error("{}: {}: {}", spec, name, status.error().text);
  }
  return options;
}

std::string format_synthetic(const SyntheticOptions& options) {
  const SyntheticOptions defaults;
  std::string spec;
  for (const Field& field : fields()) {
    std::string value;
    if (field.count != nullptr) {
      if (options.*field.count == defaults.*field.count && field.name != "pages") continue;
      value = fmt::format("{}", options.*field.count);
    } else {
      if (options.*field.number == defaults.*field.number) continue;
      value = fmt::format("{}", options.*field.number);
    }
    spec += fmt::format("{}{}={}", spec.empty() ? "synthetic:" : ",", field.name, value);
  }
  return spec;
}

}  // namespace bowerbird
