#include "frontier/strategy.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/rng.h"
#include "base/suggest.h"
#include "base/units.h"
#include "policy/spec.h"

namespace bowerbird {

namespace {

constexpr std::uint16_t kShallowDepth = 2;
const std::vector<std::string> kNames = {"all", "sydney", "shallow", "truncated"};

Result<std::uint64_t> parse_budget(const Spec& spec, const std::string& text, std::uint64_t expected_pages) {
  if (text.back() != '%') return parse_count(text);
  if (expected_pages == 0) {
    return error("'{}': a budget in percent needs a page budget (--pages); or write a number of entries",
                 spec.text);
  }
  BB_TRY(const double share, parse_share(text));
  return static_cast<std::uint64_t>(share * static_cast<double>(expected_pages));
}

}  // namespace

Result<Strategy> Strategy::make(std::string_view text, std::uint64_t expected_pages, std::uint64_t seed) {
  BB_TRY(const Spec spec, Spec::parse(text));
  const auto name = std::find(kNames.begin(), kNames.end(), spec.name);
  if (name == kNames.end()) {
    const std::string meant = did_you_mean(spec.name, kNames);
    return error("unknown strategy '{}'{}", spec.name,
                 meant.empty() ? "; choose from: all, sydney@t, shallow@t, truncated@t" : meant);
  }
  Strategy made;
  made.kind_ = static_cast<Kind>(name - kNames.begin());
  made.seed_ = seed;
  SpecReader reader(spec);
  if (made.kind_ != Kind::kAll) {
    const auto t = reader.at(1, 1e9);
    if (!spec.at)
      return error("'{}': the number of links is missing; write for example {}@8", text, spec.name);
    made.t_ = static_cast<std::uint32_t>(t.value_or(1));
  }
  const auto budget = reader.text("budget");
  BB_TRY_VOID(reader.finish());
  if (budget) {
    BB_TRY(made.budget_, parse_budget(spec, *budget, expected_pages));
    if (*made.budget_ == 0) return error("'{}': the budget must be at least 1", text);
  }
  return made;
}

std::uint32_t Strategy::sample_size(std::uint16_t depth) const {
  const bool samples = kind_ != Kind::kAll && !(kind_ == Kind::kShallow && depth > kShallowDepth);
  return samples ? t_ : std::numeric_limits<std::uint32_t>::max();
}

std::uint64_t Strategy::room(std::uint64_t primary) const {
  const std::uint64_t used = primary + secondary() + visiting_.size();
  if (!budget_) return std::numeric_limits<std::uint32_t>::max();
  return used < *budget_ ? *budget_ - used : 0;
}

Admission Strategy::admit(std::uint32_t new_links, std::uint16_t depth, std::uint64_t primary,
                          bool postpone) const {
  const std::uint64_t room = this->room(primary);
  const std::uint32_t most = sample_size(depth);
  Admission admission;
  admission.enter = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::min(new_links, most), room));
  if (new_links > most && postpone && room > 0) admission.enter = 0;
  const std::uint32_t rest = new_links - admission.enter;
  const bool to_secondary = new_links > most && kind_ != Kind::kTruncated && room > admission.enter;
  (to_secondary ? admission.held : admission.lost) = rest;
  return admission;
}

std::size_t Strategy::sample(std::span<OpenLink> links, std::uint32_t count, bool by_score,
                             std::uint64_t step) {
  ranking_.clear();
  const std::uint64_t stream = draw(seed_, step);
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    if (!links[i].is_new) continue;
    const Score score = by_score ? links[i].score : to_unit(draw(stream, ranking_.size()));
    ranking_.emplace_back(QueueItem(links[i].page, i, score), i);
  }
  CHECK(count <= ranking_.size());
  const auto cut = ranking_.begin() + count;
  std::nth_element(ranking_.begin(), cut, ranking_.end(),
                   [](const auto& a, const auto& b) { return a.first.better_than(b.first); });
  std::for_each(cut, ranking_.end(), [&](const auto& entry) { links[entry.second].page = kNoPage; });
  const auto end =
      std::remove_if(links.begin(), links.end(), [](const OpenLink& link) { return link.page == kNoPage; });
  return static_cast<std::size_t>(end - links.begin());
}

void Strategy::start_round() {
  CHECK(left_in_round() == 0);
  round_.swap(secondary_);
  secondary_.clear();
  round_at_ = 0;
  std::sort(round_.begin(), round_.end(),
            [](const SecondaryPage& a, const SecondaryPage& b) { return a.item().better_than(b.item()); });
}

PageId Strategy::take_from_round() {
  visiting_.push_back(round_[round_at_++]);
  return visiting_.back().visit.page;
}

std::optional<SecondaryPage> Strategy::finish_visit(PageId page) {
  for (SecondaryPage& held : visiting_) {
    if (held.visit.page != page) continue;
    const SecondaryPage found = held;
    held = visiting_.back();
    visiting_.pop_back();
    return found;
  }
  return {};
}

const SecondaryPage* Strategy::visiting(PageId page) const {
  for (const SecondaryPage& held : visiting_) {
    if (held.visit.page == page) return &held;
  }
  return nullptr;
}

std::vector<SecondaryPage> Strategy::all_held() const {
  std::vector<SecondaryPage> all = secondary_;
  all.insert(all.end(), round_.begin() + static_cast<std::ptrdiff_t>(round_at_), round_.end());
  all.insert(all.end(), visiting_.begin(), visiting_.end());
  return all;
}

std::uint64_t Strategy::bytes() const {
  return (secondary_.capacity() + round_.capacity() + visiting_.capacity()) * sizeof(SecondaryPage) +
         ranking_.capacity() * sizeof(ranking_[0]);
}

void Strategy::save(ByteWriter& out) const {
  out.put_array(secondary_);
  out.put_array(std::span<const SecondaryPage>(round_).subspan(round_at_));
  out.put_array(visiting_);
}

void Strategy::load(ByteReader& in) {
  in.get_array(secondary_);
  in.get_array(round_);
  round_at_ = 0;
  in.get_array(visiting_);
}

}  // namespace bowerbird
