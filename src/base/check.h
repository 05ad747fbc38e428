// CHECK: a bug ends the process with the position and the condition, in every build. Not for what the world
// or a user can cause: those are outcomes or a Result.
#pragma once

namespace bowerbird {

[[noreturn]] void check_failed(const char* file, int line, const char* condition);

}  // namespace bowerbird

#define CHECK(condition) \
  (__builtin_expect(!(condition), 0) ? ::bowerbird::check_failed(__FILE__, __LINE__, #condition) : (void)0)
