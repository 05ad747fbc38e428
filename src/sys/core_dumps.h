// Whether this process may leave a core dump.
#pragma once

namespace bowerbird {

// None from here on, neither as a file nor to a program that collects them: memory holds passwords.
void forbid_core_dumps();

}  // namespace bowerbird
