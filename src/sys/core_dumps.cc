#include "sys/core_dumps.h"

#include <sys/prctl.h>
#include <sys/resource.h>

namespace bowerbird {

void forbid_core_dumps() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  // The limit does not hold where core_pattern names a program.
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace bowerbird
