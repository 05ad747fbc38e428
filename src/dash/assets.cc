#include "dash/assets.h"

#include "base/check.h"

namespace bowerbird {

std::string_view asset(std::string_view name) {
  for (const Asset& one : all_assets()) {
    if (one.name == name) return one.text;
  }
  CHECK(false && "no such asset");
  return {};
}

}  // namespace bowerbird
