// The records to export of captures that come little by little: those of a crawl that runs (tail.h).
//
// Every capture of a URL counts; of captures with the same body the first. A revisit stands for its page; its
// body is in the record that it repeats, or in another archive (other_bodies.h). Memory: what the captures of
// a call take, and about 60 bytes for each distinct body. record_list.h makes the list of an archive that
// does not change. Threads: one user.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "export/other_bodies.h"
#include "export/selection.h"

namespace bowerbird {

class RecordLister {
 public:
  RecordLister(const Selection& selection, OtherBodies& others) : selection_(selection), others_(others) {}

  void add(const Capture& capture);
  // Those of the captures added since the last call, in their order; bodies of earlier ones are known.
  // `counts` grows by what is left out of them.
  std::vector<ListedRecord> take(ListCounts& counts);

 private:
  struct Payload {
    std::uint64_t offset = 0;
    std::uint32_t file = 0;
  };

  const Selection& selection_;
  OtherBodies& others_;
  std::vector<ListedRecord> records_;
  ListCounts counts_;
  std::unordered_map<std::uint64_t, Payload> payloads_;  // by digest
  std::unordered_set<std::uint64_t> seen_;               // digests of what was listed
};

}  // namespace bowerbird
