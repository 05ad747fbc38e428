#include "plugin/ordering_policy.h"

#include <cmath>
#include <limits>

#include "policy/registry.h"

namespace bowerbird {

namespace {

class OrderingPolicy final : public Policy {
 public:
  explicit OrderingPolicy(std::unique_ptr<v1::Ordering> ordering, std::string name)
      : ordering_(std::move(ordering)), name_(std::move(name)), wants_links_(ordering_->wants_links()) {}

  bool wants_links() const override { return wants_links_; }
  // Its scores may depend on anything, so links found by others are passed to it unchanged.
  bool travels() const override { return !wants_links_; }

  Score seed(const Seed& seed) override {
    double score = 0;
    guarded([&] { score = ordering_->seed(seed.page, seed.share); });
    return sound(score);
  }
  void crawled(const Visit& visit, std::span<const PageId> all) override {
    guarded([&] { ordering_->crawled(public_visit(visit), all); });
  }
  void give(const Visit& visit, std::span<OpenLink> links) const override {
    links_.clear();
    for (const OpenLink& link : links) {
      links_.push_back({link.page, link.discovered, link.score, link.is_new, link.other_host});
    }
    guarded([&] { ordering_->score(public_visit(visit), links_); });
    for (std::size_t i = 0; i < links.size(); ++i) links[i].score = sound(links_[i].score);
  }
  bool wants_rescore() override {
    bool wants = false;
    guarded([&] { wants = ordering_->wants_rescore(); });
    return wants;
  }
  Score rescore(PageId page, Score score) const override {
    double made = score;
    guarded([&] { made = ordering_->rescore(page, score); });
    return sound(made);
  }
  double merit(Score score) const override { return std::max(0.0, score); }
  std::uint64_t bytes() const override { return ordering_->bytes() + links_.capacity() * sizeof(v1::Link); }
  Status status() const override { return status_; }

  void save(ByteWriter& out) const override {
    std::string bytes;
    guarded([&] { ordering_->save(bytes); });
    out.put_array(std::span<const char>(bytes));
  }
  void load(ByteReader& in) override {
    std::vector<char> bytes;
    in.get_array(bytes);
    bool good = false;
    guarded([&] { good = ordering_->load({bytes.data(), bytes.size()}); });
    if (!good) in.reject();
  }

 private:
  static Score sound(double score) { return std::isnan(score) ? -std::numeric_limits<double>::max() : score; }
  static v1::Visit public_visit(const Visit& visit) {
    return {visit.page,  visit.links,   visit.other_host, visit.discovered,
            visit.score, visit.crawled, visit.known};
  }
  // After an error the ordering is not called again.
  template <typename Call>
  void guarded(Call&& call) const {
    if (!status_.ok()) return;
    try {
      call();
    } catch (const std::exception& e) {
      status_ = error("the ordering '{}' failed: {}", name_, e.what());
    } catch (...) {
      status_ = error("the ordering '{}' failed", name_);
    }
  }

  std::unique_ptr<v1::Ordering> ordering_;
  std::string name_;
  bool wants_links_;
  mutable std::vector<v1::Link> links_;
  mutable Status status_;
};

std::string parameters_of(const Spec& spec) {
  return spec.text.size() > spec.name.size() ? spec.text.substr(spec.name.size() + 1) : std::string();
}

}  // namespace

Status add_ordering(const std::string& name, const std::string& summary, OrderingMaker make) {
  AddedPolicy added;
  added.name = name;
  added.summary = summary;
  added.make = [make = std::move(make)](const Spec& spec,
                                        const PolicyContext& context) -> Result<std::unique_ptr<Policy>> {
    v1::OrderingContext given;
    given.expected_pages = context.expected_pages;
    given.random_seed = context.seed;
    given.parameters = parameters_of(spec);
    given.host_of = context.hosts;
    try {
      std::unique_ptr<v1::Ordering> ordering = make(given);
      if (ordering == nullptr) return error("the ordering '{}' was not made", spec.text);
      return std::unique_ptr<Policy>(std::make_unique<OrderingPolicy>(std::move(ordering), spec.text));
    } catch (const std::exception& e) {
      return error("the ordering '{}': {}", spec.text, e.what());
    }
  };
  return add_policy(std::move(added));
}

}  // namespace bowerbird
