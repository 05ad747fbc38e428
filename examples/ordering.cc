// An ordering of your own, compared with built-in ones in the lab (docs/library.md):
//   g++ -std=c++20 ordering.cc $(pkg-config --cflags --libs bowerbird) -o ordering && ./ordering
// As a plug-in: g++ -std=c++20 -fPIC -shared -DPLUGIN ordering.cc $(pkg-config --cflags bowerbird) -o ordering.so
//               bowerbird lab synthetic:pages=10000 --plugin ./ordering.so --policies sparse,bfs
#include <bowerbird/ordering.h>

// Links of pages with few links count more.
struct Sparse : bowerbird::Ordering {
  double seed(std::uint32_t, double share) override { return 1 + share; }
  void score(const bowerbird::Visit& visit, std::span<bowerbird::Link> links) const override {
    for (bowerbird::Link& link : links) link.score += 1.0 / visit.links;
  }
};

std::unique_ptr<bowerbird::Ordering> make_sparse(const bowerbird::OrderingContext&) { return std::make_unique<Sparse>(); }

#ifdef PLUGIN
BOWERBIRD_PLUGIN({"sparse", "links of pages with few links count more", make_sparse})
#else
#include <bowerbird/bowerbird.h>

#include <cstdio>

int main() {
  bowerbird::add_ordering("sparse", "links of pages with few links count more", make_sparse);
  bowerbird::LabOptions options;
  options.policies = {"sparse", "bfs", "lipr"};
  options.seeds = "top:10";
  for (const auto& row : bowerbird::run_lab(bowerbird::Graph::open("synthetic:pages=10000"), options)) {
    std::printf("%-8s AUC %.4f  %llu pages\n", row.policy.c_str(), row.auc, static_cast<unsigned long long>(row.crawled));
  }
}
#endif
