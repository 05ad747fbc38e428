// Any bytes can be the journal or a log of a crawl folder: it is read or refused; nothing crashes or exhausts
// the memory.
#include <cstddef>
#include <cstdint>
#include <string>

#include <algorithm>

#include "base/check.h"
#include "store/crawl_reader.h"
#include "sys/simulated_disk.h"

using namespace bowerbird;

namespace {

void read_everything(SimulatedDisk& disk) {
  const auto crawl = CrawlReader::open("/crawl", disk);
  if (!crawl.ok()) {
    CHECK(!crawl.error().text.empty());
    return;
  }
  PageId pages = 0;
  const Status urls = (*crawl)->for_each_url([&](PageId page, std::string_view) { CHECK(page == pages++); });
  CHECK(!urls.ok() || pages == (*crawl)->pages());
  const auto nothing = [](const auto&) -> Status { return {}; };
  std::uint64_t rows = 0;
  const Status links = (*crawl)->for_each_links([&](const PageLinks&) -> Status {
    ++rows;
    return {};
  });
  CHECK(!links.ok() || rows == (*crawl)->crawled());
  for (const Status& status : {(*crawl)->for_each_fetch(nothing), (*crawl)->replay_all(nothing),
                               (*crawl)->for_each_terms([](PageId, const PageTerms& terms) -> Status {
                                 for (const AnchorWord& word : terms.anchors)
                                   CHECK(word.place < terms.terms.size());
                                 return {};
                               })}) {
    if (!status.ok()) CHECK(!status.error().text.empty());
  }
  const auto snapshot = (*crawl)->snapshot();
  if (snapshot.ok() && *snapshot) {
    if (const Status status = (*crawl)->replay(nothing); !status.ok()) CHECK(!status.error().text.empty());
  }
}

}  // namespace

// The files of the folder, one after the other, each after a line with its name and length.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  SimulatedDisk disk;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    std::size_t length = 0;
    while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9') {
      length = std::min<std::size_t>(length * 10 + static_cast<std::size_t>(rest[0] - '0'), size);
      rest.remove_prefix(1);
    }
    rest.remove_prefix(std::min<std::size_t>(rest.size(), 1));
    disk.put("/crawl/" + std::string(name), std::string(rest.substr(0, length)));
    rest.remove_prefix(std::min(rest.size(), length));
  }
  read_everything(disk);
  return 0;
}
