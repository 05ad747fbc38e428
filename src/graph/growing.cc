#include "graph/growing.h"

#include <vector>

#include "base/check.h"

namespace bowerbird {

GrowingGraph::Node GrowingGraph::add(PageId page) {
  node_of_.grow_to(std::size_t{page} + 1);
  std::uint32_t& entry = node_of_[page];
  if (entry == 0) {
    pages_.push_back(page);
    row_of_.push_back(0);
    entry = nodes();
  }
  return entry - 1;
}

void GrowingGraph::append(PageId page, std::span<const PageId> links) {
  const Node node = add(page);
  CHECK(!crawled(node));
  for (const PageId link : links) targets_.push_back(add(link));
  row_node_.push_back(node);
  row_end_.push_back(targets_.size());
  row_of_[node] = rows();
}

std::uint64_t GrowingGraph::bytes() const {
  return (node_of_.size() + pages_.size() + row_of_.size() + row_node_.size() + targets_.size()) * 4 +
         row_end_.size() * 8;
}

void GrowingGraph::save(ByteWriter& out) const {
  out.put_array(pages_.view());
  out.put_array(row_node_.view());
  out.put_array(row_end_.view());
  out.put_array(targets_.view());
}

void GrowingGraph::load(ByteReader& in) {
  std::vector<std::uint32_t> numbers;
  in.get_array(numbers);
  for (const PageId page : numbers) {
    const std::uint32_t before = nodes();
    if (page >= kMaxPages || add(page) != before) return in.reject();
  }
  in.get_array(numbers);
  for (const Node node : numbers) {
    if (node >= nodes() || crawled(node)) return in.reject();
    row_node_.push_back(node);
    row_of_[node] = rows();
  }
  std::vector<std::uint64_t> ends;
  in.get_array(ends);
  std::vector<Node> targets;
  in.get_array(targets);
  std::uint64_t last = 0;
  for (const std::uint64_t end : ends) {
    if (end < last) return in.reject();
    last = end;
  }
  if (ends.size() != rows() || last != targets.size()) return in.reject();
  for (const Node target : targets) {
    if (target >= nodes()) return in.reject();
  }
  row_end_.append(ends);
  targets_.append(targets);
}

}  // namespace bowerbird
