// On-line page importance computation, as an ordering: every page gets cash 1 when it is discovered; a
// crawled page divides its cash equally among its links; the richest page is taken first. S. Abiteboul, M.
// Preda and G. Cobena, Adaptive on-line page importance computation, 2003; in this greedy form in [003].
//
// No cash is ever lost: what would go to crawled pages, or comes from pages without links, is in the sink;
// the cash for links that a strategy holds back is pending. Uncrawled pages + sink + pending = issued. In a
// parallel crawl, sent cash is added to the left side and received cash to the right.
#include "policy/orderings.h"

namespace bowerbird {

namespace {

class Opic final : public Policy {
 public:
  Score seed(const Seed&) override {
    issued_ += 1;
    return 1;
  }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    const double share = share_of(visit);
    for (OpenLink& link : links) link.score += link.is_new ? 1 + share : share;
  }
  void given(const Visit& visit, std::span<const OpenLink> links, const Shares& shares) override {
    for (const OpenLink& link : links) issued_ += link.is_new ? 1 : 0;
    const double share = share_of(visit);
    if (visit.received) {
      received_ += share * (static_cast<double>(links.size()) + shares.closed);
      sink_ += share * shares.closed;
    } else if (shares.first) {
      sink_ += visit.links == 0 ? visit.score : share * shares.closed;
      pending_ += share * shares.held;
      sent_ += share * shares.away;
    } else {
      sink_ += share * shares.closed;
      pending_ -= share * (static_cast<double>(links.size()) + shares.closed);
    }
  }
  std::vector<Account> accounts() const override {
    return {{"issued", issued_},
            {"sink", sink_},
            {"pending", pending_},
            {"sent", sent_},
            {"received", received_}};
  }
  void save(ByteWriter& out) const override {
    out.put(issued_);
    out.put(sink_);
    out.put(pending_);
    out.put(sent_);
    out.put(received_);
  }
  void load(ByteReader& in) override {
    in.get(issued_);
    in.get(sink_);
    in.get(pending_);
    in.get(sent_);
    in.get(received_);
  }

 private:
  static double share_of(const Visit& visit) { return visit.links == 0 ? 0 : visit.score / visit.links; }

  double issued_ = 0;
  double sink_ = 0;
  double pending_ = 0;
  double sent_ = 0;
  double received_ = 0;
};

}  // namespace

MadePolicy make_opic(const Spec& spec, const PolicyContext&) {
  BB_TRY_VOID(SpecReader(spec).finish());
  return made<Opic>();
}

}  // namespace bowerbird
