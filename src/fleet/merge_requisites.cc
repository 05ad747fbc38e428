#include "fleet/merge_requisites.h"

#include <algorithm>

namespace bowerbird {

namespace {

bool is_final_end(const RequisiteEnded& event) {
  RequisiteEnd end;
  return RequisiteEnd::decode(event.end, end) && !end.over_limit && is_final_response(end.outcome);
}

}  // namespace

Status MergedRequisites::read(const CrawlReader& reader, const std::vector<PageId>& ids,
                              std::vector<bool>& fresh) {
  return reader.walk(
      [&](const Event& event) -> Status {
        if (event.type != event_number<RequisitesFound>() && event.type != event_number<RequisiteEnded>())
          return {};
        BB_TRY(const CrawlEvent decoded, decode_event(event, Time{}));
        return take(decoded, ids, fresh);
      },
      [](const CommitRecord&) { return Status(); });
}

Status MergedRequisites::take(const CrawlEvent& event, const std::vector<PageId>& ids,
                              std::vector<bool>& fresh) {
  const auto known = [&](PageId page) { return page < ids.size(); };
  if (const auto* const ended = std::get_if<RequisiteEnded>(&event)) {
    RequisiteEnd end;
    if (!known(ended->page) || !RequisiteEnd::decode(ended->end, end))
      return error("the journal does not match the URLs");
    RequisiteEnded here = *ended;
    here.page = ids[ended->page];
    const auto [before, first] = ends_.try_emplace(here.page, here);
    if (first || !is_final_end(before->second)) {
      before->second = here;
      fresh[ended->page] = true;
    }
    return {};
  }
  RequisitesFound found = std::get<RequisitesFound>(event);
  if (!known(found.from) || !std::ranges::all_of(found.found, known, &FoundRequisite::page))
    return error("the journal does not match the URLs");
  found.from = ids[found.from];
  for (FoundRequisite& one : found.found)
    one = {ids[one.page], static_cast<std::uint8_t>(one.kind & ~kSentAway)};
  found_.push_back(std::move(found));
  return {};
}

// What a style sheet names can be told once the sheet itself is pending.
void MergedRequisites::apply(CrawlState& state) const {
  std::vector<const RequisitesFound*> left;
  for (const RequisitesFound& one : found_) left.push_back(&one);
  for (std::size_t before = left.size() + 1; left.size() < before;) {
    before = left.size();
    std::erase_if(left, [&](const RequisitesFound* one) {
      const bool fits = state.requisites().fits(*one, state.pages());
      if (fits) state.add_requisites(*one);
      return fits;
    });
  }
  std::vector<PageId> ended;
  for (const auto& [page, end] : ends_) ended.push_back(page);
  std::sort(ended.begin(), ended.end());
  for (const PageId page : ended) {
    RequisiteEnd end;
    RequisiteEnd::decode(ends_.at(page).end, end);
    state.end_requisite(page, end, ends_.at(page).bytes);
  }
}

}  // namespace bowerbird
