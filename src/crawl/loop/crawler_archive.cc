// What a crawl stores in its archive: responses with their requests and metadata, robots.txt, DNS answers.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "crawl/loop/crawler.h"
#include "fetch/archived_body.h"
#include "fetch/request_text.h"
#include "parse/http_head.h"
#include "policy/reported_score.h"
#include "store/warc_writer.h"

namespace bowerbird {

namespace {

Truncated truncated_of(const FetchOutcome& fetch) {
  switch (fetch.end) {
    case FetchEnd::kAnswered:
      return fetch.truncated ? Truncated::kLength : Truncated::kNo;
    case FetchEnd::kTimedOut:
      return Truncated::kTime;
    default:
      return Truncated::kDisconnect;
  }
}

}  // namespace

void Crawler::store_page(ParsedPage& parsed, Score score, const std::optional<TopicVerdict>& topic,
                         std::string_view visit) {
  if (!parsed.keeps) return log_page(parsed.page.page, parsed.outcome, &parsed.page.fetch, visit);
  StoredFetch stored =
      stored_fetch(parsed.page.page, std::move(parsed.page.url), parsed.outcome, parsed.page.fetch, score);
  stored.title = std::move(parsed.title);
  stored.digest = parsed.body_digest;
  stored.noarchive = parsed.noarchive;
  if (parsed.noarchive) append_warc_field(stored.metadata, "robots", "noarchive");
  stored.main_text = std::move(parsed.main_text);
  // Canonical URLs contain no line breaks, so they are not checked as in append_warc_field.
  constexpr std::string_view kName = "outlink: ";
  stored.metadata.reserve(stored.metadata.size() + parsed.texts.size() +
                          parsed.links.size() * (kName.size() + 2));
  for (const FoundLink& link : parsed.links)
    stored.metadata.append(kName).append(link.text(parsed.texts)).append("\r\n");
  if (parsed.unreadable > 0) stored.log += fmt::format(",\"unreadable\":{}", parsed.unreadable);
  if (topic)
    stored.log += fmt::format(",\"similarity\":{:.4f},\"on_topic\":{}", topic->similarity, topic->on_topic);
  if (!visit.empty()) stored.log += fmt::format(",\"visit\":\"{}\"", visit);
  store().add_fetch(std::move(stored));
}

// Moves header and body out of `fetch`.
StoredFetch Crawler::stored_exchange(PageId page, std::string url, FetchOutcome& fetch) {
  StoredFetch stored;
  stored.page = page;
  stored.time_us = clock_.wall_us(fetch.started_us);
  stored.request = archived_request(url, refresher_->sent_fields(page), fetch);
  stored.url = std::move(url);
  stored.mime = content_type_of(fetch.head).type;
  stored.status = static_cast<std::uint16_t>(fetch.status);
  stored.response_head = std::move(fetch.head);
  stored.body = std::move(fetch.body);
  if (fetch.address) stored.ip = fetch.address->text();
  stored.decoded = fetch.decoded;
  stored.truncated = truncated_of(fetch);
  if (!fetch.certificate_error.empty())
    append_warc_field(stored.metadata, "certificateError", fetch.certificate_error);
  return stored;
}

StoredFetch Crawler::stored_fetch(PageId page, std::string url, Outcome outcome, FetchOutcome& fetch,
                                  Score score) {
  StoredFetch stored = stored_exchange(page, std::move(url), fetch);
  note_result(page, outcome, &fetch, stored.body.size());
  const ReportedScore reported = reported_score(options_.order.policy, score);
  append_warc_field(stored.metadata, "score", fmt::format("{:.6g}", reported.score));
  if (!reported.queue.empty()) append_warc_field(stored.metadata, "queue", reported.queue);
  if (const PageId via = state().facts().via(page); via != kNoPage)
    append_warc_field(stored.metadata, "via", state().url(via));
  append_warc_field(stored.metadata, "hopsFromSeed", state().facts().hops(page));
  append_warc_field(stored.metadata, "fetchTimeMs",
                    fmt::format("{}", (fetch.ended_us - fetch.started_us) / 1000));
  stored.log = fmt::format("\"outcome\":\"{}\",\"ms\":{},\"depth\":{}", outcome_name(outcome),
                           (fetch.ended_us - fetch.started_us) / 1000, state().facts().depth(page));
  if (!fetch.certificate_error.empty())
    append_json_string(stored.log += ",\"certificate_error\":", fetch.certificate_error);
  return stored;
}

// The request as it was sent, without secret values.
std::string Crawler::archived_request(const std::string& url, std::string_view conditions,
                                      const FetchOutcome& fetch) const {
  FetchRequest request;
  request.url = url;
  request.fields = rules_.fields.for_archive(url);
  constexpr std::string_view kCookies = "Cookie: withheld\r\n";
  if (fetch.with_cookies && !names_same_field(request.fields, kCookies)) request.fields += kCookies;
  if (!fetch.certificate_error.empty()) request.fields = harmless_fields(request.fields);
  request.fields += conditions;
  return fetcher_->request_text(request);
}

// Whether a failed response is archived: error responses, as users of archives expect, and responses
// whose body is incomplete or cannot be decoded.
bool Crawler::is_kept(Outcome outcome, const FetchOutcome* fetch) const {
  if (fetch == nullptr) return false;
  if (has_partial_body(*fetch)) return fetch->status < 400 || options_.storage.errors;
  if (fetch->end != FetchEnd::kAnswered) return false;
  if (outcome == Outcome::kBadCoding) return true;
  if (!options_.storage.errors) return false;
  switch (outcome) {
    case Outcome::kNotFound:
    case Outcome::kForbidden:
    case Outcome::kTryAgain:
    case Outcome::kTooMany:
    case Outcome::kUnavailable:
    case Outcome::kServerError:
    case Outcome::kOddStatus:
      return true;
    default:
      return false;
  }
}

// Whether --keep allows to store the response.
bool Crawler::keeps(const std::string& url, const FetchOutcome& fetch) const {
  return rules_.keep.all() || rules_.keep.chooses(url, content_type_of(fetch.head).type);
}

// A robots.txt is not a page of the crawl.
void Crawler::store_robots(const std::string& url, FetchOutcome fetch) {
  if (fetch.end != FetchEnd::kAnswered) return;
  undo_rare_codings(fetch, rules_.parser.coding);
  StoredFetch stored = stored_exchange(kNoPage, url, fetch);
  append_warc_field(stored.metadata, "hopsFromSeed", "P");
  store().add_fetch(std::move(stored));
}

// In the format of Heritrix: the time, then a resource record (RFC 1035) per address, with the seconds
// for which we use the answer.
void Crawler::store_dns(const std::string& host, const FetchOutcome& outcome) {
  std::vector<NetAddress> addresses = outcome.other_addresses;
  if (outcome.address) addresses.insert(addresses.begin(), *outcome.address);
  const std::string_view name = std::string_view(host).substr(0, host.rfind(':'));
  if (addresses.empty() || NetAddress::parse(name)) return;
  StoredRecord record;
  record.type = "response";
  record.url = fmt::format("dns:{}", name);
  record.content_type = "text/dns";
  record.time_us = clock_.wall_us(outcome.ended_us);
  record.block = timestamp14(record.time_us) + "\n";
  const std::int64_t seconds =
      std::max<std::int64_t>(0, (outcome.addresses_until_us - outcome.ended_us) / 1'000'000);
  for (const NetAddress& address : addresses)
    record.block +=
        fmt::format("{}.\t{}\tIN\t{}\t{}\n", name, seconds, address.v6 ? "AAAA" : "A", address.text());
  store().add_record(std::move(record));
}

}  // namespace bowerbird
