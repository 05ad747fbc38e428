// The API for a crawl in other processes: `watch` and the launcher of a fleet use it over the Unix
// sockets in the folders.
//
// A single process is shown unchanged. Several are merged: numbers are sums, lists are merged, and a
// command goes to every process. A thread polls their status about once a second. Threads: like
// ControlBackend; set_fleet() from any.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "control/backend.h"
#include "control/curves.h"
#include "control/helper.h"

namespace bowerbird {

class ForwardBackend final : public ControlBackend {
 public:
  // folder: shown as the crawl's folder. members: folders of the processes; if it is only `folder`, there
  // is no fleet.
  ForwardBackend(std::string folder, std::vector<std::string> members);
  ~ForwardBackend() override;

  // The Fleet object of the API.
  void set_fleet(nlohmann::json fleet);
  // Called when the status has changed.
  void on_publish(std::function<void()> call);
  // All processes have stopped responding.
  bool ended() const { return ended_.load(); }

  std::shared_ptr<const LiveSnapshot> snapshot() const override;
  nlohmann::json status_json() const override;
  std::optional<Answer> ask(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) override;
  bool forwards_metrics() const override { return true; }
  std::map<std::string, std::uint64_t> commands_done() const override;

 private:
  bool is_fleet() const { return members_.size() != 1 || members_.front() != folder_; }
  void look();
  void poll();
  Answer answer(const Ask& ask);
  Answer merged(const Ask& ask);
  Answer metrics(MetricsFormat format) const;

  std::string folder_;
  std::vector<std::string> members_;
  std::atomic<bool> ended_{false};
  std::atomic<bool> closing_{false};
  mutable Mutex mutex_;
  std::shared_ptr<const LiveSnapshot> snapshot_ GUARDED_BY(mutex_) = std::make_shared<LiveSnapshot>();
  nlohmann::json status_ GUARDED_BY(mutex_);
  nlohmann::json fleet_ GUARDED_BY(mutex_);
  std::function<void()> published_ GUARDED_BY(mutex_);
  std::map<std::string, std::uint64_t> commands_ GUARDED_BY(mutex_);
  Curves curves_;
  std::unique_ptr<Helper> quick_, slow_;
  std::thread thread_;
};

// Merge the answers of several processes. Pure.
nlohmann::json merge_statuses(const std::vector<nlohmann::json>& all, const std::string& folder);
nlohmann::json merge_answers(const Ask& ask, const std::vector<nlohmann::json>& all);
struct ProcessMetrics {
  std::string process;  // the value of its label; empty: no label
  std::string text;
};
std::string merge_metrics(const std::vector<ProcessMetrics>& all, MetricsFormat format);

}  // namespace bowerbird
