// The C++ side of bench/python_speed.py, on the public interface: the same loops, the same order.
//   python_speed frontier POLICY PAGES FOLDER    ('' for memory)
//   python_speed lab GRAPH POLICY
// Prints seconds of processor time, pages, and a hash of the order.
#include <bowerbird/bowerbird.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

constexpr unsigned kLinks = 10;

std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int frontier(const std::string& policy, std::uint64_t pages, const std::string& folder) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < pages * kLinks; ++i) {
    const std::uint64_t page = mix(i) % (2 * pages);
    texts.push_back("http://h" + std::to_string(page % 1000) + ".example/page/" + std::to_string(page));
  }
  bowerbird::FrontierOptions options;
  options.folder = folder;
  options.policy = policy;
  bowerbird::Frontier frontier(options);
  frontier.add({{.url = "http://seed.example/"}}, 0);
  std::vector<std::string> order;
  order.reserve(pages);
  const double start = now();
  std::vector<bowerbird::UrlEntry> links(kLinks);
  while (order.size() < pages) {
    auto next = frontier.next(0);
    if (!next) break;
    for (unsigned i = 0; i < kLinks; ++i) links[i].url = texts[order.size() * kLinks + i];
    frontier.complete(next->url, links, 0);
    order.push_back(std::move(next->url));
  }
  const double seconds = now() - start;
  std::uint64_t hash = 0;
  for (const std::string& url : order) {
    for (const char c : url) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  std::printf("%.6f %zu %llu\n", seconds, order.size(), static_cast<unsigned long long>(hash));
  return 0;
}

int lab(const std::string& path, const std::string& policy) {
  const bowerbird::Graph graph = bowerbird::Graph::open(path);
  bowerbird::LabOptions options;
  options.policies = {policy};
  options.seeds = "top:10";
  const double start = now();
  options.importance = "none";  // its computation takes longer than some orderings
  bowerbird::run_lab(graph, options);
  const double seconds = now() - start;
  options.importance = "pagerank";
  const auto rows = bowerbird::run_lab(graph, options);
  std::printf("%.6f %llu %.12f\n", seconds, static_cast<unsigned long long>(rows[0].crawled), rows[0].auc);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "frontier") return frontier(argv[2], std::strtoull(argv[3], nullptr, 10), argv[4]);
  if (argc == 4 && std::string(argv[1]) == "lab") return lab(argv[2], argv[3]);
  return 2;
}
