#include "cmd/app.h"

#include <gtest/gtest.h>

#include "cmd/commands.h"
#include "cmd/help.h"
#include "cmd/terminal.h"

namespace bowerbird {
namespace {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome run(std::vector<const char*> args) {
  App app;
  add_all_commands(app);
  args.insert(args.begin(), "bowerbird");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = app.run(static_cast<int>(args.size()), args.data());
  std::fflush(stdout);
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

void expect_documented(const CLI::App& app) {
  const CommandText text = command_text(app);
  EXPECT_FALSE(text.summary.empty()) << app.get_name();
  EXPECT_FALSE(text.about.empty()) << app.get_name();
  EXPECT_FALSE(text.examples.empty()) << app.get_name();
  for (const CLI::Option* option : app.get_options()) {
    EXPECT_FALSE(option->get_description().empty()) << app.get_name() << " " << option->get_name();
  }
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    expect_documented(*sub);
}

TEST(CommandLine, EveryCommandAndOptionIsDocumentedWithExamples) {
  App app;
  add_all_commands(app);
  expect_documented(app.root());
}

TEST(CommandLine, HelpGoesToStdoutAndSucceeds) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.code, kExitOk);
  for (const char* part :
       {"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "EXAMPLES", "EXIT STATUS"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(outcome.err, "");
}

TEST(CommandLine, HelpIsWrappedToTheTerminal) {
  App app;
  add_all_commands(app);
  for (const CLI::App* sub : app.root().get_subcommands([](const CLI::App*) { return true; })) {
    std::istringstream lines(help_text(*sub, 60, false));
    for (std::string line; std::getline(lines, line);) {
      // A command line of an example is never broken.
      const bool example = line.starts_with("        ") && !line.starts_with("          ");
      EXPECT_TRUE(example || line.size() <= 60) << line;
    }
  }
}

TEST(CommandLine, AWrongCommandIsAUsageErrorWithAGuess) {
  const Outcome outcome = run({"completoin", "bash"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_NE(outcome.err.find("did you mean 'completion'"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST(CommandLine, AWrongOptionIsAUsageErrorWithAGuess) {
  const Outcome outcome = run({"completion", "bash", "--quite"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_NE(outcome.err.find("did you mean '--quiet'"), std::string::npos) << outcome.err;
}

TEST(CommandLine, NoCommandAtAllShowsTheHelpAndFails) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_NE(outcome.err.find("SYNOPSIS"), std::string::npos);
}

TEST(CommandLine, AFailureIsSaidOnStderr) {
  const Outcome outcome = run({"completion", "ksh"});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_NE(outcome.err.find("ksh"), std::string::npos);
  EXPECT_EQ(outcome.out, "");
}

TEST(CommandLine, CompletionsNameEveryCommand) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Outcome outcome = run({"completion", shell});
    EXPECT_EQ(outcome.code, kExitOk);
    EXPECT_NE(outcome.out.find("completion"), std::string::npos) << shell;
    EXPECT_NE(outcome.out.find("quiet"), std::string::npos) << shell;
  }
}

TEST(Terminal, HostileNamesCannotMoveTheCursor) {
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\x0a");
}

}  // namespace
}  // namespace bowerbird
