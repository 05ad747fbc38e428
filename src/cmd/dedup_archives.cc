#include "cmd/dedup_archives.h"

#include <unistd.h>

#include <filesystem>

#include "archive/captures.h"
#include "cmd/app.h"
#include "crawl/config/kept_options.h"

namespace bowerbird {

namespace {

constexpr std::size_t kDigestSortBytes = std::size_t{24} << 20;

}  // namespace

std::unique_ptr<OtherPayloads> open_dedup_archives(const std::vector<std::string>& inputs) {
  std::vector<std::string> archives;
  for (const std::string& input : inputs) {
    for (const std::string& folder : crawl_folders(input)) {
      CrawlOptions kept;
      if (!recall_options(folder, kept).ok()) continue;
      archives.insert(archives.end(), kept.storage.dedup.begin(), kept.storage.dedup.end());
    }
  }
  if (archives.empty()) return nullptr;
  const auto scratch = std::filesystem::temp_directory_path() / fmt::format("bowerbird-dedup-{}", ::getpid());
  auto opened = OtherPayloads::open(Disk::real(), archives, scratch.string(), kDigestSortBytes);
  if (opened.ok()) return std::move(opened).value();
  warn(fmt::format("{}: pages whose bodies are there cannot be shown", opened.error().text));
  return nullptr;
}

}  // namespace bowerbird
