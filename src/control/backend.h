// The interface behind the API: a running crawl, a folder, or a fleet.
//
// Problem: the server's thread must not wait, and the crawl's thread must not be delayed. So the server
// passes an Ask to the backend, which fills the AnswerSlot later, in bounded steps. The server reads the
// slot when it is woken, or gives up after a while. Threads: snapshot() and ask() are called by the
// server's thread; slots may be filled by any.
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
  std::string text = {};       // instead of JSON, if there is a type
  std::string_view type = {};  // static
};
Answer error_answer(int status, std::string text);

// A request to the API that the snapshot alone does not answer, or a command.
struct Ask {
  std::string what;                           // "next", "hosts", ...; for commands "pause", ...
  std::map<std::string, std::string> values;  // of the query
  nlohmann::json body;                        // of a command
  std::string origin;                         // of a command
  bool command = false;

  std::string text(const std::string& name) const;
  // The API has checked that it is within the limits of the parameter. usual: the default.
  std::uint64_t number(const std::string& name, std::uint64_t usual) const;
};

class AnswerSlot {
 public:
  // woken: called when the slot was filled.
  explicit AnswerSlot(std::function<void()> woken) : woken_(std::move(woken)) {}
  void fill(Answer answer);
  std::optional<Answer> take();
  bool is_filled() const;
  // The server no longer waits for it.
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
  // The Status of the API.
  virtual nlohmann::json status_json() const = 0;
  // Returns the answer if it is available at once; otherwise the slot is filled later. Too many at a time
  // are refused (503).
  virtual std::optional<Answer> ask(const Ask& ask, const std::shared_ptr<AnswerSlot>& slot) = 0;
  // Whether the metrics are those of other processes, for which ask() is called ("metrics", with "format").
  virtual bool forwards_metrics() const { return false; }
  // Number of executed commands, by name.
  virtual std::map<std::string, std::uint64_t> commands_done() const = 0;
};

}  // namespace bowerbird
