// A web of any size, computed on the fly: the links, host and URL of page v are functions of v and a seed, so
// that four billion pages cost some hundred KiB of tables and the first page is ready in milliseconds.
//
// docs/synthetic-web.md describes the model: hosts of power-law size, each a tree of directories whose pages
// show the menus of their directories (templates), list their members, continue from one to the next, or are
// plain files. A few links lead to other hosts, most of those to popular ones. Degree, inter-host share and
// dangling share are calibrated on a sample of pages when the graph is made.
//
// Invariant: out() is distinct, ascending, below pages(), and depends only on the options and the page, not
// on order or thread. Lifetime: hosts and names share the tables with the graph and may outlive it. Threads:
// all const.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/web.h"

namespace bowerbird {

struct SyntheticOptions {
  std::uint64_t pages = 1'000'000;       // up to kMaxPages
  std::uint64_t seed = 1;                // another seed, another web of the same kind
  double degree = 17;                    // mean number of links of a page, 4 to 60
  double inter = 0.04;                   // share of the links that leave their host, 0 to 0.5
  double dangling = 0.2;                 // share of pages without links, 0 to 0.8
  double orphans = 0.01;                 // share of pages that their own directory does not list, 0 to 0.5
  double indegree_exponent = 2.1;        // of the number of hosts that link to a host, 2.01 to 4
  double host_exponent = 1.6;            // of the number of pages of a host, 1.1 to 3
  double largest_host = 0.06;            // its share of the pages ...
  std::uint64_t host_pages = 1'000'000;  // ... and its maximum number of pages

  bool operator==(const SyntheticOptions&) const = default;
};

// "synthetic:pages=1G,seed=7,degree=17,inter=4%": any of the fields above, by name.
Result<SyntheticOptions> parse_synthetic(std::string_view spec);
// The shortest spec that parses to these options.
std::string format_synthetic(const SyntheticOptions& options);
bool is_synthetic(std::string_view spec);

// The fields by name, for help texts and command lines.
struct SyntheticField {
  std::string name;      // "host-exponent"
  std::string about;     // meaning and range
  std::string fallback;  // its default
};
std::vector<SyntheticField> synthetic_fields();
// Sets one field from text; an error if the field does not exist or the value is out of range.
Status set_synthetic(SyntheticOptions& options, std::string_view name, std::string_view value);

class SyntheticModel;  // graph/synthetic_model.h

class SyntheticGraph final : public Graph {
 public:
  // Options out of range are a bug of the caller: parse_synthetic refuses them.
  explicit SyntheticGraph(const SyntheticOptions& options);
  explicit SyntheticGraph(std::shared_ptr<const SyntheticModel> model) : model_(std::move(model)) {}

  PageId pages() const override;
  // Unknown without a pass over all pages; about pages() times the degree of the options.
  std::optional<std::uint64_t> links() const override { return std::nullopt; }
  std::span<const PageId> out(PageId page, LinkBuffer& buffer) const override;
  // Faster than out() page by page: the common part of a directory is computed once.
  void scan(PageId first, PageId last, const Visitor& visit) const override;

 private:
  std::shared_ptr<const SyntheticModel> model_;
};

Web make_synthetic(const SyntheticOptions& options);

}  // namespace bowerbird
