#include "fleet/orphan.h"

#include "crawl/config/kept_options.h"
#include "crawl/state/restored_crawl.h"
#include "store/crawl_reader.h"
#include "sys/disk.h"

namespace bowerbird {

namespace {

Result<ReadOrphan> read_folder(const std::string& folder, const std::string& member) {
  BB_TRY(const auto crawl, RestoredCrawl::open_to_read(folder));
  const std::string& owner = crawl->options().parallel.member;
  if (owner != member) return error("{}: this folder belongs to {}, not to {}", folder, owner, member);
  crawl->read_visits();
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

// An error while another process writes may be temporary.
Error with_kind(const std::string& folder, Error error) {
  if (look_at_lock(folder + "/" + crawl_files::kLock).holder != 0) error.kind = ErrorKind::kRetry;
  return error;
}

}  // namespace

Result<ReadOrphan> read_orphan(const std::string& folder, const std::string& member) {
  auto found = read_folder(folder, member);
  if (!found.ok()) return with_kind(folder, found.error());
  return found;
}

Result<bool> orphan_is_here(const std::string& folder, const std::string& member) {
  if (folder.empty() || !CrawlReader::holds_crawl(folder)) return false;
  const auto reader = CrawlReader::open(folder);
  if (!reader.ok()) return with_kind(folder, reader.error());
  CrawlOptions options;
  BB_TRY_VOID(adopt_fixed((*reader)->about(), options));
  return options.parallel.member == member;
}

}  // namespace bowerbird
