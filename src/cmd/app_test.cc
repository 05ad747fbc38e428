#include "cmd/app.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cmd/commands.h"
#include "cmd/help.h"
#include "cmd/terminal.h"
#include "graph/synthetic.h"

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
    std::istringstream lines(help_text(*sub, {60, false, true}));
    for (std::string line; std::getline(lines, line);) {
      // A command line of an example is never broken.
      const bool example = line.starts_with("        ") && !line.starts_with("          ");
      EXPECT_TRUE(example || line.size() <= 60) << line;
    }
  }
}

TEST(Terminal, LongLinesAreContinuedNotCut) {
  EXPECT_EQ(wrap_lines("  waiting: all hosts back off (a.example: no such host)\nnext\n", 24),
            "  waiting: all hosts\n    back off (a.example:\n    no such host)\nnext\n");
  EXPECT_EQ(wrap_lines("abcdefghijkl", 8), "abcdefgh\n    ijkl");
  EXPECT_EQ(wrap_lines("\x1b[1mab\x1b[0mcdefgh", 8), "\x1b[1mab\x1b[0mcdefgh");
}

TEST(CommandLine, ExitCodesAreInTheManual) {
  const std::string path = BOWERBIRD_SOURCE_DIR "/docs/crawling.md";
  std::stringstream stream;
  stream << std::ifstream(path).rdbuf();
  const std::string page = stream.str();
  for (const ExitStatus& row : exit_status()) {
    const std::string line = "\n| " + std::string(row.code) + " | " + std::string(row.meaning) + " |\n";
    EXPECT_NE(page.find(line), std::string::npos) << path << " should have this row:" << line;
  }
}

TEST(CommandLine, OnlyCommandsThatCrawlHaveTheExitStatusOfACrawl) {
  for (const char* command : {"crawl", "recrawl"})
    EXPECT_NE(run({command, "--help"}).out.find("received a stop command"), std::string::npos) << command;
  EXPECT_NE(run({"fleet", "resume", "--help"}).out.find("received a stop command"), std::string::npos);
  for (const char* command : {"url", "page", "lab", "status"})
    EXPECT_EQ(run({command, "--help"}).out.find("received a stop command"), std::string::npos) << command;
}

TEST(CommandLine, TheHelpOfARoundHasTheDefaultsOfARound) {
  const std::string help = run({"recrawl", "--help"}).out;
  EXPECT_EQ(help.find("(default none)"), std::string::npos) << help;
  EXPECT_EQ(help.find("(default host)"), std::string::npos) << help;
  EXPECT_NE(help.find("index-age"), std::string::npos) << help;
}

TEST(CommandLine, AFleetDoesNotOfferWhatItRefuses) {
  EXPECT_EQ(run({"fleet", "start", "--help"}).out.find("--forever"), std::string::npos);
  EXPECT_EQ(run({"fleet", "resume", "--help"}).out.find("--refresh"), std::string::npos);
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
  const Outcome outcome = run({"graph", "info", "no-such-graph"});
  EXPECT_EQ(outcome.code, kExitFailed);
  EXPECT_NE(outcome.err.find("no-such-graph"), std::string::npos);
  EXPECT_EQ(outcome.out, "");
}

TEST(CommandLine, AWrongValueIsAUsageError) {
  const std::vector<std::vector<const char*>> wrong = {
      {"completion", "ksh"},
      {"why", "x", "nonsense"},
      {"web", "serve", "synthetic:pages=1k", "--bind", "0.0.0.0", "--port", "0"},
      {"crawl", "http://a.test/", "--topic-at", "0.3", "--contact", "me@a.test", "--out", "/nonexistent/x"},
      {"graph", "info", "x", "--format", "foo"},
      {"graph", "info", "x", "--reach", "foo"},
      {"graph", "info", "synthetic:pags=1M"},
      {"graph", "info", "synthetic:pages=1k", "--reach", "1000"},
      {"graph", "info", "synthetic:pages=1k", "--relabel"},
      {"graph", "info", "x", "--histograms", "-", "--json"},
      {"graph", "rank", "x", "--out", "r.txt"},
      {"graph", "rank", "x", "--tolerance", "0"},
      {"graph", "rank", "x", "--damping", "1"},
      {"graph", "rank", "x", "--by", "in-degree", "--damping", "0.5"},
      {"graph", "convert", "x", "y.unknown"},
      {"graph", "convert", "x", "y.bbg.gz"},
      {"graph", "convert", "x", "y.bbg", "--zeta", "4"},
      {"graph", "convert", "x", "-", "--to", "bv"},
      {"graph", "generate", "x.bbg", "--pages", "0"},
      {"graph", "generate", "x.bbg", "--inter", "0.9"},
      {"graph", "generate", "x.bbg", "--seed", "-1"},
      {"graph", "generate", "x.bbg", "--host-exponent", "9"},
  };
  for (const auto& args : wrong) {
    const Outcome outcome = run(args);
    std::string line;
    for (const char* arg : args) line += std::string(" ") + arg;
    EXPECT_EQ(outcome.code, kExitUsage) << line << ": " << outcome.err;
    EXPECT_EQ(outcome.out, "") << line;
    EXPECT_NE(outcome.err.find("--help"), std::string::npos) << line << ": " << outcome.err;
  }
}

TEST(CommandLine, TheVersionNamesTheCommit) {
  App app("abc1234");
  const char* args[] = {"bowerbird", "--version"};
  testing::internal::CaptureStdout();
  EXPECT_EQ(app.run(2, args), kExitOk);
  std::fflush(stdout);
  EXPECT_NE(testing::internal::GetCapturedStdout().find(" (abc1234)\n"), std::string::npos);
}

TEST(CommandLine, NamesOfValuesAreWhole) {
  const std::string crawl = run({"crawl", "--help-all"}).out;
  EXPECT_NE(crawl.find("--connect-to HOST:PORT\n"), std::string::npos);
  EXPECT_NE(crawl.find("--auth HOST=USER:PASSWORD\n"), std::string::npos);
  EXPECT_NE(run({"warc", "extract", "--help"}).out.find("--status CODE\n"), std::string::npos);
}

TEST(CommandLine, AMissingOptionNamesItsValues) {
  const Outcome outcome = run({"export", "x"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_NE(outcome.err.find("--as is required: wacz"), std::string::npos) << outcome.err;
}

TEST(CommandLine, AFleetHasDefaultsOfItsOwn) {
  const std::string start = run({"fleet", "start", "--help"}).out;
  EXPECT_NE(start.find("Number of processes to start (default 4)"), std::string::npos) << start;
  EXPECT_EQ(start.find("host name of the first seed"), std::string::npos);
  const std::string resume = run({"fleet", "resume", "--help-all"}).out;
  EXPECT_EQ(resume.find("(default 0)"), std::string::npos);
  EXPECT_NE(resume.find("(default as in the last run)"), std::string::npos);
}

TEST(CommandLine, ARoundOffersTheOptionsThatApplyToIt) {
  const std::string help = run({"recrawl", "--help-all"}).out;
  EXPECT_NE(help.find("Stop after this many pages. 0: no limit (default 0)"), std::string::npos) << help;
  EXPECT_NE(help.find("the last run, or index-age)"), std::string::npos);
  EXPECT_EQ(help.find("(default 1s)"), std::string::npos) << "the delay is that of the crawl";
  for (const char* option : {"--refresh-rate-per-host", "--stop-at-importance", "--forever"})
    EXPECT_EQ(run({"recrawl", "x", option, "1"}).code, kExitUsage) << option;
  EXPECT_EQ(help.find("    --refresh-rate"), std::string::npos);
  EXPECT_EQ(help.find("    --stop-at-importance"), std::string::npos);
}

TEST(CommandLine, HelpOfGenerateNamesEveryFieldOfASpec) {
  const Outcome outcome = run({"graph", "generate", "--help"});
  for (const SyntheticField& field : synthetic_fields()) {
    EXPECT_NE(outcome.out.find("--" + field.name), std::string::npos) << field.name;
  }
}

TEST(CommandLine, CompletionsNameEveryCommand) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Outcome outcome = run({"completion", shell});
    EXPECT_EQ(outcome.code, kExitOk);
    EXPECT_NE(outcome.out.find("completion"), std::string::npos) << shell;
    EXPECT_NE(outcome.out.find("quiet"), std::string::npos) << shell;
    EXPECT_NE(outcome.out.find("pagerank in-degree out-degree location"), std::string::npos) << shell;
  }
}

TEST(Terminal, HostileNamesCannotMoveTheCursor) {
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\x0a");
  EXPECT_EQ(printable("\xff"
                      "a\xe2\x82"
                      "\xc3\xbc\xf0\x9f\x98\x80\xc3"),
            "\\xff"
            "a\\xe2\\x82\xc3\xbc\xf0\x9f\x98\x80\\xc3");
}

}  // namespace
}  // namespace bowerbird
