#include "fleet/takeover.h"

#include "crawl/config/kept_options.h"
#include "crawl/state/restored_crawl.h"
#include "store/crawl_reader.h"

namespace bowerbird {

Result<ReadOrphan> read_orphan(const std::string& folder, const std::string& member) {
  BB_TRY(const auto crawl, RestoredCrawl::open_to_read(folder));
  const std::string& owner = crawl->options().parallel.member;
  if (owner != member) return error("{}: this folder belongs to {}, not to {}", folder, owner, member);
  BB_TRY_VOID(crawl->restore());
  CrawlState& state = crawl->state();
  state.flush_batches();
  ReadOrphan found;
  const auto held = state.fleet()->held();
  if (!held.empty()) state.give(held);
  for (const std::uint32_t p : held) found.given[p] = state.fleet()->epoch(p);
  found.orphan.member = member;
  found.orphan.messages = state.fleet()->outbox();
  found.absorbed = state.fleet()->absorbed();
  found.counts = crawl->counts();
  return found;
}

bool can_read_orphan(const std::string& folder, const std::string& member) {
  if (folder.empty() || !CrawlReader::holds_crawl(folder)) return false;
  const auto reader = CrawlReader::open(folder);
  CrawlOptions options;
  return reader.ok() && adopt_fixed((*reader)->about(), options).ok() && options.parallel.member == member;
}

}  // namespace bowerbird
