// Who answers what the API asks: a running crawl, a folder, a fleet.
//
// Problem: the server's thread must not wait, and the crawl's thread must not be kept. So an Ask is handed
// over, and an AnswerSlot is filled by whoever answers, in its own time and in bounded steps; the server
// looks at it when it is woken, or gives up after a while. Threads: snapshot() and ask() are called from the
// server's thread; slots may be filled from any.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/thread_annotations.h"
#include "control/metrics.h"
#include "control/snapshot.h"

namespace bowerbird {

struct Answer {
  int status = 200;
  nlohmann::json json;
};
Answer error_answer(int status, std::string text);

struct Ask {
  std::string what;                           // "next", "hosts", ...; "pause", ... for commands
  std::map<std::string, std::string> values;  // of the query
  nlohmann::json body;                        // of a command
  std::string origin;                         // of a command
  bool command = false;

  std::string text(const std::string& name) const;
  // From least to most; `usual` if it is not given. The API has checked it.
  std::uint64_t number(const std::string& name, std::uint64_t usual) const;
};

class AnswerSlot {
 public:
  // woken: called after the answer is there.
  explicit AnswerSlot(std::function<void()> woken) : woken_(std::move(woken)) {}
  void fill(Answer answer);
  std::optional<Answer> take();
  bool is_filled() const;
  // Nobody waits for it any more.
  void abandon();
  bool is_abandoned() const;

 private:
  std::function<void()> woken_;
  mutable Mutex mutex_;
  std::optional<Answer> answer_ GUARDED_BY(mutex_);
  bool filled_ GUARDED_BY(mutex_) = false;
  bool abandoned_ GUARDED_BY(mutex_) = false;
};

class ControlBackend {
 public:
  virtual ~ControlBackend() = default;
  virtual std::shared_ptr<const LiveSnapshot> snapshot() const = 0;
  // The same as the Status of the API.
  virtual nlohmann::json status_json() const = 0;
  // What can be answered at once is; the rest fills the slot. Too much at a time is refused (503).
  virtual std::optional<Answer> ask(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) = 0;
  // Commands that were carried out, by name.
  virtual std::map<std::string, std::uint64_t> commands_done() const = 0;
};

}  // namespace bowerbird
