// The delivery of responses: forms, speeds, and the effect of each fault.
#include <fmt/format.h>

#include "base/hash.h"
#include "base/html_escape.h"
#include "web/site/site_call.h"

namespace bowerbird {

namespace {

std::string_view heading(int status) {
  switch (status) {
    case 403:
      return "Forbidden";
    case 404:
      return "Not found";
    case 405:
      return "Method not allowed";
    case 410:
      return "Gone";
    case 421:
      return "Misdirected request";
    case 429:
      return "Too many requests";
    case 500:
      return "Internal server error";
    case 503:
      return "Service unavailable";
    default:
      return "Moved";
  }
}

void fill_random(std::uint64_t key, std::string& body) {
  Rng rng(key);
  for (char& c : body) c = static_cast<char>(rng.next());
}

// Three of ten periods of ten days.
bool is_away(std::uint64_t key, std::int64_t time_us) {
  constexpr std::int64_t kPeriodUs = 10 * 86'400'000'000;
  return draw(key, static_cast<std::uint64_t>(time_us / kPeriodUs)) % 10 < 3;
}

}  // namespace

void Site::answer_error(Call& call, int status, std::string_view text) const {
  SiteAnswer& answer = call.answer;
  answer.status = status;
  if (status == 204) return;
  answer.add_field("content-type") = "text/html; charset=utf-8";
  answer.body.assign("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
  answer.body.append(heading(status)).append("</title></head>\n<body><h1>").append(heading(status));
  answer.body.append("</h1><p>");
  append_html_escaped(answer.body, text);
  answer.body += "</p></body></html>\n";
}

void Site::redirect(Call& call, int status, bool https, std::string_view authority,
                    std::string_view target) const {
  std::string location;
  call.style.append(https, authority, target, location);
  answer_error(call, status, location);
  call.answer.add_field("location") = std::move(location);
}

bool Site::answer_fault(Call& call, const FaultRule& rule, std::uint64_t key) const {
  if (rule.fault == Fault::kNone) return false;
  if (rule.times > 0 && call.memory.count_request(key) > rule.times) return false;
  call.answer.fault = rule.fault;
  switch (rule.fault) {
    case Fault::kNotFound:
      answer_error(call, 404, "This page is not here.");
      return true;
    case Fault::kGone:
      answer_error(call, 410, "This page was here once.");
      return true;
    case Fault::kForbidden:
      answer_error(call, 403, "This page is not for you.");
      return true;
    case Fault::kError:
      answer_error(call, 500, "Something went wrong.");
      return true;
    case Fault::kUnavailable:
    case Fault::kTooMany:
      answer_error(call, rule.fault == Fault::kTooMany ? 429 : 503, "Come back later.");
      call.answer.add_field("retry-after") = fmt::format("{}", options_.retry_after_s);
      return true;
    case Fault::kMoved:
      if (call.moved) return false;
      redirect(call, key % 2 == 0 ? 301 : 308, call.https, call.authority,
               fmt::format("/-/moved/{}{}", key % 3 + 1, call.target));
      return true;
    case Fault::kLoop:
      redirect(call, 302, call.https, call.authority, fmt::format("/-/loop/1{}", call.target));
      return true;
    case Fault::kUnaskedNotModified:
      call.answer.status = 304;
      return true;
    case Fault::kVanishing:
      if (!is_away(key, call.moment.web_us)) return false;
      answer_error(call, key % 2 == 0 ? 404 : 410, "This page is away. It may return.");
      return true;
    default:
      return false;  // affects the delivery, or the page itself
  }
}

void Site::finish(Call& call) const {
  SiteAnswer& answer = call.answer;
  Delivery& delivery = answer.delivery;
  delivery.latency_us = latency_us(call.host_key);
  delivery.bytes_per_second = bytes_per_second(call.host_key);
  const std::uint64_t form = mix64(call.key ^ 0x666f726du);
  if (!answer.body.empty()) {
    if (options_.chunked > 0 && to_unit(form) < options_.chunked) delivery.framing = BodyFraming::kChunked;
    if (!options_.codings.empty() && answer.fault != Fault::kBadCoding) {
      answer.add_field("vary") = "accept-encoding";
      const Coding coding = (options_.codings & call.request.codings).pick(mix64(form));
      if (coding != Coding::kIdentity) {
        call.scratch.encoder.encode(coding, answer.body);
        answer.add_field("content-encoding") = coding_name(coding);
      }
    }
  }
  if (answer.fault != Fault::kNone) spoil(answer, call.key, call.scratch.encoder);
}

void Site::spoil(SiteAnswer& answer, std::uint64_t key, BodyEncoder& encoder) const {
  Delivery& delivery = answer.delivery;
  const std::size_t half = answer.body.size() / 2;
  const auto without_answer = [&](Ending ending) {
    delivery.bare = true;
    delivery.ending = ending;
    answer.body.clear();
  };
  switch (answer.fault) {
    case Fault::kTruncated:
      delivery.cut = half;
      delivery.ending = Ending::kClose;
      break;
    case Fault::kOverlong:
      delivery.framing = BodyFraming::kLength;
      delivery.claimed = half;
      delivery.ending = Ending::kClose;
      break;
    case Fault::kReset:
      delivery.cut = half;
      delivery.ending = Ending::kReset;
      break;
    case Fault::kDropped:
      without_answer(Ending::kReset);
      break;
    case Fault::kEmpty:
      without_answer(Ending::kClose);
      break;
    case Fault::kStall:
      without_answer(Ending::kStall);
      break;
    case Fault::kHang:
      delivery.cut = half;
      delivery.ending = Ending::kStall;
      break;
    case Fault::kDrip:
      delivery.bytes_per_second = options_.drip_bytes_per_second;
      break;
    case Fault::kGarbage:
      delivery.bare = true;
      delivery.ending = Ending::kClose;
      answer.body.resize(256);
      fill_random(key, answer.body);
      answer.body[0] = '\x80';  // never the beginning of a valid response
      break;
    case Fault::kBadChunk:
      delivery.framing = BodyFraming::kChunked;
      delivery.bad_chunk = true;
      delivery.ending = Ending::kClose;
      break;
    case Fault::kBadCoding:
      encoder.encode(Coding::kGzip, answer.body);
      for (std::size_t i = answer.body.size() / 2; i < answer.body.size(); ++i) answer.body[i] ^= '\x55';
      answer.add_field("content-encoding") = "gzip";
      break;
    case Fault::kNoLength:
      delivery.framing = BodyFraming::kUntilClose;
      delivery.ending = Ending::kClose;
      break;
    case Fault::kEndless:
      delivery.framing = BodyFraming::kChunked;
      delivery.ending = Ending::kRepeat;
      break;
    case Fault::kHugeHead:
      for (int i = 0; i < 64; ++i) answer.add_field("x-padding").assign(8000, 'x');
      break;
    case Fault::kBinary:
      fill_random(key, answer.body);
      break;
    default:
      break;  // has answered already
  }
}

SiteOptions hostile(SiteOptions options) {
  const auto faults = [](std::string_view text) { return std::move(parse_faults(text)).value(); };
  options.page_faults = faults(
      "not-found=2%,gone=0.5%,forbidden=0.5%,error=1%,unavailable=2%,too-many=1%,moved=2%,loop=0.5%,"
      "truncated=0.5%,"
      "overlong=0.5%,reset:1=1%,reset=0.5%,dropped:1=1%,empty=0.5%,stall=0.2%,hang=0.2%,drip=0.5%,garbage=0."
      "5%,"
      "bad-chunk=0.5%,bad-coding=0.5%,no-length=1%,endless=0.2%,huge-head=0.2%,binary=1%,"
      "vanishing=0.5%,restless=1%,no-validators=1%,weak-etag=1%,stuck-etag=0.5%,future-date=0.5%,"
      "unasked-304=0.5%");
  options.host_faults = faults("dropped=1%,stall=0.5%,unavailable=1%,error=1%");
  options.robots_faults =
      faults("not-found=20%,error=2%,forbidden=2%,moved=2%,stall=0.5%,binary=1%,endless=0.5%");
  options.bad_certificates = 0.02;
  options.redirects = 0.5;
  options.traps = {0.1, 0.1, 0.1, 0.1};
  options.copies = 0.05;
  options.near_copies = 0.05;
  options.requests_per_second = 20;
  options.latency_ms = 20;
  options.bytes_per_second = 1'000'000;
  options.chunked = 0.5;
  for (const Coding coding : {Coding::kGzip, Coding::kDeflate, Coding::kBrotli, Coding::kZstd}) {
    options.codings.add(coding);
  }
  options.changes_per_day = 1;
  options.files.disallow = 0.2;
  options.files.crawl_delay_s = 0;
  options.files.sitemaps = true;
  options.files.feeds = true;
  options.files.false_dates = 0.2;
  return options;
}

}  // namespace bowerbird
