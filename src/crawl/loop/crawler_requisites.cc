// Requisites that are handed out, fetched, searched for further ones, stored or retried.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "crawl/loop/crawler.h"
#include "crawl/loop/request_ids.h"
#include "fetch/archived_body.h"
#include "parse/http_head.h"
#include "parse/mime_sniff.h"

namespace bowerbird {

namespace {

constexpr int kMostRequisitesAtOnce = 1000;
// With this many pending requisites no further page is started: a hundredth of --memory, at 128 bytes
// each.
constexpr std::uint64_t kMostRequisitesPending = 100'000;
constexpr std::uint64_t kLeastRequisitesPending = 1000;
constexpr std::uint64_t kPendingShare = 100 * 128;

std::uint64_t most_pending(std::uint64_t memory) {
  if (memory == 0) return kMostRequisitesPending;
  return std::clamp(memory / kPendingShare, kLeastRequisitesPending, kMostRequisitesPending);
}

}  // namespace

// Requisites that were pending or in flight at the end of the last run.
void Crawler::restore_requisites(Time now) {
  requisites_ = std::make_unique<HostQueues>(most_pending(options_.memory.budget));
  state().take_arrived_requisites();
  for (const auto& [age, pending] : state().requisites().pending())
    requisites_->add(pending.page, state().host(pending.page), now);
}

// ---- Handing out

void Crawler::hand_out_requisites(Time now) {
  for (int looked_at = 0; looked_at < kMostRequisitesAtOnce && has_room(); ++looked_at) {
    const auto host = requisites_->next_host(now);
    if (!host) return;
    try_requisite(*host, now);
  }
}

// Starts the first requisite of a host, lets it wait, or ends it without a request.
void Crawler::try_requisite(HostId id, Time now) {
  const PageId page = requisites_->first(id);
  const PendingRequisite* const pending = state().requisites().find(page);
  // It was fetched as a page, or moved to another process, or moved there and back while in flight.
  if (pending == nullptr || requisites_->is_in_flight(page)) return requisites_->drop(id, now);
  if (session_ && session_->leaving(page)) return requisites_->wait(id, now + kLeavingWait);
  const auto end = [&](Outcome outcome) {
    log_requisite(page, outcome_name(outcome), nullptr);
    end_requisite(page, {false, outcome}, 0);
    requisites_->drop(id, now);
  };
  if (const ControlRule* const rule = rule_against(page)) {
    // A requisite that a pattern blocks must not hold up those behind it.
    if (rule->kind == RuleKind::kBlock && rule->target == RuleTarget::kPattern) return end(Outcome::kLeftOut);
    return requisites_->wait(id, now + 1s);
  }
  const Host& host = hosts()[id];
  if (host.closed == static_cast<std::uint8_t>(HostEnd::kUnreachable)) return end(host.trouble);
  if (host.closed == static_cast<std::uint8_t>(HostEnd::kCrawlDelay)) return end(Outcome::kRobots);
  if (state().requisites().counts_of(pending->root).bytes >= options_.selection.requisite_bytes) {
    log_requisite(page, "over-limit", nullptr);
    end_requisite(page, {true}, 0);
    return requisites_->drop(id, now);
  }
  if (state().frontier().state(page) == PageState::kInFlight) return requisites_->wait(id, kNever);
  Url& url = buffers_.url;
  // If the URL cannot be read, the crawl ends: state().status() has the error.
  if (parse_url(state().url(page), nullptr, url) != UrlFault::kNone) return requisites_->wait(id, kNever);
  const OriginRules& origin = host.origins[url.https()];
  if (origin.is_known(now) && !origin.rules->decide(url.target()).allowed) return end(Outcome::kRobots);
  const Time opens = requisite_opens(id, url, now);
  if (opens > now) return requisites_->wait(id, opens);
  start_requisite(id, *pending, now);
}

// Like gate_of_request(), for a requisite. kNever: try again when a request ends.
Time Crawler::requisite_opens(HostId id, const Url& url, Time now) {
  const Host& host = hosts()[id];
  if (host.preparing) return kNever;
  const RequestSlots::Kind kind = request_needed(host, host.origins[url.https()], now);
  if (kind != RequestSlots::Kind::kLookup) {
    if (const Time opens = hosts().earliest_start(host); opens > now) return opens;
  }
  if (!slots_->fits(kind, host)) return kNever;
  if (kind == RequestSlots::Kind::kLookup) {
    preparer_->look_up(id, url.https(), now);
    return kNever;
  }
  if (const Time opens = fleet_slot(id, now); opens > now) return opens;
  if (kind == RequestSlots::Kind::kPage) return now;
  preparer_->ask_robots(id, url.https(), now, /*for_page=*/false);
  return kNever;
}

void Crawler::start_requisite(HostId id, const PendingRequisite& pending, Time now) {
  Host& host = hosts()[id];
  FetchRequest request;
  request.id = kRequisiteRequest | pending.page;
  request.url = state().url(pending.page);
  request.fields = fields_of(request.id, request.url, now);
  request.addresses = host.addresses;
  request.next_ms = hosts().interval(host).count();
  request.new_connection = requisites_->tries(pending.page) > 0;
  request.any_type = true;
  slots_->start(request.id, RequestSlots::Kind::kPage, host, now);
  fetcher_->start(std::move(request));
  hosts().started(host, clock_.after(now), /*requisite=*/true);
  requisites_->start(id, now);
}

// ---- Responses

void Crawler::take_requisite(FetchOutcome fetch, Time now) {
  const PageId page = page_of_requisite(fetch.id);
  const HostId id = state().host(page);
  note_answer(id, fetch);
  const PendingRequisite* const pending = state().requisites().find(page);
  const Outcome outcome = outcome_of(fetch);
  preparer_->note_refusal(fetch);
  if (rule_of(outcome).blame != Blame::kHost) hosts()[id].failures = 0;
  if (pending == nullptr) {
    requisites_->end(page);
  } else if (outcome == Outcome::kFetched || outcome == Outcome::kRedirect) {
    FetchedPage fetched;
    fetched.page = page;
    fetched.url = state().url(page);
    fetched.requisite = pending->kind;
    fetched.received = fetch.body.size();
    run_.read_bytes += fetched.received;
    fetched.fetch = std::move(fetch);
    pool_->add(std::move(fetched));
  } else {
    finish_failed_requisite(page, outcome, fetch, now);
  }
  state().open_gate(id, now);
}

void Crawler::finish_requisite(ParsedPage parsed, Time now) {
  const PageId page = parsed.page.page;
  FetchOutcome& fetch = parsed.page.fetch;
  if (!state().requisites().is_pending(page)) return requisites_->end(page);
  if (limits_reached() == CrawlEnd::kBytes)
    return requisites_->retry(page, state().host(page), now, /*counted=*/false);
  if (parsed.outcome != Outcome::kFetched && parsed.outcome != Outcome::kRedirect)
    return finish_failed_requisite(page, parsed.outcome, fetch, now);
  const std::uint64_t bytes = parsed.page.received;
  // A body larger than --max-size is stored, but the page cannot be displayed with it.
  const Outcome outcome = fetch.truncated ? Outcome::kCutShort : parsed.outcome;
  const auto use = use_as_page(parsed.outcome, fetch);
  counts_.bytes += bytes;
  counts_.requisites.bytes += bytes;
  add_requisites(page, false, parsed, now);
  store_requisite(page, {false, parsed.outcome, use}, fetch, parsed.noarchive);
  requisites_->end(page);
  end_requisite(page, {false, outcome, use}, bytes);
}

void Crawler::finish_failed_requisite(PageId page, Outcome outcome, FetchOutcome& fetch, Time now) {
  const HostId id = state().host(page);
  const std::uint64_t bytes = fetch.body.size();
  counts_.bytes += bytes;
  counts_.requisites.bytes += bytes;
  const bool answered = fetch.end == FetchEnd::kAnswered;
  const std::int64_t asked = answered ? asked_wait_s(fetch.head, milliseconds_of(now) / 1000) : -1;
  failures_->failed(id, outcome, asked, now);
  const std::uint32_t tries = requisites_->tries(page) + 1;
  if (tries < rule_of(outcome).tries) {
    ++counts_.retries;
    return requisites_->retry(page, id, now + failures_->wait_after(outcome, tries, asked), /*counted=*/true);
  }
  RequisiteEnd end{false, outcome, use_as_page(outcome, fetch)};
  if (is_kept(outcome, &fetch)) {
    store_requisite(page, end, fetch, head_forbids_archive(fetch.head, rules_.token));
  } else {
    end.use = RequisiteEnd::Use::kNotStored;
    log_requisite(page, outcome_name(outcome), &fetch);
  }
  requisites_->end(page);
  end_requisite(page, end, bytes);
}

// ---- Requisites of requisites

// A frame in scope that the crawl does not follow, such as one beyond --depth, is fetched as a requisite.
RequisiteKind Crawler::kind_of_part(const FoundPart& part, PageId page, bool of_page) {
  if (part.kind != RequisiteKind::kPage || state().frontier().state(page) != PageState::kUndiscovered ||
      state().is_sent_away(page))
    return part.kind;
  const bool followed = of_page && std::ranges::any_of(buffers_.links, [&](const StoredLink& link) {
                          return link.page == page && (link.flags & kLinkNotFollowed) == 0;
                        });
  return followed ? part.kind : RequisiteKind::kFrame;
}

// Adds the requisites that `from` names, within the limits of its root page. of_page: `from` is a page, whose
// links are in buffers_.
void Crawler::add_requisites(PageId from, bool of_page, const ParsedPage& parsed, Time now) {
  const Requisites& known = state().requisites();
  RequisitesFound event;
  event.from = from;
  event.of_page = of_page;
  event.excluded = parsed.requisites_excluded;
  const PendingRequisite* const outer = of_page ? nullptr : known.find(from);
  const bool too_deep = outer != nullptr && outer->depth >= Requisites::kMostDepth;
  const bool no_frames = outer != nullptr && outer->frames >= Requisites::kMostFrames;
  const std::uint64_t limit = options_.selection.requisites_per_page;
  const std::uint64_t room = limit - std::min(limit, known.counts_for(from, of_page).found);
  std::vector<PageId> fresh;
  for (const FoundPart& part : parsed.requisites) {
    const bool page_of_crawl = part.kind == RequisiteKind::kPage;
    if (too_deep || (no_frames && (page_of_crawl || part.kind == RequisiteKind::kFrame)) ||
        (event.found.size() >= room && !page_of_crawl) || turn_away(part.link.fingerprint, 0)) {
      ++event.left_out;
      continue;
    }
    const PageId page =
        state().intern(part.link.fingerprint, part.link.text(parsed.texts), part.link.host(parsed.texts));
    if (page == from) continue;
    const bool sent = state().is_sent_away(page);
    const auto kind = static_cast<std::uint8_t>(kind_of_part(part, page, of_page));
    event.found.push_back({page, static_cast<std::uint8_t>(kind | (sent ? kSentAway : 0))});
    if (!known.is_pending(page)) fresh.push_back(page);
  }
  if (event.found.empty() && event.left_out == 0 && event.excluded == 0) return;
  state().add_requisites(event);
  for (const PageId page : fresh) {
    if (known.is_pending(page)) requisites_->add(page, state().host(page), now);
  }
}

// Requisites that arrived from other processes.
void Crawler::add_arrived_requisites(Time now) {
  for (const PageId page : state().take_arrived_requisites()) {
    if (requisites_ && state().requisites().is_pending(page)) requisites_->add(page, state().host(page), now);
  }
}

// ---- Storing

void Crawler::store_requisite(PageId page, const RequisiteEnd& end, FetchOutcome& fetch, bool noarchive) {
  const PendingRequisite& pending = *state().requisites().find(page);
  const std::string root = state().url(pending.root);
  std::string hops = state().facts().hops(pending.root);
  if (!state().facts().belongs(pending.root)) hops.assign(pending.links, 'L');
  hops.append(pending.depth, 'E');
  undo_rare_codings(fetch, rules_.parser.coding);
  StoredFetch stored = stored_exchange(page, state().url(page), fetch);
  stored.noarchive = noarchive;
  // A script of type text/plain could be a page by its type, but counts as one only if a link leads to it.
  const bool found_as_page = state().frontier().state(page) != PageState::kUndiscovered;
  stored.requisite =
      end.use != RequisiteEnd::Use::kPage || (pending.kind != RequisiteKind::kFrame && !found_as_page);
  append_warc_field(stored.metadata, "via", pending.from == kNoPage ? root : state().url(pending.from));
  append_warc_field(stored.metadata, "hopsFromSeed", hops);
  stored.log = fmt::format("\"outcome\":\"{}\",\"ms\":{},\"requisite\":true", outcome_name(end.outcome),
                           (fetch.ended_us - fetch.started_us) / 1000);
  append_json_string(stored.log += ",\"requisite_of\":", root);
  if (!fetch.certificate_error.empty())
    append_json_string(stored.log += ",\"certificate_error\":", fetch.certificate_error);
  store().add_fetch(std::move(stored));
}

void Crawler::log_requisite(PageId page, std::string_view outcome, const FetchOutcome* fetch) {
  nlohmann::json line = {
      {"url", state().url(page)}, {"page", page}, {"outcome", outcome}, {"requisite", true}};
  if (const PendingRequisite* const pending = state().requisites().find(page))
    line["requisite_of"] = state().url(pending->root);
  if (fetch != nullptr && fetch->status > 0) line["status"] = fetch->status;
  if (fetch != nullptr && !fetch->trouble.empty()) line["trouble"] = fetch->trouble;
  store().add_log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

void Crawler::end_requisite(PageId page, const RequisiteEnd& end, std::uint64_t bytes) {
  if (end.over_limit) {
    ++counts_.requisites.over_limit;
  } else {
    ++counts_.requisites.outcomes[static_cast<std::size_t>(end.outcome)];
  }
  state().end_requisite(page, end, bytes);
}

// ---- URLs that are both a page and a requisite

// A frame in scope is fetched as a page. With a type that is not in --types it is a requisite only, and its
// body is stored.
bool Crawler::is_unwanted_frame(PageId page, Outcome outcome, const FetchOutcome& fetch) const {
  if (!state().requisites().is_awaited(page) || fetch.unwanted) return false;
  if (outcome == Outcome::kUnwanted) return true;
  const std::string type = content_type_of(fetch.head).type;
  return outcome == Outcome::kFetched && !is_unknown_type(type) && !rules_.types.wants(type);
}

// Pages are searched for links, so HTML and redirects have to be fetched again as pages.
RequisiteEnd::Use Crawler::use_as_page(Outcome outcome, const FetchOutcome& fetch) const {
  if (!is_final_response(outcome) || outcome == Outcome::kRedirect) return RequisiteEnd::Use::kRequisite;
  const std::string type = content_type_of(fetch.head).type;
  if (outcome == Outcome::kFetched && (BodyTypes::is_html(type) || is_unknown_type(type)))
    return RequisiteEnd::Use::kRequisite;
  if (outcome != Outcome::kFetched || rules_.types.wants(type)) return RequisiteEnd::Use::kPage;
  return RequisiteEnd::Use::kUnwantedPage;
}

bool Crawler::was_requisite(PageId page, RequisiteEnd& end) const {
  return state().requisites().ended(page, end) && !end.over_limit &&
         (end.use == RequisiteEnd::Use::kPage || end.use == RequisiteEnd::Use::kUnwantedPage);
}

// Completes a page whose response is already in the archive, because it was fetched as a requisite.
void Crawler::complete_from_requisite(PageId page) {
  RequisiteEnd end;
  was_requisite(page, end);
  const Outcome outcome = end.use == RequisiteEnd::Use::kUnwantedPage ? Outcome::kUnwanted : end.outcome;
  count_page(page, 1);
  if (outcome == Outcome::kFetched) ++counts_.pages;
  if (outcome == Outcome::kUnwanted) counts_.add_unwanted("any");
  log_page(page, outcome, nullptr);
  if (outcome == Outcome::kFetched) {
    complete(page, outcome, {});
    note_first_failure(page, outcome);  // there is nothing to compare a further visit with
  } else {
    fail(page, outcome);
  }
}

// A finished page of the crawl may also be a requisite.
void Crawler::note_done(PageId page, Outcome outcome) {
  const PendingRequisite* const pending = state().requisites().find(page);
  // The body is not in the archive: it is fetched if a page needs it.
  const bool incomplete = outcome == Outcome::kUnwanted || outcome == Outcome::kRedirect;
  if (pending != nullptr) {
    if (!incomplete && pending->kind == RequisiteKind::kLeaf && !requisites_->is_in_flight(page))
      state().end_requisite(page, {false, outcome});
  } else if (state().requisites().is_awaited(page)) {
    const bool stored =
        outcome == Outcome::kFetched || outcome == Outcome::kRedirect || options_.storage.errors;
    using Use = RequisiteEnd::Use;
    state().end_requisite(page, {false, outcome, stored ? Use::kRequisite : Use::kNotStored});
  } else if (!state().requisites().is_known(page) && (incomplete || !is_final_response(outcome))) {
    state().end_requisite(page, {incomplete, outcome});
  }
}

}  // namespace bowerbird
