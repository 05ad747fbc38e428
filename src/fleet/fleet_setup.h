// How a fleet was started, so that it can be resumed: DIR/fleet.json. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/config/options.h"
#include "crawl/state/crawl_status.h"
#include "url/partition.h"

namespace bowerbird {

struct FleetSetup {
  std::uint64_t procs = 4;
  Mode mode = Mode::kExchange;
  std::string url;  // of the user's NATS server; empty: we start one
  std::string fleet = "crawl";
  std::vector<std::string> words;  // arguments of `bowerbird crawl`, for every process

  // A new fleet. words: the command line of its user (crawl/config/option_words.h); cores: of this machine.
  static FleetSetup make(const CrawlOptions& options, const std::vector<std::string>& words, unsigned cores);
  // The fleet in a folder, or one on a server (nats://HOST:PORT) whose processes were started one by one.
  static Result<FleetSetup> of(const std::string& where, const std::string& fleet_name);
  static Result<FleetSetup> load(const std::string& folder);
  Status save(const std::string& folder) const;

  bool exchanges() const { return mode == Mode::kExchange; }
  // Replaces the words of the same options.
  void change(const std::vector<std::string>& given);
  // Which budget the fleet has used up, and what to do; empty: none. counts: the totals of its folders.
  std::string used_up(const CrawlCounts& counts) const;
};

// The words for a process. Secret values are passed in files of this folder, readable by their owner only,
// because everybody can read a command line.
Result<std::vector<std::string>> words_without_secrets(const std::vector<std::string>& words,
                                                       const std::string& folder);

// Whether the folder contains a fleet.
bool holds_fleet(const std::string& folder);

// The URL of the server of the fleet in this folder: the one in its setup, or ours if it runs.
Result<std::string> fleet_url(const std::string& folder, const FleetSetup& setup);

// The crawl folders in a fleet's folder.
std::vector<std::string> fleet_folders(const std::string& folder);

}  // namespace bowerbird
