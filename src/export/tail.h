// The captures of a crawl as it commits them, until it ends.
//
// next() waits for captures that were not there at the call before. A crawl has ended when no process holds
// its lock; what it committed until then is still given. The index of the crawl is read anew each time, so
// the pause between two looks grows with it. Threads: one user.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "archive/captures.h"
#include "base/progress.h"
#include "base/result.h"
#include "export/record_lister.h"
#include "export/selection.h"

namespace bowerbird {

struct TailStep {
  std::unique_ptr<CaptureSource> source;  // null: there is nothing new
  std::vector<ListedRecord> records;
  ListCounts counts;
  bool ended = false;  // the crawl has ended, or the caller said stop
};

class TailedCaptures {
 public:
  // `folder` holds one crawl; selection and others outlive the object.
  TailedCaptures(std::string folder, const Selection& selection, OtherBodies& others)
      : folder_(std::move(folder)), lister_(selection, others) {}

  Result<TailStep> next(const Progress& progress);

 private:
  bool wait(const Progress& progress, std::int64_t microseconds) const;

  std::string folder_;
  RecordLister lister_;
  std::uint64_t seen_ = 0;  // captures
};

}  // namespace bowerbird
