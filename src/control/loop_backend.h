// The API for the crawl that runs in this process: the crawl's thread publishes snapshots, answers
// questions and executes commands.
//
// The crawl's thread calls watch() about four times a second, or sooner after a request. A call takes a
// few milliseconds at most, except for the commit that makes a command durable. A helper thread does what
// takes long and does not need the crawl (why, report, finding failed pages), partly in a separate
// process, so that it neither slows the crawl down nor uses its memory. Ownership: the crawler outlives
// the calls from begin() to end(). Threads: begin(), watch() and end() from the crawl's; the rest like
// ControlBackend.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "control/backend.h"
#include "control/curves.h"
#include "control/earlier_runs.h"
#include "control/helper.h"
#include "control/question.h"
#include "crawl/loop/crawler.h"
#include "crawl/loop/live_command.h"

namespace bowerbird {

class LoopBackend final : public ControlBackend {
 public:
  explicit LoopBackend(std::string folder);
  ~LoopBackend() override;

  // ---- The crawl's thread
  void begin(Crawler& crawler);
  CrawlRequest watch(const CrawlStatus& status);
  // The crawl has ended. Open questions are refused.
  void end(CrawlEnd end, const CrawlStatus& status);
  // Called after each snapshot.
  void on_publish(std::function<void()> call) { published_ = std::move(call); }

  // ---- Other threads
  std::shared_ptr<const LiveSnapshot> snapshot() const override;
  nlohmann::json status_json() const override;
  std::optional<Answer> ask(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) override;
  std::map<std::string, std::uint64_t> commands_done() const override;

 private:
  static constexpr std::size_t kMostOpen = 64;

  struct Open {
    std::unique_ptr<Question> question;  // null: a command
    std::string what, host;              // of a question
    LiveCommand command;
    std::shared_ptr<AnswerSlot> slot;
  };

  void publish(const CrawlStatus& status, CrawlEnd end);
  void add_control(LiveSnapshot& made) const;
  void answer_some();
  void finish(Open& open);
  void read_earlier();
  void add_earlier();
  void carry_out(Open& open);
  bool enqueue(Open open);
  std::optional<Answer> ask_helper(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot);
  void find_failed(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot);
  void write_report(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot);

  const std::string folder_;
  Crawler* crawler_ = nullptr;
  std::function<void()> published_;
  Curves curves_;
  Census census_;
  CrawlCounts base_;
  SharingCounts base_sharing_;
  RateMeter errors_;
  std::int64_t started_ms_ = 0;
  std::int64_t last_commit_ms_ = 0;
  std::int64_t disk_at_ms_ = 0;
  DiskSpace disk_;
  bool stop_ = false;
  LinkSearch links_;

  mutable Mutex mutex_;
  std::shared_ptr<const LiveSnapshot> snapshot_ GUARDED_BY(mutex_) = std::make_shared<LiveSnapshot>();
  std::deque<Open> open_ GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<AnswerSlot>> jobs_ GUARDED_BY(mutex_);  // slots that the helper fills
  std::map<std::string, std::uint64_t> commands_ GUARDED_BY(mutex_);
  std::function<void()> call_watch_ GUARDED_BY(mutex_);      // empty: the crawl has ended
  std::unique_ptr<EarlierRuns> earlier_ GUARDED_BY(mutex_);  // not yet added; null: nothing
  // Last, since their jobs use the other fields. quick_ reads the log and the links.
  std::unique_ptr<Helper> helper_, quick_;
};

}  // namespace bowerbird
