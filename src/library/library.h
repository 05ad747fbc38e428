// Helpers of the public interface: convert our errors to exceptions. Threads: any; a ProgressGuard
// belongs to one.
#pragma once

#include <utility>

#include <bowerbird/error.h>
#include <bowerbird/graph.h>
#include "base/progress.h"
#include "base/result.h"
#include "graph/csr.h"
#include "graph/web.h"

namespace bowerbird {

[[noreturn]] void throw_error(const Error& error);

template <typename T>
T value_or_throw(Result<T> result) {
  if (!result.ok()) throw_error(result.error());
  return std::move(result).value();
}
inline void check_or_throw(const Status& status) {
  if (!status.ok()) throw_error(status.error());
}

// Remembers whether the progress function stopped the work, so that the resulting error becomes Stopped.
class ProgressGuard {
 public:
  explicit ProgressGuard(const v1::Progress& progress) : progress_(progress) {}
  Progress progress();
  template <typename T>
  T value(Result<T> result) {
    if (stopped_) throw v1::Stopped("stopped");
    return value_or_throw(std::move(result));
  }
  void check(const Status& status) {
    if (stopped_) throw v1::Stopped("stopped");
    check_or_throw(status);
  }

 private:
  const v1::Progress& progress_;
  bool stopped_ = false;
};

// A Web that shares the memory of a public graph, for code that needs to own a Web.
Web shared_web(const v1::Graph& graph);

}  // namespace bowerbird
