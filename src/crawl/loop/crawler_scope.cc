// Applies changed scope options at a resume: excluded links enter, and queued pages that are out of scope
// now are excluded.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/units.h"
#include "crawl/config/kept_options.h"
#include "crawl/config/site_table.h"
#include "crawl/loop/crawler.h"
#include "crawl/state/state_setup.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

// Reasons for not following a link that depend on our options.
constexpr std::uint8_t kOurs = kLinkOutOfScope | kLinkTrap | kLinkTooFar;

constexpr char kScopePending[] = "/scope.pending";

bool judges_alike(const CrawlOptions& a, const CrawlOptions& b) {
  return a.scope.mode == b.scope.mode && a.scope.hosts == b.scope.hosts &&
         a.scope.include == b.scope.include && a.scope.exclude == b.scope.exclude &&
         agreed_sites(a.sites) == agreed_sites(b.sites) && a.budget.depth == b.budget.depth &&
         a.selection.traps == b.selection.traps && a.fetch.redirects == b.fetch.redirects;
}

}  // namespace

// Judges the URL alone. If it cannot be read, state().status() ends the crawl.
bool Crawler::out_of_scope(PageId page) {
  if (parse_url(state().url(page), nullptr, buffers_.url) != UrlFault::kNone) return false;
  return rules_.scope->judge(buffers_.url, rules_.scope_cache) != ScopeVerdict::kIn ||
         trap_sign(buffers_.url, rules_.parser.traps) != TrapSign::kNone;
}

// Seeds are always in scope, and so are the targets of their redirects once followed.
bool Crawler::left_out(PageId page) {
  const std::uint32_t depth = state().facts().depth(page);
  if (depth == 0 || state().facts().is_sitemap(page)) return false;
  return depth > most_depth(page) || out_of_scope(page);
}

// If the scope options differ from those of the last run, judges all known links again.
Status Crawler::apply_changed_scope(bool seeds_added) {
  CrawlOptions before;
  BB_TRY_VOID(recall_options(options_.out, before));
  const bool pending = std::filesystem::exists(options_.out + kScopePending);
  if (judges_alike(before, options_) && !pending && !(seeds_added && options_.scope.mode != ScopeMode::kAny))
    return {};
  if (options_.parallel.on()) {
    notes_.list.push_back(
        "the scope has changed; in a crawl by several processes it applies only to links found from now on");
    return {};
  }
  counts_.excluded = {};
  BB_TRY_VOID(admit_left_out());
  // The new options are written only after this.
  BB_TRY_VOID(committer_->commit_and_wait());
  scope_is_judged();
  return {};
}

// Creates a file which says that links still have to be judged by a changed scope. If the crawl is killed
// before that, the next run does it.
Status Crawler::scope_is_pending() const {
  return write_file(options_.out + kScopePending, "");
}

void Crawler::scope_is_judged() const {
  ::unlink((options_.out + kScopePending).c_str());
}

Status Crawler::admit_left_out() {
  BB_TRY(const auto reader, CrawlReader::open(options_.out));
  std::vector<bool> out(state().pages());  // pages that were judged and are out of scope
  std::uint64_t admitted = 0, had_been_excluded = 0;
  const auto look_at = [&](const PageLinks& row) -> Status {
    if (row.page >= out.size()) return error("links.log: there is no page {}", row.page);
    admitted += admit_row(row, &out, had_been_excluded);
    return state().status();
  };
  BB_TRY_VOID(reader->for_each_links(look_at));
  BB_TRY_VOID(reader->for_each_later_links(look_at));
  if (admitted == 0) return {};
  std::uint64_t& left_out = counts_.outcomes[static_cast<std::size_t>(Outcome::kLeftOut)];
  left_out -= std::min(left_out, had_been_excluded);
  memory_->set_bound_dropped(state_options_of(options_).bound);
  notes_.list.push_back(fmt::format("the scope has changed: {} now queued, with average importance",
                                    plural(admitted, "excluded URL is", "excluded URLs are")));
  return {};
}

// Lets the links of a page enter that are in scope now, and returns their number. out: pages already judged
// as out of scope. had_been_excluded: counts links among them whose page was excluded when it was to be
// fetched.
std::uint64_t Crawler::admit_row(const PageLinks& row, std::vector<bool>* out,
                                 std::uint64_t& had_been_excluded) {
  const PageId pages = out == nullptr ? state().pages() : static_cast<PageId>(out->size());
  if (row.page >= pages) return 0;
  buffers_.links.clear();
  for (const StoredLink& link : row.links) {
    if ((link.flags & kLinkNofollow) != 0 || link.page >= pages) continue;
    const bool redirect = (link.flags & kLinkRedirect) != 0;
    if (redirect ? state().facts().redirects(row.page) >= options_.fetch.redirects
                 : state().facts().depth(row.page) >= most_depth(link.page)) {
      continue;
    }
    // Links that a strategy holds back belong to the crawl too, although they are not discovered yet.
    if (state().facts().belongs(link.page) || (out != nullptr && (*out)[link.page])) continue;
    if (state().control().suspended().contains(link.page)) continue;
    const bool is_out = out_of_scope(link.page);
    if (out != nullptr) (*out)[link.page] = is_out;
    if (is_out) continue;
    had_been_excluded += state().facts().is_excluded(link.page) ? 1 : 0;
    buffers_.links.push_back({link.page, static_cast<std::uint8_t>(link.flags & ~kOurs)});
  }
  if (!buffers_.links.empty()) state().admit(row.page, buffers_.links);
  return buffers_.links.size();
}

}  // namespace bowerbird
