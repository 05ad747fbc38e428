// Replaces libFuzzer: runs a fuzz target over the files of its corpus and over a fixed number of
// deterministic mutations of each, so that every compiler and sanitizer can replay what fuzzing found.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "base/rng.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

// The input is in a buffer of exactly its size, so that a sanitizer detects an over-read.
void run(const std::vector<std::uint8_t>& input) {
  const std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[input.size()]);
  std::copy(input.begin(), input.end(), exact.get());
  LLVMFuzzerTestOneInput(exact.get(), input.size());
}

std::vector<std::uint8_t> mutated(std::vector<std::uint8_t> input, bowerbird::Rng& rng) {
  const std::uint64_t edits = 1 + rng.below(4);
  for (std::uint64_t i = 0; i < edits; ++i) {
    const std::size_t at = input.empty() ? 0 : rng.below(input.size());
    switch (rng.below(5)) {
      case 0:
        if (!input.empty()) input[at] ^= static_cast<std::uint8_t>(1u << rng.below(8));
        break;
      case 1:
        if (!input.empty()) input[at] = static_cast<std::uint8_t>(rng.next());
        break;
      case 2:
        input.resize(at);
        break;
      case 3:
        input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint8_t>(rng.next()));
        break;
      default:
        input.insert(input.end(), input.begin() + static_cast<std::ptrdiff_t>(at), input.end());
        if (input.size() > (1u << 16)) input.resize(1u << 16);
        break;
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  const bool as_it_is = argc > 1 && std::string_view(argv[1]) == "--no-mutations";
  const int mutations = as_it_is ? 0 : 300;
  std::vector<std::vector<std::uint8_t>> inputs = {{}};
  for (int i = as_it_is ? 2 : 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      std::fprintf(stderr, "%s: no such corpus folder\n", argv[i]);
      return 1;
    }
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  std::size_t runs = 0;
  for (const auto& input : inputs) {
    run(input);
    bowerbird::Rng rng(input.size());
    for (int i = 0; i < mutations; ++i) run(mutated(input, rng));
    runs += 1 + static_cast<std::size_t>(mutations);
  }
  std::printf("%zu inputs, %zu runs\n", inputs.size(), runs);
  return inputs.size() > 1 ? 0 : 1;
}
