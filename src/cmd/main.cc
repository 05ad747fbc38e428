#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/terminal.h"

extern const char* const kBuildCommit;  // cmake/commit.cmake

int main(int argc, char** argv) {
  bowerbird::keep_command_line(argc, argv);
  bowerbird::catch_interrupts();
  bowerbird::App app(kBuildCommit);
  bowerbird::add_all_commands(app);
  return app.run(argc, argv);
}
