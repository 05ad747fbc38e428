// A web graph in WebGraph's BVGraph format, decoded on the fly from its mapped file.
//
// BASE.graph contains the lists, BASE.properties how they are coded, and BASE.offsets, if it exists, where
// each begins; without it one pass over the lists finds out. Opening also checks that the properties match
// the pages and links. An error inside a list is found when it is decoded: status() then names the page and
// the bit.
//
// Invariant: returned lists are ascending, distinct and in range, whatever the file contains; random access
// and scan agree. Memory: the file is mapped; a page costs 2.3 bytes. Ownership: as in graph/graph.h.
// Threads: const members from any number of threads. docs/formats/bvgraph.md describes the format.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "base/progress.h"
#include "graph/graph.h"
#include "graph/io/bv_decode.h"
#include "graph/io/bv_offsets.h"
#include "graph/io/bv_properties.h"

namespace bowerbird {

class BvGraph final : public Graph {
 public:
  // The files as bytes; `keeper` owns them. The name is that of the graph file in errors.
  struct Files {
    std::string name;
    std::span<const std::uint8_t> graph;
    std::optional<std::span<const std::uint8_t>> offsets;
    std::shared_ptr<const void> keeper;
  };

  // "web", "web.graph" and "web.properties" all name the same graph.
  static Result<std::unique_ptr<BvGraph>> open(const std::string& basename_or_graph_file,
                                               const Progress& progress = {});
  static Result<std::unique_ptr<BvGraph>> from_files(const BvProperties& properties, Files files,
                                                     const Progress& progress = {});
  ~BvGraph() override;

  PageId pages() const override { return shape_.pages; }
  std::optional<std::uint64_t> links() const override { return properties_.links; }
  std::span<const PageId> out(PageId page, LinkBuffer& buffer) const override;
  void scan(PageId first, PageId last, const Visitor& visit) const override;
  Status status() const override;

  const BvProperties& properties() const { return properties_; }
  // The length of all lists together.
  std::uint64_t bits() const { return offsets_[shape_.pages]; }

 private:
  struct Window;

  BvGraph(const BvProperties& properties, Files files);

  Status find_offsets(const Progress& progress);
  Status read_offsets(std::span<const std::uint8_t> bytes, const Progress& progress);
  Status check_degrees(const Progress& progress);
  template <typename Codec>
  Status find_offsets_with(const Codec& codec, const Progress& progress);
  template <typename Codec>
  Status check_degrees_with(const Codec& codec, const Progress& progress);
  template <typename Codec>
  std::optional<std::span<const PageId>> out_with(const Codec& codec, PageId page, LinkBuffer& buffer) const;
  template <typename Codec>
  void scan_with(const Codec& codec, PageId first, PageId last, const Visitor& visit) const;

  Status check_end(std::uint64_t bit) const;
  Error fault_error(bv::Fault fault, PageId page, const BitReader& in) const;
  void set_fault(bv::Fault fault, PageId page, const BitReader& in) const;

  BvProperties properties_;
  bv::Shape shape_;
  bool default_codes_;
  Files files_;
  BvOffsets offsets_;  // pages + 1 of them

  mutable std::mutex mutex_;
  mutable Status status_;  // under mutex_
};

// "web" for "web", "web.graph", "web.properties" and "web.offsets".
std::string bv_basename(const std::string& path);

}  // namespace bowerbird
