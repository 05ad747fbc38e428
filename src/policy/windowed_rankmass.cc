// Windowed RankMass: as full RankMass, but pages are fetched in windows: the best pages, w per cent of the
// number crawled so far, in one batch. After each window every crawled page passes on once what it holds.
// [000]; J. Cho and U. Schonfeld, RankMass crawler, 2007.
//
// Within a window no mass flows, so pages found in it hold nothing and come after all others. A window is
// never larger than the queue was when it began. The first window is the seeds.
#include <algorithm>

#include "policy/mass_flow.h"
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class WindowedRankMass final : public Policy {
 public:
  explicit WindowedRankMass(double percent) : share_(percent / 100) {}

  bool wants_links() const override { return true; }
  Score seed(const Seed& seed) override {
    flow_.seed(seed.page, seed.share);
    if (flow_.graph().rows() == 0) ++left_;
    return flow_.held_by(seed.page);
  }
  void crawled(const Visit& visit, std::span<const PageId> all) override { flow_.append(visit.page, all); }
  void give(const Visit&, std::span<OpenLink> links) const override {
    for (OpenLink& link : links) link.score = flow_.held_by(link.page);
  }
  void given(const Visit& visit, std::span<const OpenLink>, const Shares& shares) override {
    if (!shares.first) return;
    if (left_ > 0) --left_;
    if (left_ > 0) return;
    flow_.pass_all();
    passed_ = true;
    const auto window = static_cast<std::uint64_t>(share_ * static_cast<double>(visit.crawled));
    left_ = std::min(std::max<std::uint64_t>(1, window), shares.queued);
  }
  bool wants_rescore() override { return std::exchange(passed_, false); }
  Score rescore(PageId page, Score) const override { return flow_.held_by(page); }

  double merit(Score score) const override { return mass::to_value(score); }
  Score scaled(Score score, double factor) const override { return mass::times(score, factor); }
  std::vector<Account> accounts() const override { return {{"rankmass", flow_.total()}}; }
  std::uint64_t bytes() const override { return flow_.bytes(); }
  void save(ByteWriter& out) const override {
    flow_.save(out);
    out.put(left_);
  }
  void load(ByteReader& in) override {
    flow_.load(in);
    in.get(left_);
  }

 private:
  double share_;
  MassFlow flow_;
  std::uint64_t left_ = 0;  // pages of this window still to be crawled
  bool passed_ = false;
};

}  // namespace

MadePolicy make_windowed_rankmass(const Spec& spec, const PolicyContext&) {
  SpecReader reader(spec);
  const double percent = reader.at(1e-6, 100).value_or(5);
  BB_TRY_VOID(reader.finish());
  return made<WindowedRankMass>(percent);
}

}  // namespace bowerbird
