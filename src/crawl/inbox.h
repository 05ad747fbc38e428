// Parcels that have arrived and wait for their turn: for a number before them, or for their partition.
//
// Nothing here is part of the crawl's state: whoever sent a parcel keeps it until our commit is known.
// Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "crawl/parcel.h"
#include "crawl/share.h"

namespace bowerbird {

class Inbox {
 public:
  void add(Parcel parcel);
  bool empty() const { return waiting_.empty(); }
  // Forgets what is for other partitions.
  template <typename Keep>
  void keep(const Keep& partition) {
    std::erase_if(waiting_, [&](const auto& row) { return !partition(row.first.first); });
  }

  // By partition: moves under an earlier tenure have been taken by somebody, whoever sends them again.
  void expect(std::vector<std::uint64_t> tenures) { expected_ = std::move(tenures); }

  // What is to be done next, as the share stands: links to take, a partition to adopt (all its pieces), or
  // ids that are known already and only to be confirmed.
  struct Turn {
    std::vector<Parcel> links;  // one
    std::vector<Parcel> pieces;
    std::vector<ParcelId> repeats;
  };
  std::optional<Turn> next(const Share& share);

 private:
  struct Waiting {
    Parcel parcel;
    bool first = false, last = false;
    std::uint64_t tenure = 0;  // 0: links
  };
  using Row = std::map<std::uint64_t, Waiting>;  // by number

  bool is_stale(std::uint64_t tenure, const Share& share, std::uint32_t partition) const;
  static std::optional<Turn> next_of_held(const Share& share, std::uint32_t partition,
                                          const std::string& sender, Row& row);
  std::optional<Turn> next_of_coming(const Share& share, Row& row) const;

  std::map<std::pair<std::uint32_t, std::string>, Row> waiting_;
  std::vector<std::uint64_t> expected_;
};

}  // namespace bowerbird
