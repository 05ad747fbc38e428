#include "policy/mass_flow.h"

#include <cmath>

namespace bowerbird {

void MassFlow::seed(PageId page, double share) {
  const Node node = graph_.add(page);
  held_.resize(graph_.nodes(), mass::kZero);
  held_[node] = mass::plus(held_[node], mass::from_value((1 - kDamping) * share));
}

void MassFlow::append(PageId page, std::span<const PageId> links) {
  graph_.append(page, links);
  held_.resize(graph_.nodes(), mass::kZero);
}

void MassFlow::pass_all() {
  for (std::uint32_t row = 0; row < graph_.rows(); ++row) {
    pass(graph_.row_node(row), [](Node) {});
  }
}

void MassFlow::save(ByteWriter& out) const {
  graph_.save(out);
  out.put_array(held_);
  out.put(total_);
}

void MassFlow::load(ByteReader& in) {
  graph_.load(in);
  in.get_array(held_);
  in.get(total_);
  if (held_.size() != graph_.nodes()) in.reject();
  for (const double held : held_) {
    if (std::isnan(held)) in.reject();
  }
}

}  // namespace bowerbird
