#include "library/library.h"

#include <bowerbird/version.h>
#include "version.h"

namespace bowerbird {

void throw_error(const Error& error) {
  throw v1::Error(error.text);
}

Progress ProgressGuard::progress() {
  return Progress([this](std::string_view what, std::uint64_t done, std::uint64_t total) {
    if (!progress_ || stopped_) return !stopped_;
    const double share = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
    stopped_ = !progress_(std::string(what), std::min(share, 1.0));
    return !stopped_;
  });
}

namespace v1 {

const char* version() {
  return BOWERBIRD_VERSION;
}
Error::~Error() = default;
Stopped::~Stopped() = default;

}  // namespace v1
}  // namespace bowerbird
