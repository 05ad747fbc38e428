// Receives a response piece by piece, from any protocol. It must exist until the response has ended. Threads:
// the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bowerbird {

class ResponseSink {
 public:
  enum class Take : std::uint8_t {
    kMore,
    kWait,  // no room for this piece until the sink's owner says so
    kStop,  // the rest is not wanted
  };

  virtual ~ResponseSink() = default;
  // Bytes of the response arrived, header or body.
  virtual void received(std::size_t bytes, std::int64_t now_us) = 0;
  // The header of the final response. length: of the body, if declared.
  virtual Take begin_body(int status, std::string head, std::optional<std::uint64_t> length) = 0;
  virtual Take take_body(std::string_view bytes, std::int64_t now_us) = 0;
};

}  // namespace bowerbird
