// The options of `bowerbird frontier serve`. The command checks them and passes them as JSON to the
// serving program (bindings/urlfrontier), which is separate because of gRPC's libraries. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

inline constexpr char kServeProgram[] = "bowerbird-frontier";

struct ServeOptions {
  std::string listen = "127.0.0.1:7071";
  std::string data = {};
  std::string policy = {};   // of new crawls; empty: the default
  std::uint64_t memory = 0;  // of each crawl; 0: no limit
  std::uint64_t max_crawls = 64;
  bool durable = false;
  std::string parent_key = "url.path";
  bool insecure = false;
  std::string certificate = {}, key = {}, client_ca = {};  // PEM files
};

// An error names the wrong option and says what to do.
Status check_serve_options(const ServeOptions& options);
std::string serve_options_json(const ServeOptions& options);
Result<ServeOptions> parse_serve_options(std::string_view json);

}  // namespace bowerbird
