#include "fleet/orphan.h"

#include "crawl/state/restored_crawl.h"
#include "fleet/fleet_check.h"
#include "fleet/identity.h"
#include "store/crawl_reader.h"
#include "sys/disk.h"

namespace bowerbird {

namespace {

Result<ReadOrphan> read_folder(const LostMember& lost) {
  if (!is_folder_of(lost.folder, lost.id))
    return error("{}: this folder does not belong to {}", lost.folder, lost.name);
  BB_TRY(const auto crawl, RestoredCrawl::open_to_read(lost.folder));
  BB_TRY_VOID(check_commit(lost.folder, crawl->reader().commit().number, lost.commit));
  crawl->read_visits();
  BB_TRY_VOID(crawl->restore());
  CrawlState& state = crawl->state();
  state.flush_batches();
  if (lost.lost_archive) {
    std::vector<PageId> fetched;
    BB_TRY_VOID(crawl->reader().for_each_links([&](const PageLinks& row) -> Status {
      fetched.push_back(row.page);
      return {};
    }));
    state.lose_archive(fetched);
  }
  ReadOrphan found;
  const auto held = state.fleet()->held();
  if (!held.empty()) state.give(held);
  for (const std::uint32_t p : held) found.given[p] = state.fleet()->epoch(p);
  found.orphan.member = lost.name;
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

Result<ReadOrphan> read_orphan(const LostMember& lost) {
  auto found = read_folder(lost);
  if (!found.ok()) return with_kind(lost.folder, found.error());
  return found;
}

Result<bool> orphan_is_here(const LostMember& lost) {
  if (!is_folder_of(lost.folder, lost.id) || !CrawlReader::holds_crawl(lost.folder)) return false;
  const auto reader = CrawlReader::open(lost.folder);
  if (!reader.ok()) return with_kind(lost.folder, reader.error());
  return true;
}

}  // namespace bowerbird
