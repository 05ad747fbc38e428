#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/terminal.h"

int main(int argc, char** argv) {
  bowerbird::keep_command_line(argc, argv);
  bowerbird::catch_interrupts();
  bowerbird::App app;
  bowerbird::add_all_commands(app);
  return app.run(argc, argv);
}
