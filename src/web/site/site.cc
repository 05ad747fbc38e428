#include "web/site/site.h"

#include <fmt/format.h>

#include <cmath>

#include "base/hash.h"
#include "parse/dates.h"
#include "web/http/http1.h"
#include "web/site/site_call.h"

namespace bowerbird {

namespace {

void lower_case(std::string_view text, std::string& out) {
  out = text;
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
}

}  // namespace

std::uint32_t SiteMemory::count_request(std::uint64_t key) {
  constexpr std::size_t kMost = 1'000'000;
  const std::lock_guard lock(mutex_);
  if (asks_.size() >= kMost) asks_.clear();
  return ++asks_[key];
}

bool SiteMemory::admit(std::uint64_t host_key, double per_second, std::int64_t now_us) {
  constexpr std::size_t kMost = 1'000'000;
  const std::lock_guard lock(mutex_);
  if (due_us_.size() >= kMost) due_us_.clear();
  const double interval_us = 1e6 / per_second;
  // Threads read the clock before they lock: a later one may have an earlier time.
  latest_us_ = std::max(latest_us_, now_us);
  const auto now = static_cast<double>(latest_us_);
  double& due = due_us_.try_emplace(host_key, now).first->second;
  if (due > now + std::max(interval_us, 1.0)) return false;  // within the precision of the clock
  due = std::max(due, now) + interval_us;
  return true;
}

Site::Site(const Web& web, const SiteOptions& options, std::unique_ptr<Addresses> addresses)
    : web_(web),
      options_(options),
      addresses_(std::move(addresses)),
      changes_(options.seed, options.changes_per_day),
      traps_(options.seed, options.traps),
      html_(*addresses_, traps_, options.seed, options.words),
      page_faults_(options.page_faults),
      host_faults_(options.host_faults),
      robots_faults_(options.robots_faults),
      page_fault_seed_(draw(options.seed, 1)),
      host_fault_seed_(draw(options.seed, 2)),
      robots_fault_seed_(draw(options.seed, 3)),
      host_seed_(draw(options.seed, 4)),
      page_seed_(draw(options.seed, 5)) {}

Result<std::unique_ptr<Site>> Site::make(const Web& web, const SiteOptions& options,
                                         const Progress& progress) {
  BB_TRY(auto addresses, make_addresses(web, {options.https, options.unknown_hosts}, progress));
  return std::unique_ptr<Site>(new Site(web, options, std::move(addresses)));
}

std::int64_t Site::born_us(PageId page) const {
  if (options_.newcomers <= 0 || page == 0) return 0;
  const std::uint64_t bits = draw(page_seed_ + 4, page);
  if (to_unit(bits) >= options_.newcomers) return 0;
  constexpr double kDayUs = 86'400e6;
  return options_.start_us +
         static_cast<std::int64_t>(to_unit(mix64(bits)) * options_.newcomer_days * kDayUs);
}

bool Site::has_false_dates(std::uint64_t host_key) const {
  return to_unit(draw(host_seed_ + 5, host_key)) < options_.files.false_dates;
}

bool Site::disallows(std::uint64_t host_key) const {
  return to_unit(draw(host_seed_ + 1, host_key)) < options_.files.disallow;
}

CertificateKind Site::certificate(std::uint64_t host_key) const {
  const std::uint64_t bits = draw(host_seed_ + 4, host_key);
  if (to_unit(bits) >= options_.bad_certificates) return CertificateKind::kGood;
  return bits % 2 == 0 ? CertificateKind::kExpired : CertificateKind::kWrongName;
}

std::int64_t Site::latency_us(std::uint64_t host_key) const {
  const double factor = std::exp2(4 * to_unit(draw(host_seed_ + 2, host_key)) - 2);
  return static_cast<std::int64_t>(options_.latency_ms * 1000 * factor);
}

std::uint64_t Site::bytes_per_second(std::uint64_t host_key) const {
  if (options_.bytes_per_second == 0) return 0;
  const double factor = std::exp2(4 * to_unit(draw(host_seed_ + 3, host_key)) - 2);
  return 1 + static_cast<std::uint64_t>(static_cast<double>(options_.bytes_per_second) * factor);
}

void Site::answer(const SiteRequest& request, const Moment& moment, SiteMemory& memory, SiteScratch& scratch,
                  SiteAnswer& answer) const {
  answer.clear();
  Call call{request, moment, memory, scratch, answer};
  call.https = request.https;
  call.target = request.target;
  if (request.method != "GET" && request.method != "HEAD") {
    answer_error(call, request.method == "OPTIONS" ? 204 : 405, "Only GET and HEAD are answered here.");
    answer.add_field("allow") = "GET, HEAD, OPTIONS";
    return;
  }
  lower_case(request.authority, scratch.authority);
  call.authority = scratch.authority;
  if (call.authority.empty() || is_this_machine(call.authority)) return answer_portal(call);
  answer_host(call);
}

// Determines the requested host, and so the style of the request.
void Site::answer_host(Call& call) const {
  HostId host = addresses_->host_named(call.authority);
  if (host == kNoHost && !call.style.is_portal()) {
    std::string_view name = call.authority;
    if (const std::size_t colon = name.rfind(':'); colon != name.npos) name = name.substr(0, colon);
    constexpr std::string_view kLocal = ".localhost";
    if (name.ends_with(kLocal)) name.remove_suffix(kLocal.size());
    host = addresses_->host_named(name);
    call.style = LinkStyle::with_suffix(call.authority.substr(name.size()));
    call.authority = name;
  }
  if (host == kNoHost) return answer_error(call, 421, "There is no host of this name in this Web.");
  call.host_key = hash64(call.authority);
  call.key = hash64(call.target, call.host_key);
  if (options_.requests_per_second > 0 &&
      !call.memory.admit(call.host_key, options_.requests_per_second, call.moment.monotonic_us)) {
    answer_fault(call, {Fault::kTooMany, 1, 0}, call.key);
    return finish(call);
  }
  if (!host_faults_.empty() && answer_fault(call, host_fault(call.host_key), call.host_key))
    return finish(call);
  answer_resource(call);
  finish(call);
}

void Site::answer_resource(Call& call) const {
  if (call.target == "/robots.txt") return answer_robots(call);
  if (answer_page_at(call, call.target)) return;
  const HostId host = addresses_->host_named(call.authority);
  if (options_.files.sitemaps && call.target.starts_with("/sitemap") && answer_sitemap(call, host)) return;
  if (options_.files.feeds && call.target == kFeedPath) return answer_feed(call, host);
  if (call.target == "/") return answer_first_page(call, host);
  if (call.target.starts_with("/-/") && answer_alias(call)) return;
  std::string_view session;
  if (traps_.has(Trap::kSession, call.host_key) && !call.has_session &&
      Traps::strip_session(call.target, call.scratch.target, session)) {
    call.has_session = true;
    call.session = session;
    call.target = call.scratch.target;
    return answer_resource(call);
  }
  answer_error(call, 404, "There is no page of this name on this host.");
}

void Site::answer_first_page(Call& call, HostId host) const {
  const HostPages pages = addresses_->pages_of(host);
  if (pages.count == 0) return answer_error(call, 404, "This host has no pages.");
  PageUrl& url = call.scratch.url;
  addresses_->url_of(pages.at(0), url);
  redirect(call, 302, url.https(), url.authority(), url.target());
}

bool Site::answer_page_at(Call& call, std::string_view target) const {
  bool https = call.https;
  const PageId page = addresses_->page_at(https, call.authority, target);
  if (page == kNoPage) return false;
  if (https != call.https && !call.style.is_portal()) {
    redirect(call, 301, https, call.authority, target);
    return true;
  }
  PageUrl& url = call.scratch.url;
  url.text.assign(https ? "https://" : "http://").append(call.authority).append(target);
  url.split();
  answer_page(call, page);
  return true;
}

// /-/moved/2/x, /-/loop/1/x, /-/copy/1/x, /-/near/2/x, and the traps.
bool Site::answer_alias(Call& call) const {
  const std::string_view rest = call.target.substr(3);
  const std::size_t slash = rest.find('/');
  const std::string_view kind = rest.substr(0, slash);
  if (slash != rest.npos && slash + 2 < rest.size() && rest[slash + 2] == '/') {
    const char digit = rest[slash + 1];
    const std::string_view target = rest.substr(slash + 2);
    if (kind == "moved" && digit == '0' && !call.moved) {
      call.moved = true;
      call.target = target;
      answer_resource(call);
      return true;
    }
    if ((kind == "moved" && digit >= '1' && digit <= '3') ||
        (kind == "loop" && (digit == '1' || digit == '2'))) {
      const char next = kind == "moved" ? static_cast<char>(digit - 1) : digit == '1' ? '2' : '1';
      redirect(call, digit == '1' ? 302 : 307, call.https, call.authority,
               fmt::format("/-/{}/{}{}", kind, next, target));
      return true;
    }
    if ((kind == "copy" || kind == "near") && (digit == '1' || digit == '2')) {
      call.copy = static_cast<unsigned>(digit - '0');
      call.near_copy = kind == "near";
      return answer_page_at(call, target);
    }
  }
  if (!traps_.any()) return false;
  PageUrl& url = call.scratch.other;
  url.text.assign(call.https ? "https://" : "http://").append(call.authority).append(call.target);
  url.split();
  if (!traps_.append_page(call.host_key, url, call.style, html_.text(), call.answer.body)) return false;
  call.answer.add_field("content-type") = "text/html; charset=utf-8";
  return true;
}

void Site::answer_page(Call& call, PageId page) const {
  call.answer.page = page;
  call.key = draw(page_seed_, page);
  if (born_us(page) > call.moment.web_us) return answer_error(call, 404, "There is no such page yet.");
  if (!page_faults_.empty() && !call.moved && answer_fault(call, page_fault(page), call.key)) return;
  PageView view;
  view.version = changes_.at(page, call.moment.web_us);
  PageVersion bytes = view.version;
  view.links = links_of(call, page, bytes);
  const std::uint64_t redirect_bits = draw(page_seed_ + 1, page);
  if (options_.redirects > 0 && view.links.size() == 1 && to_unit(redirect_bits) < options_.redirects) {
    view.refresh = redirect_bits % 5 == 4;
    if (!view.refresh) {
      constexpr int kStatus[] = {301, 302, 307, 308};
      PageUrl& to = call.scratch.other;
      addresses_->url_of(view.links[0], to);
      return redirect(call, kStatus[redirect_bits % 5], to.https(), to.authority(), to.target());
    }
  }
  if (call.answer.fault == Fault::kRestless) view.visit = call.memory.count_request(call.key + 1);
  add_validators(
      call, bytes,
      mix64(bytes.key ^ html_.page_key(page) ^ (call.style.key() << 8) ^ (call.near_copy ? call.copy : 0)) +
          view.visit);
  if (is_not_modified(call)) {
    call.answer.status = 304;
    return;
  }
  view.page = page;
  view.url = &call.scratch.url;
  view.host_key = call.host_key;
  view.style = &call.style;
  view.near_copy = call.near_copy;
  view.copy = call.near_copy ? call.copy : 0;
  view.feed = options_.files.feeds;
  if (options_.copies > 0 && to_unit(draw(page_seed_ + 2, page)) < options_.copies) view.copies = 2;
  if (options_.near_copies > 0 && to_unit(draw(page_seed_ + 3, page)) < options_.near_copies)
    view.near_copies = 2;
  if (traps_.has(Trap::kSession, call.host_key)) {
    call.fresh_session = traps_.next_session(call.key, call.session);
    view.session = call.fresh_session;
  }
  html_.append(view, call.scratch.other, call.answer.body);
  call.answer.add_field("content-type") = "text/html; charset=utf-8";
}

// Links to pages that do not exist yet are left out. When one appears, the bytes of the page change.
std::span<const PageId> Site::links_of(Call& call, PageId page, PageVersion& version) const {
  const std::span<const PageId> links = web_.graph->out(page, call.scratch.links);
  if (options_.newcomers <= 0) return links;
  std::vector<PageId>& shown = call.scratch.shown;
  shown.clear();
  for (const PageId link : links) {
    const std::int64_t born = born_us(link);
    if (born > call.moment.web_us) continue;
    shown.push_back(link);
    version.since_us = std::max(version.since_us, born);
  }
  version.key += links.size() - shown.size();
  return shown;
}

// Whether they are correct depends on the fault of the page.
void Site::add_validators(Call& call, const PageVersion& version, std::uint64_t tag) const {
  constexpr std::int64_t kYearUs = 365 * 86'400'000'000;
  const Fault fault = call.answer.fault;
  if (fault == Fault::kNoValidators) return;
  const std::int64_t us = fault == Fault::kFutureDate ? call.moment.web_us + kYearUs : version.since_us;
  call.answer.add_field("last-modified") = format_http_date(us / 1'000'000);
  if (fault == Fault::kFutureDate) return;
  fmt::format_to(std::back_inserter(call.answer.add_field("etag")), "{}\"{:016x}\"",
                 fault == Fault::kWeakTag ? "W/" : "", fault == Fault::kStuckTag ? call.key : tag);
}

// RFC 9110, 13.1: If-None-Match takes precedence over If-Modified-Since.
bool Site::is_not_modified(const Call& call) const {
  const auto opaque = [](std::string_view tag) { return tag.starts_with("W/") ? tag.substr(2) : tag; };
  const std::string* const etag = call.answer.field("etag");
  const std::string* const modified = call.answer.field("last-modified");
  if (std::string_view rest = call.request.if_none_match; !rest.empty()) {
    for (auto element = next_element(rest); !element.empty(); element = next_element(rest)) {
      if (element == "*" || (etag != nullptr && opaque(element) == opaque(*etag))) return true;
    }
    return false;
  }
  if (modified == nullptr || call.request.if_modified_since.empty()) return false;
  const UnixTime now = call.moment.web_us / 1'000'000;
  const auto date = parse_http_date(call.request.if_modified_since, now);
  const auto changed = parse_http_date(*modified, now);
  return date && changed && *changed <= *date;
}

}  // namespace bowerbird
