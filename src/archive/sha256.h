// SHA-256 of bytes in pieces, as packages use it. Threads: one user.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bowerbird {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  // "sha256:" and 64 hexadecimal digits. May be called once.
  std::string finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

std::string sha256(std::string_view bytes);

}  // namespace bowerbird
