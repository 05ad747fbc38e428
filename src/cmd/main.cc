#include "cmd/commands.h"
#include "cmd/terminal.h"

int main(int argc, char** argv) {
  bowerbird::catch_interrupts();
  bowerbird::App app;
  bowerbird::add_all_commands(app);
  return app.run(argc, argv);
}
