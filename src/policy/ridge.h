// Ridge regression in N unknowns: the w that minimises Σ weight·(y - w·x)² + Σ penalty_i·(w_i - prior_i)².
//
// Only the sums are kept, so the cost does not depend on the number of samples, and sums of parts can be
// added. Positive penalties make the equations solvable whatever was added.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace bowerbird {

template <std::size_t N>
class Ridge {
 public:
  using Vector = std::array<double, N>;

  void add(const Vector& x, double y, double weight) {
    for (std::size_t i = 0; i < N; ++i) {
      const double scaled = weight * x[i];
      for (std::size_t j = 0; j <= i; ++j) square_[i][j] += scaled * x[j];
      right_[i] += scaled * y;
    }
  }
  void add(const Ridge& other) {
    for (std::size_t i = 0; i < N; ++i) {
      for (std::size_t j = 0; j <= i; ++j) square_[i][j] += other.square_[i][j];
      right_[i] += other.right_[i];
    }
  }

  // By Cholesky's decomposition.
  Vector solve(const Vector& penalty, const Vector& prior) const {
    auto root = square_;
    Vector w{};
    for (std::size_t i = 0; i < N; ++i) {
      root[i][i] += penalty[i];
      for (std::size_t j = 0; j <= i; ++j) {
        double rest = root[i][j];
        for (std::size_t k = 0; k < j; ++k) rest -= root[i][k] * root[j][k];
        root[i][j] = i == j ? std::sqrt(rest) : rest / root[j][j];
      }
      w[i] = right_[i] + penalty[i] * prior[i];
      for (std::size_t k = 0; k < i; ++k) w[i] -= root[i][k] * w[k];
      w[i] /= root[i][i];
    }
    for (std::size_t i = N; i-- > 0;) {
      for (std::size_t k = i + 1; k < N; ++k) w[i] -= root[k][i] * w[k];
      w[i] /= root[i][i];
    }
    return w;
  }

 private:
  std::array<Vector, N> square_{};  // the lower half
  Vector right_{};
};

}  // namespace bowerbird
