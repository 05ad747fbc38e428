#include "export/tail.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "store/crawl_reader.h"
#include "sys/clock.h"
#include "sys/disk.h"

namespace bowerbird {

namespace {

constexpr std::int64_t kShortestPauseUs = 500'000;
constexpr std::int64_t kPausePerLook = 20;  // times the time that a look takes

}  // namespace

Result<TailStep> TailedCaptures::next(const Progress& progress) {
  const MonotonicClock clock;
  for (;;) {
    const std::int64_t began = clock.now_us();
    TailStep step;
    // Asked first: what is committed after this is found by the next look.
    step.ended = look_at_lock(folder_ + "/" + crawl_files::kLock).holder == 0;
    BB_TRY(std::unique_ptr<CaptureSource> source, open_captures({folder_}));
    std::uint64_t count = 0;
    BB_TRY_VOID(source->for_each(
        [&](const Capture& capture) {
          if (count++ >= seen_) lister_.add(capture);
          return Status();
        },
        progress));
    const bool fresh = count > seen_;
    seen_ = std::max(seen_, count);
    if (fresh) {
      step.source = std::move(source);
      step.records = lister_.take(step.counts);
    }
    if (fresh || step.ended) return step;
    const std::int64_t pause = std::max(kShortestPauseUs, kPausePerLook * (clock.now_us() - began));
    if (!wait(progress, pause)) {
      step.ended = true;
      return step;
    }
  }
}

bool TailedCaptures::wait(const Progress& progress, std::int64_t microseconds) const {
  constexpr std::int64_t kStep = 100'000;
  for (std::int64_t waited = 0; waited < microseconds; waited += kStep) {
    if (!progress.tick("waiting for pages", seen_, 0)) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(kStep));
  }
  return true;
}

}  // namespace bowerbird
