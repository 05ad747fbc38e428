#include "crawl/config/secret_text.h"

#include <filesystem>

#include "sys/file.h"

namespace bowerbird {

Result<std::string> secret_text(std::string_view given) {
  if (!given.starts_with('@')) return std::string(given);
  BB_TRY(const auto file, MappedFile::open(std::string(given.substr(1))));
  std::string text(file->text());
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

std::string with_absolute_file(std::string_view given) {
  if (!given.starts_with('@')) return std::string(given);
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(given.substr(1), failed);
  return failed ? std::string(given) : "@" + whole.string();
}

}  // namespace bowerbird
