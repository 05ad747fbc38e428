// A weighted sum of the scores of other orderings, each divided by its running maximum: IC of [004] over any
// of them. `combined:fpr@100=1,backlink=0.5`; an ordering with its own parameters is written in brackets:
// `combined:(ieca:k=2500)=1,opic=2`.
//
// Scores are summed as merits, where larger is better (a distance d becomes 1/(1+d)). All scores in the queue
// are divided by the same maxima. When a maximum has grown by more than a tenth since the last rescoring, the
// whole queue is rescored with the new one. The parts keep their own scores here, 8 bytes per part and page
// id.
#include <algorithm>
#include <utility>

#include "base/lazy_array.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

constexpr double kOutgrown = 1.1;

struct Part {
  std::unique_ptr<Policy> policy;
  double weight = 1;
  LazyArray<double> score = {};  // by page
  double highest = 0;            // largest merit so far
  double divisor = 0;            // the highest at the last rescoring of the queue; 0 = none yet

  Score of(PageId page) const { return page < score.size() ? score[page] : 0; }
  double term(Score s) const { return divisor > 0 ? weight * policy->merit(s) / divisor : 0; }
  void keep(PageId page, Score s) {
    score.grow_to(std::size_t{page} + 1);
    score[page] = s;
    highest = std::max(highest, policy->merit(s));
  }
  bool outgrown() const { return highest > divisor * kOutgrown; }
};

class Combined final : public Policy {
 public:
  explicit Combined(std::vector<Part> parts) : parts_(std::move(parts)) {}

  bool judges() const override {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.policy->judges(); });
  }
  bool wants_hints() const override {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.policy->wants_hints(); });
  }
  bool travels() const override { return false; }  // the parts' scores do not
  bool wants_links() const override {
    return std::any_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.policy->wants_links(); });
  }

  Score seed(const Seed& seed) override {
    for (Part& part : parts_) part.keep(seed.page, part.policy->seed(seed));
    queued_.push_back(seed.page);
    return total(seed.page);
  }
  void crawled(const Visit& visit, std::span<const PageId> all) override {
    for (Part& part : parts_) part.policy->crawled(visit_of(part, visit), all);
  }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    std::vector<Score> sums(links.size(), 0);
    for (const Part& part : parts_) {
      const std::vector<OpenLink> own = links_of(part, visit, links);
      for (std::size_t i = 0; i < links.size(); ++i) sums[i] += part.term(own[i].score);
    }
    for (std::size_t i = 0; i < links.size(); ++i) links[i].score = sums[i];
  }
  void given(const Visit& visit, std::span<const OpenLink> links, const Shares& shares) override {
    for (Part& part : parts_) {
      const std::vector<OpenLink> own = links_of(part, visit, links);
      for (const OpenLink& link : own) part.keep(link.page, link.score);
      part.policy->given(visit_of(part, visit), own, shares);
    }
    if (shares.first) done_.push_back(visit.page);
    for (const OpenLink& link : links) {
      if (link.is_new) queued_.push_back(link.page);
    }
  }
  bool wants_rescore() override;
  Score rescore(PageId page, Score) const override { return total(page); }
  bool advance(PageId best, Score, const Emit& emit) override;
  Score confirm(PageId page, Score) override;

  std::vector<Account> accounts() const override {
    std::vector<Account> all;
    for (const Part& part : parts_) {
      const std::vector<Account> own = part.policy->accounts();
      all.insert(all.end(), own.begin(), own.end());
    }
    return all;
  }
  std::uint64_t bytes() const override {
    std::uint64_t total = (queued_.capacity() + done_.capacity()) * sizeof(PageId);
    for (const Part& part : parts_) total += part.policy->bytes() + part.score.size() * sizeof(double);
    return total;
  }
  void limit_graph(std::uint64_t bytes) override {
    for (Part& part : parts_) part.policy->limit_graph(bytes / parts_.size());
  }
  GraphUse graph_use() const override {
    GraphUse all;
    for (const Part& part : parts_) all.add(part.policy->graph_use());
    return all;
  }
  Status status() const override {
    for (const Part& part : parts_) BB_TRY_VOID(part.policy->status());
    return {};
  }
  std::vector<std::string> take_troubles() override {
    std::vector<std::string> all;
    for (Part& part : parts_) {
      for (std::string& text : part.policy->take_troubles()) all.push_back(std::move(text));
    }
    return all;
  }
  void save(ByteWriter& out) const override;
  void load(ByteReader& in) override;

 private:
  Score total(PageId page) const {
    Score sum = 0;
    for (const Part& part : parts_) sum += part.term(part.of(page));
    return sum;
  }
  static Visit visit_of(const Part& part, Visit visit) {
    visit.score = part.of(visit.page);
    return visit;
  }
  // The links with the scores of this part.
  static std::vector<OpenLink> links_of(const Part& part, const Visit& visit,
                                        std::span<const OpenLink> links) {
    std::vector<OpenLink> own(links.begin(), links.end());
    for (OpenLink& link : own) link.score = link.is_new ? 0 : part.of(link.page);
    part.policy->give(visit_of(part, visit), own);
    return own;
  }
  void rescore_part(Part& part);

  std::vector<Part> parts_;
  std::vector<PageId> queued_;  // discovered; crawled ones are removed when it is traversed
  std::vector<PageId> done_;    // crawled since
};

void Combined::rescore_part(Part& part) {
  std::sort(done_.begin(), done_.end());
  std::erase_if(queued_,
                [this](PageId page) { return std::binary_search(done_.begin(), done_.end(), page); });
  done_.clear();
  for (const PageId page : queued_) part.keep(page, part.policy->rescore(page, part.of(page)));
}

bool Combined::wants_rescore() {
  bool any = false;
  for (Part& part : parts_) {
    if (part.policy->wants_rescore()) {
      rescore_part(part);
      any = true;
    }
    if (part.outgrown()) {
      part.divisor = part.highest;
      any = true;
    }
  }
  return any;
}

bool Combined::advance(PageId best, Score, const Emit& emit) {
  bool any = false;
  for (Part& part : parts_) {
    any |= part.policy->advance(best, part.of(best), [&](PageId page, Score score) {
      part.keep(page, score);
      emit(page, total(page));
    });
  }
  return any;
}

Score Combined::confirm(PageId page, Score) {
  for (Part& part : parts_) {
    const Score confirmed = part.policy->confirm(page, part.of(page));
    if (confirmed < part.of(page)) part.keep(page, confirmed);
  }
  return total(page);
}

void Combined::save(ByteWriter& out) const {
  for (const Part& part : parts_) {
    out.put_array(part.score.view());
    out.put(part.highest);
    out.put(part.divisor);
    part.policy->save(out);
  }
  out.put_array(queued_);
  out.put_array(done_);
}

void Combined::load(ByteReader& in) {
  for (Part& part : parts_) {
    std::vector<double> scores;
    in.get_array(scores);
    part.score.append(scores);
    in.get(part.highest);
    in.get(part.divisor);
    part.policy->load(in);
  }
  in.get_array(queued_);
  in.get_array(done_);
}

}  // namespace

MadePolicy make_combined(const Spec& spec, const PolicyContext& context) {
  std::vector<Part> parts;
  SpecReader reader(spec);
  PolicyContext own = context;
  own.graph_bytes /= std::max<std::size_t>(1, spec.options.size());
  for (const auto& [name, weight] : spec.options) {
    BB_TRY(auto policy, make_policy(name, own));
    parts.push_back({std::move(policy), reader.number(name, -1e9, 1e9).value_or(1)});
  }
  BB_TRY_VOID(reader.finish());
  if (parts.empty()) {
    return error("'{}': name the orderings and their weights, for example combined:fpr@100=1,backlink=0.5",
                 spec.text);
  }
  return made<Combined>(std::move(parts));
}

std::vector<std::string> parts_of_combined(const Spec& spec) {
  std::vector<std::string> parts;
  for (const auto& [name, weight] : spec.options) parts.emplace_back(name);
  return parts;
}

}  // namespace bowerbird
