// Answers that are read from the folder of a crawl, running or not, without using the crawl's thread.
//
// `why` and `report` replay the journal, which takes as much memory as the crawl, so they run in
// processes of their own at low priority. Threads: any; each call waits for its process.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/backend.h"
#include "crawl/loop/live_command.h"

namespace bowerbird {

// The output of `bowerbird why --json`.
Answer explain_in_process(const std::string& folder, const std::string& url);
// Runs `bowerbird report`.
Status report_in_process(const std::string& folder);

// Failed pages from crawl.jsonl, each with its last outcome. wanted: the body of the command `retry`.
Result<std::vector<FailedPage>> find_failed_pages(const std::string& folder, const nlohmann::json& wanted);

// The Fleet object of the API for a crawl by one process.
nlohmann::json no_fleet_object();

}  // namespace bowerbird
