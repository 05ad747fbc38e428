// Result<T>: a value, or an Error whose text tells the user what went wrong and what to do.
//
// For our own operations that can fail (disk full, bad option, corrupt file). Must be checked: the types are
// [[nodiscard]], and value() on an error is a bug. Result<void> has no value. An error has a kind, by which
// loops decide whether to try again.
//
//   Result<Graph> open(...);
//   BB_TRY(auto graph, open(path));     // returns the error to our own caller
//   BB_TRY_VOID(graph.save(path));
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace bowerbird {

// What a caller that could try again should do.
enum class ErrorKind : std::uint8_t {
  kPermanent,  // never: the same call fails again (corrupt data, a bad option)
  kRetry,      // later: the cause is temporary (a lost connection, a busy file)
  kNeedsUser,  // when the user has done something (a full disk, a missing permission)
};

struct [[nodiscard]] Error {
  std::string text;
  ErrorKind kind = ErrorKind::kPermanent;
};

// error("{}: line {}: ...", file, line)
template <typename... Args>
Error error(fmt::format_string<Args...> format, Args&&... args) {
  return Error{fmt::format(format, std::forward<Args>(args)...), ErrorKind::kPermanent};
}

template <typename... Args>
Error error(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  return Error{fmt::format(format, std::forward<Args>(args)...), kind};
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error e) : state_(std::in_place_index<1>, std::move(e)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    CHECK(ok());
    return std::get<0>(state_);
  }
  const T& value() const& {
    CHECK(ok());
    return std::get<0>(state_);
  }
  T&& value() && {
    CHECK(ok());
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    CHECK(!ok());
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error e) : failed_(true), error_(std::move(e)) {}

  bool ok() const { return !failed_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    CHECK(failed_);
    return error_;
  }

 private:
  bool failed_ = false;
  Error error_;
};

using Status = Result<void>;

}  // namespace bowerbird

#define BB_CONCAT_(a, b) a##b
#define BB_CONCAT(a, b) BB_CONCAT_(a, b)
#define BB_TRY_(temp, declaration, expression) \
  auto temp = (expression);                    \
  if (!temp.ok()) return temp.error();         \
  declaration = std::move(temp).value()
#define BB_TRY(declaration, expression) BB_TRY_(BB_CONCAT(bb_result_, __LINE__), declaration, expression)
#define BB_TRY_VOID(expression)                    \
  do {                                             \
    auto bb_status = (expression);                 \
    if (!bb_status.ok()) return bb_status.error(); \
  } while (false)
