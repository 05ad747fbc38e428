// A second implementation of the BVGraph format: slow, bit by bit, straight from its description. Tests and
// fuzz targets compare the fast reader with it.
//
// It keeps every list in memory and every set of links in a std::set, and shares nothing with the fast reader
// except the enumeration of codes. In both, numbers beyond 2^56 and nibble codes beyond 18 groups count as
// damage.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "base/ids.h"
#include "graph/io/bv_properties.h"

namespace bowerbird {

class BvTwin {
 public:
  using Lists = std::vector<std::vector<PageId>>;

  // The lists of a graph, or nothing if the file is invalid in any way.
  static std::optional<Lists> decode(const BvProperties& properties, std::span<const std::uint8_t> graph) {
    try {
      return BvTwin(properties, graph).all_lists();
    } catch (const Damage&) {
      return std::nullopt;
    }
  }

  // The number at the start of the bytes, in a code.
  static std::optional<std::uint64_t> number(std::span<const std::uint8_t> bytes, BvCode code,
                                             std::uint32_t parameter) {
    BvProperties properties;
    properties.options.zeta_k = parameter;
    try {
      return BvTwin(properties, bytes).number(code);
    } catch (const Damage&) {
      return std::nullopt;
    }
  }

 private:
  struct Damage {};

  BvTwin(const BvProperties& properties, std::span<const std::uint8_t> bytes)
      : properties_(properties), options_(properties.options), bytes_(bytes) {}

  static void demand(bool condition) {
    if (!condition) throw Damage();
  }

  std::uint64_t bit() {
    demand(at_ < bytes_.size() * 8);
    const std::uint64_t value = bytes_[at_ / 8] >> (7 - at_ % 8) & 1;
    ++at_;
    return value;
  }
  std::uint64_t binary(std::uint64_t digits) {
    demand(digits <= 64);
    std::uint64_t value = 0;
    while (digits-- > 0) value = value * 2 + bit();
    return value;
  }
  std::uint64_t unary() {
    std::uint64_t zeros = 0;
    while (bit() == 0) ++zeros;
    return zeros;
  }
  static std::uint64_t power(std::uint64_t exponent) {
    demand(exponent < 64);
    return std::uint64_t{1} << exponent;
  }
  std::uint64_t minimal_binary(std::uint64_t bound) {
    std::uint64_t digits = 0;
    while (power(digits + 1) <= bound) ++digits;
    const std::uint64_t short_ones = power(digits + 1) - bound;
    const std::uint64_t value = binary(digits);
    return value < short_ones ? value : value * 2 + bit() - short_ones;
  }
  std::uint64_t number(BvCode code) {
    const std::uint64_t value = number_of_any_size(code);
    demand(value < power(56));
    return value;
  }
  std::uint64_t number_of_any_size(BvCode code) {
    const std::uint64_t k = options_.zeta_k;
    switch (code) {
      case BvCode::kUnary:
        return unary();
      case BvCode::kGamma: {
        const std::uint64_t digits = unary();
        return power(digits) + binary(digits) - 1;
      }
      case BvCode::kDelta: {
        const std::uint64_t digits = number(BvCode::kGamma);
        return power(digits) + binary(digits) - 1;
      }
      case BvCode::kZeta: {
        const std::uint64_t h = unary();
        demand(h < 64);
        const std::uint64_t start = power(h * k);
        const std::uint64_t value = binary(h * k + k - 1);
        return value < start ? start + value - 1 : value * 2 + bit() - 1;
      }
      case BvCode::kGolomb: {
        const std::uint64_t quotient = unary();
        demand(quotient < power(32));
        return quotient * k + minimal_binary(k);
      }
      case BvCode::kSkewedGolomb: {
        const std::uint64_t range = unary();
        demand(range < 32);
        return (power(range) - 1) * k + minimal_binary(k * power(range));
      }
      case BvCode::kNibble: {
        std::uint64_t value = 0;
        for (int groups = 1;; ++groups) {
          demand(groups <= 18);
          const bool last = bit() == 1;
          value = value * 8 + binary(3);
          if (last) return value;
        }
      }
    }
    throw Damage();
  }
  std::uint64_t number(BvPart part) { return number(options_.codes[part]); }

  // 0, 1, 2, 3, 4 ... as 0, -1, 1, -2, 2 ...
  static std::int64_t with_sign(std::uint64_t x) {
    return x % 2 == 0 ? static_cast<std::int64_t>(x / 2) : -static_cast<std::int64_t>(x / 2) - 1;
  }

  void add(std::set<PageId>& links, std::int64_t link) const {
    demand(link >= 0 && link < static_cast<std::int64_t>(properties_.pages));
    demand(links.insert(static_cast<PageId>(link)).second);
  }

  std::vector<PageId> list(const Lists& before) {
    const auto page = static_cast<std::int64_t>(before.size());
    const std::uint64_t degree = number(BvPart::kOutdegrees);
    demand(degree <= properties_.pages);
    std::set<PageId> links;
    if (degree == 0) return {};
    const std::uint64_t reference = options_.window == 0 ? 0 : number(BvPart::kReferences);
    demand(reference <= options_.window && reference <= before.size());
    if (reference > 0) copy(before[before.size() - reference], links);
    demand(links.size() <= degree);
    if (links.size() < degree && options_.min_interval > 0) intervals(page, degree, links);
    demand(links.size() <= degree);
    std::int64_t residual = page;
    for (bool first = true; links.size() < degree; first = false) {
      const std::uint64_t distance = number(BvPart::kResiduals);
      residual += first ? with_sign(distance) : static_cast<std::int64_t>(distance) + 1;
      add(links, residual);
    }
    return {links.begin(), links.end()};
  }

  void copy(const std::vector<PageId>& source, std::set<PageId>& links) {
    const std::uint64_t count = number(BvPart::kBlockCount);
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      std::uint64_t length = number(BvPart::kBlocks) + (i == 0 ? 0 : 1);
      for (; length > 0; --length) {
        demand(at < source.size());
        if (i % 2 == 0) links.insert(source[at]);
        ++at;
      }
    }
    for (; count % 2 == 0 && at < source.size(); ++at) links.insert(source[at]);
  }

  void intervals(std::int64_t page, std::uint64_t degree, std::set<PageId>& links) {
    const std::uint64_t count = number(BvPart::kIntervals);
    std::int64_t end = 0;  // one past the interval before
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t start = number(BvPart::kIntervals);
      std::int64_t link = i == 0 ? page + with_sign(start) : end + 1 + static_cast<std::int64_t>(start);
      std::uint64_t length = number(BvPart::kIntervals) + options_.min_interval;
      for (; length > 0; --length) {
        add(links, link++);
        demand(links.size() <= degree);
      }
      end = link;
    }
  }

  Lists all_lists() {
    demand(properties_.pages <= bytes_.size() * 8);
    Lists lists;
    std::uint64_t links = 0;
    while (lists.size() < properties_.pages) {
      lists.push_back(list(lists));
      links += lists.back().size();
    }
    demand(links == properties_.links);
    demand(bytes_.size() * 8 - at_ < 128);
    while (at_ < bytes_.size() * 8) demand(bit() == 0);
    return lists;
  }

  const BvProperties properties_;
  const BvOptions options_;
  const std::span<const std::uint8_t> bytes_;
  std::uint64_t at_ = 0;  // bits read
};

}  // namespace bowerbird
