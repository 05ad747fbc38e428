// The hot queue: pages that seem to be about the topic come before all others; both queues use another
// ordering. [004], section 5.2, similarity-based crawlers.
//
// A page is hot if an anchor that links to it, or its URL, contains a word of the topic; in the modified
// variant also if it is within three links of a page about the topic. Distances are passed on when a page is
// crawled: its own distance is 0 if it is about the topic, else the distance known by then. A shorter path
// found later does not reach the links of pages crawled before. Once hot, a page stays hot.
//
// A score encodes both queue and order: the other ordering's score is mapped to one of two disjoint ranges
// (policy/two_queues.h) without losing a bit. Memory: that of the other ordering, plus a byte per page.
#include <algorithm>
#include <utility>

#include "base/lazy_array.h"
#include "policy/orderings.h"
#include "policy/two_queues.h"

namespace bowerbird {

namespace {

using two_queues::inner;
using two_queues::outer;

class Similar final : public Policy {
 public:
  Similar(std::unique_ptr<Policy> order, unsigned within) : order_(std::move(order)), within_(within) {}

  bool wants_hints() const override { return true; }
  bool wants_links() const override { return order_->wants_links(); }
  bool travels() const override { return false; }  // distances do not

  Score seed(const Seed& seed) override {
    note(seed.page, seed.hints.on_topic, kFar);
    return outer(order_->seed(seed), seed.hints.on_topic);
  }
  void crawled(const Visit& visit, std::span<const PageId> all) override {
    if (visit.on_topic) note(visit.page, true, 0);
    order_->crawled(inside(visit), all);
  }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) link.score = link.is_new ? 0 : inner(link.score);
    order_->give(inside(visit), links);
    const bool near = distance_through(visit) <= within_;
    for (OpenLink& link : links) link.score = outer(link.score, near || looks_hot(link));
  }
  void given(const Visit& visit, std::span<const OpenLink> links, const Shares& shares) override {
    const unsigned distance = distance_through(visit);
    for (const OpenLink& link : links) note(link.page, distance <= within_ || looks_hot(link), distance);
    std::vector<OpenLink> own(links.begin(), links.end());
    for (OpenLink& link : own) link.score = inner(link.score);
    order_->given(inside(visit), own, shares);
  }

  bool wants_rescore() override { return order_->wants_rescore(); }
  Score rescore(PageId page, Score score) const override {
    return outer(order_->rescore(page, inner(score)), hot(page));
  }
  bool advance(PageId best, Score score, const Emit& emit) override {
    return order_->advance(best, inner(score),
                           [&](PageId page, Score moved) { emit(page, outer(moved, hot(page))); });
  }
  Score confirm(PageId page, Score stored) override {
    return outer(order_->confirm(page, inner(stored)), hot(page));
  }
  double merit(Score score) const override { return two_queues::first(score) ? 1 : 0; }
  Score scaled(Score score, double factor) const override {
    return outer(order_->scaled(inner(score), factor), two_queues::first(score));
  }

  std::vector<Account> accounts() const override { return order_->accounts(); }
  std::uint64_t bytes() const override { return order_->bytes() + notes_.size(); }
  void limit_graph(std::uint64_t bytes) override { order_->limit_graph(bytes); }
  GraphUse graph_use() const override { return order_->graph_use(); }
  Status status() const override { return order_->status(); }
  std::vector<std::string> take_troubles() override { return order_->take_troubles(); }
  void save(ByteWriter& out) const override {
    out.put_array(notes_.view());
    order_->save(out);
  }
  void load(ByteReader& in) override {
    std::vector<std::uint8_t> notes;
    in.get_array(notes);
    notes_.append(notes);
    order_->load(in);
  }

 private:
  // By page: whether it is hot, and its distance from a page about the topic plus 1.
  static constexpr std::uint8_t kHot = 0x80;
  static constexpr unsigned kFar = 0x7e;

  bool hot(PageId page) const { return page < notes_.size() && (notes_[page] & kHot) != 0; }
  unsigned distance(PageId page) const {
    const unsigned known = page < notes_.size() ? notes_[page] & 0x7fu : 0;
    return known == 0 ? kFar : known - 1;
  }
  void note(PageId page, bool is_hot, unsigned far) {
    notes_.grow_to(std::size_t{page} + 1);
    const unsigned least = std::min({far, distance(page), kFar});
    const unsigned flag = is_hot || hot(page) ? kHot : 0u;
    notes_[page] = static_cast<std::uint8_t>(flag | (least + 1));
  }
  bool looks_hot(const OpenLink& link) const {
    return link.on_topic || hot(link.page) || (link.is_new && link.hints.on_topic);
  }
  // The distance of the links of a page.
  unsigned distance_through(const Visit& visit) const {
    return 1 + (visit.on_topic ? 0 : distance(visit.page));
  }
  static Visit inside(Visit visit) {
    visit.score = inner(visit.score);
    return visit;
  }

  std::unique_ptr<Policy> order_;
  unsigned within_;  // 0: the basic variant
  LazyArray<std::uint8_t> notes_;
};

// The value of `by`, without its brackets.
std::string order_of(const Spec& spec) {
  std::string by = SpecReader(spec).text("by").value_or("bfs");
  if (by.size() >= 2 && by.front() == '(' && by.back() == ')') by = by.substr(1, by.size() - 2);
  return by;
}

}  // namespace

MadePolicy make_similar(const Spec& spec, const PolicyContext& context) {
  SpecReader reader(spec);
  reader.text("by");
  const std::string variant = reader.text("variant").value_or("modified");
  const auto within = reader.number("within", 1, 100);
  BB_TRY_VOID(reader.finish());
  if (variant != "basic" && variant != "modified") {
    return error("'{}': variant is basic or modified, not '{}'", spec.text, variant);
  }
  if (variant == "basic" && within) return error("'{}': within belongs to the modified variant", spec.text);
  BB_TRY(auto order, make_policy(order_of(spec), context));
  return made<Similar>(std::move(order), variant == "basic" ? 0 : static_cast<unsigned>(within.value_or(3)));
}

std::vector<std::string> parts_of_similar(const Spec& spec) {
  return {order_of(spec)};
}

}  // namespace bowerbird
