#include "fleet/legacy.h"

#include "crawl/brain.h"
#include "crawl/crawl_setup.h"
#include "crawl/restore.h"
#include "store/crawl_reader.h"

namespace bowerbird {

Result<FoundLegacy> read_legacy(const std::string& folder, const std::string& member) {
  BB_TRY(const auto reader, CrawlReader::open(folder));
  CrawlOptions options;
  options.out = folder;
  BB_TRY_VOID(adopt_fixed(reader->about(), options));
  if (options.share.member != member) {
    return error("{}: the crawl in this folder is {}'s, not {}'s", folder, options.share.member, member);
  }
  HostTable hosts{PolitenessOptions()};
  BB_TRY(const auto brain, Brain::make(brain_options_of(options), hosts, *reader));
  const Status restored = CrawlRestorer(hosts, *brain, "bowerbird").restore(*reader);
  if (!restored.ok()) return error("{}: {}", folder, restored.error().text);
  brain->cut();
  FoundLegacy found;
  const auto held = brain->share()->held();
  if (!held.empty()) brain->give(held);
  for (const std::uint32_t p : held) found.given[p] = brain->share()->tenure(p);
  found.legacy.member = member;
  found.legacy.parcels = brain->share()->outbox();
  found.absorbed = brain->share()->absorbed();
  CrawlEnd end;
  static_cast<void>(counts_from_state(reader->state(), found.counts, end));
  return found;
}

bool can_read_legacy(const std::string& folder, const std::string& member) {
  if (folder.empty() || !CrawlReader::holds_crawl(folder)) return false;
  const auto reader = CrawlReader::open(folder);
  CrawlOptions options;
  return reader.ok() && adopt_fixed((*reader)->about(), options).ok() && options.share.member == member;
}

}  // namespace bowerbird
