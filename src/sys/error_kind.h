// Maps errors of the operating system to kinds. Pure.
#pragma once

#include <cerrno>

#include "base/result.h"

namespace bowerbird {

inline ErrorKind kind_of_errno(int code) {
  switch (code) {
    case EAGAIN:
    case EBUSY:
    case EINTR:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ESTALE:
    case ETIMEDOUT:
      return ErrorKind::kRetry;
    case EACCES:
    case EDQUOT:
    case EFBIG:
    case ENOSPC:
    case EPERM:
    case EROFS:
      return ErrorKind::kNeedsUser;
    default:
      return ErrorKind::kPermanent;
  }
}

}  // namespace bowerbird
