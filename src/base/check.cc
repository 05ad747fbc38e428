#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace bowerbird {

void check_failed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "bowerbird: bug at %s:%d: this should hold: %s\n", file, line, condition);
  std::abort();
}

}  // namespace bowerbird
