// Output files that are compressed on the way, on top of OutputFile: whole or not at all.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "sys/file.h"
#include "sys/stream.h"

namespace bowerbird {

// Creates `path`, compressed as its extension says (".gz", ".zst", else plain). "-" is standard output,
// plain.
Result<std::unique_ptr<ByteSink>> create_output(const std::string& path);
// Compresses what is written into `to`, whose finish() it calls.
std::unique_ptr<ByteSink> compressing(Compression compression, std::unique_ptr<ByteSink> to);

// Keeps what is written in memory, for tests and small things; finish() does nothing.
class StringSink final : public ByteSink {
 public:
  Status write(std::string_view bytes) override {
    text_.append(bytes);
    return {};
  }
  Status finish() override { return {}; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace bowerbird
