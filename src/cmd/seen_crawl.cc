#include "cmd/seen_crawl.h"

#include "crawl/crawl_setup.h"
#include "fleet/launcher.h"

namespace bowerbird {

Result<SeenCrawl> open_seen_crawl(const std::string& folder) {
  SeenCrawl seen;
  if (holds_fleet(folder)) {
    return error(
        "{0}: there is a fleet in this folder, not a crawl: `bowerbird fleet status {0}`, or make a crawl of "
        "it "
        "with `bowerbird fleet merge {0} --into DIR`",
        folder);
  }
  BB_TRY(seen.reader, CrawlReader::open(folder));
  if (!seen.reader->state().empty() &&
      !counts_from_state(seen.reader->state(), seen.counts, seen.end, &seen.moment)) {
    return error("{}: the counters of this crawl cannot be read", folder);
  }
  return seen;
}

Result<CrawlRestorer> new_brain(SeenCrawl& seen, const std::string& folder) {
  CrawlOptions options;
  options.out = folder;
  BB_TRY_VOID(adopt_fixed(seen.reader->about(), options));
  seen.policy = options.policy;
  seen.hosts = std::make_unique<HostTable>(PolitenessOptions());
  seen.spilled = std::make_unique<SpillFolder>(folder + "/" + crawl_files::kSpill);
  seen.spill = std::make_unique<MemorySpill>(seen.spilled.get());
  seen.rows = std::make_unique<LinkRows>(folder);
  BB_TRY_VOID(seen.rows->extend(seen.reader->commit().find(crawl_files::kLinks)->bytes));
  BrainOptions brain_options = brain_options_of(options);
  brain_options.spill = seen.spill.get();
  BB_TRY(seen.brain, Brain::make(brain_options, *seen.hosts, *seen.reader));
  seen.brain->read_rows_from(
      [rows = seen.rows.get()](std::uint64_t row, PageLinks& links) { return rows->read(row, links); });
  return CrawlRestorer(*seen.hosts, *seen.brain, "bowerbird");
}

Status restore_seen_crawl(SeenCrawl& seen, const std::string& folder) {
  BB_TRY(CrawlRestorer restorer, new_brain(seen, folder));
  const Status status = restorer.restore(*seen.reader);
  if (!status.ok()) return error("{}: {}", folder, status.error().text);
  return {};
}

}  // namespace bowerbird
