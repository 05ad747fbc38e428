// Full RankMass: of all known pages, crawled or not, the one that holds most importance passes it on to its
// links. If it is uncrawled, it is fetched first. So importance flows through crawled pages repeatedly, and
// the sum that a page has passed on is a lower bound of its personalised PageRank. J. Cho and U. Schonfeld,
// RankMass crawler: a crawler with high personalized PageRank coverage guarantee, 2007 (reference 12 of
// [003]); [000].
//
// A crawled page passes importance on only while it holds more than 1e-15; otherwise the process would never
// end. The heap here contains only crawled pages that hold more than that.
#include "base/dary_heap.h"
#include "policy/mass_flow.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class RankMass final : public Policy {
 public:
  bool wants_links() const override { return true; }
  Score seed(const Seed& seed) override {
    flow_.seed(seed.page, seed.share);
    discovered_.resize(flow_.graph().nodes());
    discovered_[flow_.graph().node(seed.page)] = seed.discovered;
    return flow_.held_by(seed.page);
  }
  void crawled(const Visit& visit, std::span<const PageId> all) override {
    flow_.append(visit.page, all);
    discovered_.resize(flow_.graph().nodes());
    heap_index_.resize(flow_.graph().nodes());
    flow_.pass(flow_.graph().node(visit.page), [this](Node node) { raise(node); });
  }
  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) link.score = flow_.held_by(link.page);
  }
  void given(const Visit&, std::span<const OpenLink> links, const Shares&) override {
    for (const OpenLink& link : links) discovered_[flow_.graph().node(link.page)] = link.discovered;
  }
  bool advance(PageId best, Score score, const Emit& emit) override;

  double merit(Score score) const override { return mass::to_value(score); }
  Score scaled(Score score, double factor) const override { return mass::times(score, factor); }
  std::vector<Account> accounts() const override { return {{"rankmass", flow_.total()}}; }
  std::uint64_t bytes() const override {
    return flow_.bytes() + (discovered_.capacity() + heap_index_.capacity() + heap_.capacity()) * 4;
  }
  void save(ByteWriter& out) const override {
    flow_.save(out);
    out.put_array(discovered_);
  }
  void load(ByteReader& in) override;

 private:
  using Node = MassFlow::Node;
  using Heap = DaryHeap<4>;

  auto better() const {
    return [this](Node a, Node b) {
      const double x = flow_.held(a), y = flow_.held(b);
      return x > y || (x == y && discovered_[a] < discovered_[b]);
    };
  }
  auto note_position() {
    return [this](Node node, std::size_t at) { heap_index_[node] = static_cast<std::uint32_t>(at); };
  }
  // A node has received mass: puts it into the heap, or moves it up, if it is crawled and holds enough.
  void raise(Node node);

  MassFlow flow_;
  std::vector<std::uint32_t> discovered_;  // by node
  std::vector<std::uint32_t> heap_index_;  // by node: position in the heap, or 0
  std::vector<Node> heap_ = std::vector<Node>(Heap::kRoot);
};

const double kLeast = mass::from_value(1e-15);

void RankMass::raise(Node node) {
  if (!flow_.graph().crawled(node) || !(flow_.held(node) > kLeast)) return;
  std::size_t at = heap_index_[node];
  if (at == 0) {
    at = heap_.size();
    heap_.push_back(node);
  }
  Heap::rise(heap_.data(), at, node, better(), note_position());
}

// One crawled page passes on, if the best of them holds more than the best uncrawled page.
bool RankMass::advance(PageId best, Score score, const Emit& emit) {
  if (heap_.size() == Heap::kRoot) return false;
  const Node top = heap_[Heap::kRoot];
  const double held = flow_.held(top);
  const bool first =
      held > score || (held == score && discovered_[top] < discovered_[flow_.graph().node(best)]);
  if (!first) return false;
  heap_index_[top] = 0;
  const Node last = heap_.back();
  heap_.pop_back();
  if (heap_.size() > Heap::kRoot) {
    Heap::sink(heap_.data(), Heap::kRoot, heap_.size(), last, better(), note_position());
  }
  flow_.pass(top, [&](Node node) {
    if (flow_.graph().crawled(node)) {
      raise(node);
    } else {
      emit(flow_.graph().page(node), flow_.held(node));
    }
  });
  return true;
}

void RankMass::load(ByteReader& in) {
  flow_.load(in);
  in.get_array(discovered_);
  if (!in.ok() || discovered_.size() != flow_.graph().nodes()) return in.reject();
  heap_index_.assign(discovered_.size(), 0);
  for (Node node = 0; node < flow_.graph().nodes(); ++node) raise(node);
}

}  // namespace

MadePolicy make_rankmass(const Spec& spec, const PolicyContext&) {
  BB_TRY_VOID(SpecReader(spec).finish());
  return made<RankMass>();
}

}  // namespace bowerbird
