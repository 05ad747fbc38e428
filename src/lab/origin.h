// The origin of a report: the command, the version and the date.
#pragma once

#include <string>

namespace bowerbird {

struct ReportOrigin {
  std::string command;  // as it was typed
  std::string version;
  std::string written;  // when: "2026-01-31T12:00:00Z"
};

}  // namespace bowerbird
