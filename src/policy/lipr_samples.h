// The training samples of `lipr`: pages as they were at some moment of the crawl, and how their rank has
// grown since.
//
// A *taken* sample is a page at the moment of its crawl. A *snapshot* is an uncrawled page at a
// recomputation, so that pages which were not taken are represented too. Above a fixed number of samples a
// share of them is kept, chosen by a hash of the sample, so that the choice depends on neither order nor
// threads. 60 bytes per sample. Threads: one owner.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "policy/lipr_known.h"

namespace bowerbird::lipr {

// The expected gain of a page, and the expected square of the residual.
struct Model {
  Vector gain{};
  Vector spread{};
};

class Samples {
 public:
  explicit Samples(std::uint64_t most) : most_(most) {}

  // Samples the page as it is now, or skips it.
  void note(const Known& known, Node node, bool taken);
  // Call right after ranks have been recomputed.
  Model fit(const Known& known, const Vector& prior) const;

  std::uint64_t size() const { return samples_.size(); }
  std::uint64_t bytes() const { return samples_.capacity() * sizeof(Sample); }
  void save(ByteWriter& out) const;
  void load(ByteReader& in, Node nodes);

 private:
  static constexpr std::size_t kStored = kFeatures - 2;  // all but the constant and the age
  struct Sample {
    Node node;
    std::uint32_t crawled;  // number of crawled pages at that time
    std::uint32_t taken;
    std::array<float, kStored> x;

    std::uint64_t hash() const;
  };

  void thin();
  static Vector features(const Sample& sample, const Known& known);
  static double gain(const Sample& sample, const Known& known);

  std::uint64_t most_;
  std::uint64_t below_ = ~std::uint64_t{0};  // samples with a hash up to this are kept
  std::vector<Sample> samples_;
};

}  // namespace bowerbird::lipr
