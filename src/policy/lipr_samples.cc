#include "policy/lipr_samples.h"

#include <algorithm>
#include <cmath>

#include "base/rng.h"
#include "policy/ridge.h"

namespace bowerbird::lipr {

namespace {

constexpr double kPenalty = 200;
constexpr double kInterceptPenalty = 1e-6;
constexpr double kMostGain = 5;
constexpr double kMostSquare = 9;
// of snapshots that are still uncrawled, because their rank will continue to grow
constexpr double kOpenWeight = 0.5;

}  // namespace

std::uint64_t Samples::Sample::hash() const {
  return draw(std::uint64_t{crawled} << 1 | taken, node);
}

void Samples::note(const Known& known, Node node, bool taken) {
  Sample sample;
  sample.node = node;
  sample.crawled = known.crawled() + (taken ? 1 : 0);
  sample.taken = taken ? 1 : 0;
  if (sample.hash() > below_) return;
  const Vector x = known.features(node);
  for (std::size_t i = 0; i < kStored; ++i) sample.x[i] = static_cast<float>(x[i + 1]);
  samples_.push_back(sample);
  if (samples_.size() > most_) thin();
}

void Samples::thin() {
  below_ /= 2;
  std::erase_if(samples_, [this](const Sample& sample) { return sample.hash() > below_; });
}

Vector Samples::features(const Sample& sample, const Known& known) {
  Vector x;
  x[kOne] = 1;
  for (std::size_t i = 0; i < kStored; ++i) x[i + 1] = sample.x[i];
  x[kAge] = std::log(static_cast<double>(known.crawled()) / sample.crawled);
  return x;
}

double Samples::gain(const Sample& sample, const Known& known) {
  const double now = known.log_rank(known[sample.node]);
  return std::clamp(now - static_cast<double>(sample.x[kRank - 1]), -kMostGain, kMostGain);
}

Model Samples::fit(const Known& known, const Vector& prior) const {
  // The remaining samples weigh as much as all of them did.
  const double share = to_unit(below_);
  Vector penalty;
  penalty.fill(kPenalty * share);
  penalty[kOne] = kInterceptPenalty;
  Ridge<kFeatures> gains;
  for (const Sample& sample : samples_) {
    const bool certain = sample.taken != 0 || known[sample.node].crawled();
    gains.add(features(sample, known), gain(sample, known), certain ? 1 : kOpenWeight);
  }
  Model model;
  model.gain = gains.solve(penalty, prior);
  Ridge<kFeatures> squares;
  for (const Sample& sample : samples_) {
    if (sample.taken == 0) continue;
    const Vector x = features(sample, known);
    const double missed = gain(sample, known) - dot(model.gain, x);
    squares.add(x, std::min(kMostSquare, missed * missed), 1);
  }
  model.spread = squares.solve(penalty, {});
  return model;
}

void Samples::save(ByteWriter& out) const {
  out.put(below_);
  out.put_array(samples_);
}

void Samples::load(ByteReader& in, Node nodes) {
  in.get(below_);
  in.get_array(samples_);
  for (const Sample& sample : samples_) {
    const auto finite = [](float x) { return std::isfinite(x); };
    const bool good = sample.node < nodes && sample.crawled > 0 && sample.taken <= 1 &&
                      std::all_of(sample.x.begin(), sample.x.end(), finite);
    if (!good) return in.reject();
  }
}

}  // namespace bowerbird::lipr
