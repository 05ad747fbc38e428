#include "crawl/inspect/completeness.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/units.h"
#include "crawl/inspect/crawl_history.h"
#include "crawl/state/events.h"

namespace bowerbird {

namespace {

class RequisiteGraph {
 public:
  explicit RequisiteGraph(const CrawlReader& crawl) : crawl_(crawl), ends_(crawl.pages()) {}

  Status read() {
    BB_TRY_VOID(crawl_.walk([this](const Event& event) { return take(event); },
                            [](const CommitRecord&) { return Status(); }));
    if (!pages_.empty()) {
      seen_.resize(crawl_.pages());
      done_.resize(crawl_.pages());
      BB_TRY_VOID(crawl_.for_each_links([this](const PageLinks& row) -> Status {
        if (row.page < done_.size()) done_[row.page] = true;
        return {};
      }));
    }
    return {};
  }

  template <typename Take>
  Status each_incomplete(Take take) {
    for (const auto& [page, row] : pages_) {
      IncompletePage found;
      found.page = page;
      look(row, found);
      if (found.missing.empty() && found.left_out == 0 && found.excluded == 0) continue;
      BB_TRY_VOID(take(found));
    }
    return {};
  }

 private:
  struct Row {
    std::uint64_t at = 0;
    std::uint64_t count = 0;
    std::uint64_t left_out = 0;
    std::uint64_t excluded = 0;
  };

  Status take(const Event& event) {
    const bool found = event.type == event_number<RequisitesFound>();
    if (!found && event.type != event_number<RequisiteEnded>()) return {};
    BB_TRY(const CrawlEvent decoded, decode_event(event, Time{}));
    return found ? take(std::get<RequisitesFound>(decoded)) : take(std::get<RequisiteEnded>(decoded));
  }

  Status take(const RequisitesFound& event) {
    const Row row{targets_.size(), event.found.size(), event.left_out, event.excluded};
    for (const FoundRequisite& one : event.found) {
      if (one.page >= ends_.size()) return not_ours();
      targets_.push_back(one.page);
      leaves_.push_back(one.plain_kind() == RequisiteKind::kLeaf || one.plain_kind() == RequisiteKind::kPage);
      if (one.is_sent()) sent_.insert(one.page);
      // A requisite over the limit of one page may be fetched for another.
      if (RequisiteEnd end; RequisiteEnd::decode(ends_[one.page], end) && end.over_limit) ends_[one.page] = 0;
    }
    if (event.from >= ends_.size()) return not_ours();
    (event.of_page ? pages_[event.from] : parts_[event.from]) = row;
    return {};
  }
  Status take(const RequisiteEnded& event) {
    if (event.page >= ends_.size()) return not_ours();
    ends_[event.page] = event.end;
    return {};
  }
  static Status not_ours() { return error("the journal does not match the rest of the folder"); }

  // Collects everything that the page needs, directly or indirectly.
  void look(const Row& page, IncompletePage& found) {
    ++turn_;
    seen_[found.page] = turn_;
    bool waits = true;
    std::vector<const Row*> left = {&page};
    while (!left.empty()) {
      const Row* const row = left.back();
      left.pop_back();
      found.left_out += row->left_out;
      found.excluded += row->excluded;
      for (std::uint64_t i = row->at; i < row->at + row->count; ++i) {
        const PageId target = targets_[i];
        if (std::exchange(seen_[target], turn_) == turn_) continue;
        if (std::string reason = missing(target, leaves_[i], waits); !reason.empty())
          found.missing.push_back({target, std::move(reason)});
        if (const auto inner = parts_.find(target); inner != parts_.end()) left.push_back(&inner->second);
      }
    }
    found.waits = waits && found.left_out == 0 && found.excluded == 0;
  }

  // Why it is missing; empty: it is in the archive. waits: set to false if it will not be fetched.
  std::string missing(PageId page, bool leaf, bool& waits) const {
    RequisiteEnd end;
    if (ends_[page] == 0) return (leaf && done_[page]) || sent_.contains(page) ? "" : "not fetched yet";
    const bool known = RequisiteEnd::decode(ends_[page], end);
    if (known && !end.over_limit && is_final_response(end.outcome) &&
        end.use != RequisiteEnd::Use::kNotStored)
      return "";
    waits = false;
    if (end.over_limit) return "beyond --requisite-bytes of its page";
    if (is_final_response(end.outcome)) return "not stored (--no-store-errors)";
    return std::string(rule_of(end.outcome).what);
  }

  const CrawlReader& crawl_;
  std::vector<PageId> targets_;
  std::vector<bool> leaves_;               // of targets_: a page of the crawl is as good
  std::map<PageId, Row> pages_;            // by page: its requisites
  std::unordered_map<PageId, Row> parts_;  // by style sheet or frame: its requisites
  std::vector<std::uint8_t> ends_;         // RequisiteEnd, or 0
  std::unordered_set<PageId> sent_;        // fetched by another process
  std::vector<bool> done_;                 // done as pages of the crawl
  std::vector<std::uint32_t> seen_;        // the turn in which look() visited it
  std::uint32_t turn_ = 0;
};

}  // namespace

Result<PagesLacking> read_completeness(const CrawlReader& crawl,
                                       const std::function<Status(const IncompletePage&)>& take) {
  RequisiteGraph graph(crawl);
  BB_TRY_VOID(graph.read());
  PagesLacking counts;
  BB_TRY_VOID(graph.each_incomplete([&](const IncompletePage& page) -> Status {
    ++(page.waits ? counts.waiting : counts.incomplete);
    return take ? take(page) : Status();
  }));
  return counts;
}

Result<PagesLacking> read_completeness(const std::string& folder) {
  BB_TRY(const auto crawl, CrawlReader::open(folder));
  return read_completeness(*crawl);
}

Result<std::vector<PageId>> read_requisites_only(const std::string& folder) {
  BB_TRY(const auto crawl, CrawlReader::open(folder));
  std::vector<bool> only(crawl->pages());
  bool any = false;
  const auto mark = [&](PageId page, bool requisite) {
    if (page < only.size()) only[page] = requisite;
  };
  BB_TRY_VOID(crawl->walk(
      [&](const Event& event) -> Status {
        if (event.type != event_number<RequisitesFound>()) return {};
        BB_TRY(const CrawlEvent decoded, decode_event(event, Time{}));
        for (const FoundRequisite& one : std::get<RequisitesFound>(decoded).found) mark(one.page, true);
        any = true;
        return {};
      },
      [](const CommitRecord&) { return Status(); }));
  if (!any) return std::vector<PageId>();
  const auto take_links = [&](const PageLinks& row) -> Status {
    mark(row.page, false);
    for (const StoredLink& link : row.links) mark(link.page, false);
    return {};
  };
  BB_TRY_VOID(crawl->for_each_links(take_links));
  BB_TRY_VOID(crawl->for_each_later_links(take_links));
  BB_TRY(const CrawlEntries entries, read_crawl_entries(folder));
  for (const SeedPage& seed : entries.seeds) mark(seed.page, false);
  std::vector<PageId> found;
  for (PageId page = 0; page < only.size(); ++page) {
    if (only[page]) found.push_back(page);
  }
  return found;
}

std::vector<std::string> incomplete_reasons(const IncompletePage& page) {
  std::vector<std::string> reasons;
  for (const MissingRequisite& one : page.missing) reasons.push_back(one.reason);
  if (page.left_out > 0)
    reasons.push_back(fmt::format("{} more beyond --requisites-per-page, the depth limit or --memory",
                                  format_count(page.left_out)));
  if (page.excluded > 0)
    reasons.push_back(fmt::format("{} more excluded by --exclude", format_count(page.excluded)));
  return reasons;
}

std::string completeness_text(const PagesLacking& found, std::uint64_t pages) {
  const std::uint64_t not_complete = std::min(pages, found.incomplete + found.waiting);
  const double share =
      pages == 0 ? 0 : 100 * static_cast<double>(pages - not_complete) / static_cast<double>(pages);
  // 100 % only if all pages are complete.
  std::string text =
      fmt::format("{:.1f} % of {}", not_complete > 0 ? std::min(share, 99.9) : share, plural(pages, "page"));
  if (found.waiting > 0) text += fmt::format("; {} waiting for requisites", format_count(found.waiting));
  if (found.incomplete > 0)
    text += fmt::format("; {} incomplete, see `bowerbird urls --incomplete`", format_count(found.incomplete));
  return text;
}

}  // namespace bowerbird
