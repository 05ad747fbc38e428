#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace bowerbird {

void check_failed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "bowerbird: internal error at %s:%d: check failed: %s; please report it\n", file, line,
               condition);
  std::abort();
}

}  // namespace bowerbird
