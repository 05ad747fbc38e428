// Web graphs: pages 0 ... pages()-1 with their links and, if known, hosts and URLs.
//
// A Graph is a handle: copies share the same graph, which lives as long as one of them. Immutable;
// threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bowerbird/error.h"

BOWERBIRD_BEGIN

// Called regularly during long work. share: 0 to 1. Return false to stop, which throws Stopped.
using Progress = std::function<bool(const std::string& what, double share)>;

class BOWERBIRD_API Graph {
 public:
  // A file of any format that `bowerbird graph` reads, a crawl folder, or "synthetic:pages=1M,seed=7".
  static Graph open(const std::string& path, const Progress& progress = {});
  // Links as pairs (from, to); `pages` is one past the largest page if 0. hosts: a number for each page, or
  // empty. urls: one for each page, or empty; hosts then follow from them.
  static Graph from_links(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                          std::uint32_t pages = 0, std::span<const std::uint32_t> hosts = {},
                          std::span<const std::string> urls = {});

  // In the format of the extension (docs/formats).
  void save(const std::string& path, const Progress& progress = {}) const;

  std::uint32_t pages() const;
  std::uint64_t links() const;
  bool has_hosts() const;
  bool has_urls() const;
  std::uint32_t hosts() const;  // 0 if unknown
  std::uint32_t host(std::uint32_t page) const;
  std::string url(std::uint32_t page) const;

  // The links of page p are targets()[offsets()[p] ... offsets()[p + 1]), ascending and distinct. The
  // spans refer to the graph's own memory; for a graph that is decoded or computed on the fly, the first
  // call creates the arrays.
  std::span<const std::uint64_t> offsets() const;
  std::span<const std::uint32_t> targets() const;

  // PageRank of all pages; sums to 1. threads: 0 for all cores.
  std::vector<double> pagerank(double damping = 0.85, double tolerance = 1e-10, unsigned threads = 0,
                               const Progress& progress = {}) const;

  struct Impl;
  explicit Graph(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  const std::shared_ptr<Impl>& impl() const { return impl_; }

 private:
  std::shared_ptr<Impl> impl_;
};

BOWERBIRD_END
