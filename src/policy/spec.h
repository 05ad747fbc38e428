// Names of orderings and strategies: `name`, `name@value`, `name:key=value,key=value` or
// `name@value:key=value`.
//
// A key may contain brackets, inside which commas and equal signs have no meaning:
// `combined:(ieca:k=50,alpha=1)=2, backlink=1` has two options. SpecReader reads the parameters one by one.
// A parameter that is unknown or out of range is an error that names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// A parsed spec.
struct Spec {
  std::string name;
  std::optional<std::string> at;                             // after '@'
  std::vector<std::pair<std::string, std::string>> options;  // after ':', in order
  std::string text;                                          // as written

  static Result<Spec> parse(std::string_view text);
};

// A list of specs, as for `--policies`: "bfs,ieca:k=50,expected=2000,fpr@100" has three. A piece of the form
// key=value belongs to the spec before it, since no name contains an equal sign.
Result<std::vector<std::string>> split_specs(std::string_view list);

class SpecReader {
 public:
  explicit SpecReader(const Spec& spec) : spec_(spec), taken_(spec.options.size()) {}

  // The value after '@'; least <= value <= most.
  std::optional<double> at(double least, double most);
  std::optional<double> number(std::string_view key, double least, double most);
  std::optional<std::uint64_t> count(std::string_view key, std::uint64_t least = 1);
  std::optional<std::string> text(std::string_view key);

  // Call last. Returns the first error, or an error for a parameter that was not read.
  Status finish();

 private:
  void fail(Error e);

  const Spec& spec_;
  std::vector<bool> taken_;
  bool at_taken_ = false;
  std::vector<std::string> keys_;  // read so far, for suggestions
  Status status_;
};

}  // namespace bowerbird
