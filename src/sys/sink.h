// Compressed output files, on top of OutputFile: written completely or not at all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "sys/file.h"
#include "sys/stream.h"

namespace bowerbird {

// Creates `path`, compressed according to its extension (".gz", ".zst", else plain). "-" is standard output,
// plain.
Result<std::unique_ptr<ByteSink>> create_output(const std::string& path);
// Compresses what is written into `to`, whose finish() it calls. size: of what will be written, if known.
std::unique_ptr<ByteSink> compressing(Compression compression, std::unique_ptr<ByteSink> to,
                                      std::optional<std::uint64_t> size = {});

// Keeps the output in memory: its own, or a string of the caller's that outlives it.
class StringSink final : public ByteSink {
 public:
  StringSink() = default;
  explicit StringSink(std::string& to) : to_(to) {}
  StringSink(const StringSink&) = delete;
  StringSink& operator=(const StringSink&) = delete;

  Status write(std::string_view bytes) override {
    to_.append(bytes);
    return {};
  }
  Status finish() override { return {}; }
  const std::string& text() const { return to_; }

 private:
  std::string own_;
  std::string& to_ = own_;
};

}  // namespace bowerbird
