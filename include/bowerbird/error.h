// Errors of the library: invalid input, calls in the wrong order, files that cannot be read or written.
// The text says what happened, to what, and what to do.
#pragma once

#include <stdexcept>
#include <string>

#include "bowerbird/version.h"

BOWERBIRD_BEGIN

class BOWERBIRD_API Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text) : std::runtime_error(text) {}
  ~Error() override;
};

// A progress function stopped the work.
class BOWERBIRD_API Stopped : public Error {
 public:
  using Error::Error;
  ~Stopped() override;
};

BOWERBIRD_END
