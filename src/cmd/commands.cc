#include "cmd/commands.h"

namespace bowerbird {

void add_all_commands(App& app) {
  add_completion(app);
  add_man(app);
}

}  // namespace bowerbird
