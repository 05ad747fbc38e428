// The service that shows captured pages.
#include <algorithm>
#include <charconv>

#include "archive/captured_body.h"
#include "base/ascii.h"
#include "dash/escape.h"
#include "parse/dates.h"
#include "parse/http_head.h"
#include "replay/address.h"
#include "replay/memento.h"
#include "replay/our_page.h"
#include "replay/replay_server.h"
#include "replay/rewritten.h"
#include "sys/clock.h"

namespace bowerbird {

namespace {

constexpr std::size_t kSentFromMemory = std::size_t{1} << 20;  // larger bodies are streamed
constexpr std::size_t kStreamPiece = std::size_t{256} << 10;

// Streams a body that was not read completely.
class CaptureStream final : public BodyStream {
 public:
  // begun: bytes that precede the rest of the body.
  CaptureStream(std::unique_ptr<CapturedBody> body, std::string begun)
      : body_(std::move(body)), begun_(std::move(begun)) {}

  bool read(std::int64_t /*monotonic_us*/, std::string& out) override {
    if (!begun_.empty()) {
      out.swap(begun_);
      begun_ = {};
      return true;
    }
    const std::size_t before = out.size();
    failed_ = !body_->append(out, kStreamPiece).ok();
    return !failed_ && out.size() > before;
  }
  bool failed() const override { return failed_; }
  std::int64_t next_us() const override { return 0; }

 private:
  std::unique_ptr<CapturedBody> body_;
  std::string begun_;
  bool failed_ = false;
};

// "bytes=5-9" for a body of `size` bytes. False: not a single valid range.
bool parse_byte_range(std::string_view value, std::uint64_t size, std::uint64_t& begin, std::uint64_t& end) {
  constexpr std::string_view kUnit = "bytes=";
  if (!value.starts_with(kUnit) || size == 0) return false;
  value.remove_prefix(kUnit.size());
  const std::size_t dash = value.find('-');
  if (dash == std::string_view::npos) return false;
  const auto number = [](std::string_view text, std::uint64_t& to) {
    const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), to);
    return fault == std::errc() && stop == text.data() + text.size();
  };
  const std::string_view first = value.substr(0, dash), last = value.substr(dash + 1);
  std::uint64_t from = 0, to = size - 1;
  if (first.empty()) {
    if (!number(last, from)) return false;
    from = size - std::min(from, size);
  } else if (!number(first, from) || (!last.empty() && !number(last, to))) {
    return false;
  }
  if (from >= size || to < from) return false;
  begin = from;
  end = std::min(to, size - 1) + 1;
  return true;
}

class PageHandler final : public HttpHandler {
 public:
  explicit PageHandler(std::shared_ptr<const ReplayContext> context) : context_(std::move(context)) {}

  void answer(const HttpRequest& request, const Moment& /*moment*/, HttpResponse& response) override {
    response.clear();
    if (!is_own_authority(request.authority, context_->options.host, context_->page_port)) {
      response.status = 421;
      response.body = "This is a replay of captured pages. Use the address that the command printed.\n";
      return;
    }
    if (request.method != "GET" && request.method != "HEAD") {
      return message(request, 405, "This is a copy", "Captured pages are read-only.", response);
    }
    const ReplayAddress address = parse_replay_address(request.target);
    if (address.kind == ReplayAddress::kNone)
      return message(request, 404, "Not a captured page", "The address does not name a captured URL.",
                     response);
    if (address.kind == ReplayAddress::kCalendar)
      return redirect(fmt::format("{}calendar?url={}", context_->list_url(request.authority),
                                  query_escaped(address.url.text())),
                      response);
    const auto captures = context_->library.captures(address.url.text());
    if (!captures.ok())
      return message(request, 500, "The archive cannot be read", captures.error().text, response);
    if (captures->empty())
      return message(request, 404, "Not captured", address.url.text() + " was not captured.", response);
    switch (address.kind) {
      case ReplayAddress::kMap:
        return send_time_map(request, address, *captures, response);
      case ReplayAddress::kGate:
        return send_gate(request, address, *captures, response);
      default:
        return send_capture(request, address, *captures, response);
    }
  }

 private:
  void message(const HttpRequest& request, int status, std::string_view headline, std::string_view sentence,
               HttpResponse& response) const {
    send_message(status, headline, sentence, context_->list_url(request.authority), response);
  }

  static void redirect(std::string location, HttpResponse& response) {
    response.clear();
    response.status = 302;
    response.add_field("location") = std::move(location);
    response.add_field("cache-control") = "no-store";
  }

  void send_time_map(const HttpRequest& request, const ReplayAddress& address,
                     const std::vector<FoundCapture>& captures, HttpResponse& response) const {
    response.add_field("content-type") = "application/link-format";
    response.add_field("x-content-type-options") = "nosniff";
    response.body = time_map(captures, address.url.text(), context_->page_origin(request.authority));
  }

  // RFC 7089, section 4.1: redirects to the capture nearest to Accept-Datetime, or to the last one
  // without it.
  void send_gate(const HttpRequest& request, const ReplayAddress& address,
                 const std::vector<FoundCapture>& captures, HttpResponse& response) const {
    std::size_t chosen = captures.size() - 1;
    const std::string_view wanted = request.field("accept-datetime");
    if (!wanted.empty()) {
      const auto time = parse_http_date(wanted, WallClock().now_us() / 1'000'000);
      if (!time)
        return message(request, 400, "Accept-Datetime cannot be read",
                       "It must be a date such as Thu, 31 May 2007 20:35:00 GMT.", response);
      chosen = nearest_capture(captures, *time);
    }
    const std::string origin = context_->page_origin(request.authority);
    redirect(origin + memento_address(captures[chosen].entry.time, captures[chosen].entry.url), response);
    response.add_field("vary") = "accept-datetime";
    response.add_field("link") = memento_links(captures, captures.size(), address.url.text(), origin);
  }

  void send_capture(const HttpRequest& request, const ReplayAddress& address,
                    const std::vector<FoundCapture>& captures, HttpResponse& response) const {
    const std::size_t at = nearest_capture(captures, address.time);
    const FoundCapture& capture = captures[at];
    auto opened = context_->library.open_body(capture);
    if (!opened.ok())
      return message(request, 502, "This capture cannot be read", opened.error().text, response);
    ArchivedResponse loaded;
    if (const Status read = read_to_rewrite(**opened, kSentFromMemory + 1, loaded); !read.ok())
      return message(request, 502, "This capture cannot be read", read.error().text, response);
    if (context_->options.respect_noarchive && says_noarchive(loaded))
      return message(request, 404, "Omitted",
                     capture.entry.url + " asks not to be shown from archives (noarchive).", response);
    Url url;
    if (parse_url(capture.entry.url, nullptr, url) != UrlFault::kNone)
      return message(request, 502, "This capture cannot be read", "Its URL is invalid.", response);
    const std::int64_t time = capture.entry.time;
    const UrlMapper map = [time](const Url& target, UrlUse /*use*/) {
      return memento_address(time, target.text());
    };
    const RewriteContext rewriting{&url, &map};
    const std::string& head = loaded.head;
    const unsigned status = loaded.status;
    const std::string title = title_of(loaded);
    RewrittenBody body = rewritten_body(loaded, url, map);
    // The address of a page must show the time of its capture.
    if (body.changed && body.type != "text/css" && address.timestamp != timestamp_of(time))
      return redirect(memento_address(time, capture.entry.url), response);
    if (needs_frame(request, body))
      return send_frame(request, title, memento_address(time, capture.entry.url), response);
    response.status =
        status >= 200 && status <= 599 && status != 304 && status != 206 ? static_cast<int>(status) : 200;
    if (!body.content_type.empty()) response.add_field("content-type") = safe_value(body.content_type);
    add_location(head, rewriting, response);
    add_protection(request, body, response);
    response.add_field("memento-datetime") = format_http_date(time);
    response.add_field("link") =
        memento_links(captures, at, capture.entry.url, context_->page_origin(request.authority));
    if (says_nosniff(head)) response.add_field("x-content-type-options") = "nosniff";
    if (!body.changed && body.body.size() > kSentFromMemory)
      return send_stream(request, std::move(*opened), capture, std::move(body.body), response);
    send_body(request, std::move(body), response);
  }

  // A page with scripts could navigate the browser elsewhere. In a frame it cannot: the policy of the
  // surrounding page restricts the frame.
  bool needs_frame(const HttpRequest& request, const RewrittenBody& body) const {
    const std::string_view use = request.field("sec-fetch-dest");
    return context_->options.scripts && body.changed && body.type != "text/css" &&
           (use.empty() || use == "document");
  }

  void send_frame(const HttpRequest& request, std::string_view title, std::string_view address,
                  HttpResponse& response) const {
    response.add_field("content-type") = "text/html; charset=utf-8";
    response.add_field("content-security-policy") = fmt::format(
        "default-src 'none'; style-src 'unsafe-inline'; frame-src {}; form-action 'none'; base-uri 'none'",
        context_->page_source(request.authority));
    response.add_field("cache-control") = "no-store";
    response.add_field("vary") = "sec-fetch-dest";
    response.body = fmt::format(
        "<!doctype html><meta "
        "charset=utf-8><title>{}</title><style>html,body,iframe{{display:block;margin:0;border:0;"
        "width:100%;height:100%}}body{{overflow:hidden}}</style><iframe src=\"{}\" "
        "sandbox=\"allow-scripts\"></iframe>",
        html_escaped(title), html_escaped(address));
  }

  static std::string safe_value(std::string_view value) {
    std::string out;
    for (const char c : value) {
      if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) out.push_back(c);
    }
    return out;
  }

  static void add_location(std::string_view head, const RewriteContext& rewriting, HttpResponse& response) {
    const std::string_view location = head_field(head, "Location");
    if (!location.empty() && response.status >= 300 && response.status < 400)
      response.add_field("location") =
          safe_value(rewrite_reference(reference_in_field(location), UrlUse::kPage, rewriting));
    const std::string_view refresh = head_field(head, "Refresh");
    if (!refresh.empty())
      response.add_field("refresh") = safe_value(rewrite_refresh(reference_in_field(refresh), rewriting));
    const std::string_view language = head_field(head, "Content-Language");
    if (!language.empty()) response.add_field("content-language") = safe_value(language);
  }

  // Whatever the capture contains, it has its own origin, runs no script, and loads nothing from
  // elsewhere.
  void add_protection(const HttpRequest& request, const RewrittenBody& body, HttpResponse& response) const {
    const std::string source = context_->page_source(request.authority);
    const bool pdf = body.type == "application/pdf";  // browsers' PDF viewers do not work in a sandbox
    std::string policy =
        fmt::format("default-src {0} data: blob:; style-src {0} data: blob: 'unsafe-inline'; ", source);
    policy += context_->options.scripts ? fmt::format(
                                              "script-src {0} data: blob: 'unsafe-inline' 'unsafe-eval'; "
                                              "worker-src 'none'; webrtc 'block'; ",
                                              source)
                                        : "script-src 'none'; ";
    policy += "form-action 'none'; base-uri 'none'";
    if (!pdf)
      policy += context_->options.scripts ? "; sandbox allow-scripts"
                                          : "; sandbox allow-popups allow-top-navigation-by-user-activation";
    response.add_field("content-security-policy") = std::move(policy);
    if (pdf) response.add_field("x-content-type-options") = "nosniff";
    response.add_field("x-dns-prefetch-control") = "off";
    response.add_field("cache-control") = "no-store";
    response.add_field("referrer-policy") = "strict-origin-when-cross-origin";
    // Sandboxed pages have no origin, so their fonts count as cross-origin. Only requests from our own
    // pages may read them; browsers do not let pages forge Referer.
    if (request.field("referer").starts_with(context_->page_origin(request.authority) + "/"))
      response.add_field("access-control-allow-origin") = "*";
  }

  static void send_body(const HttpRequest& request, RewrittenBody body, HttpResponse& response) {
    std::uint64_t begin = 0, end = 0;
    if (!body.changed && response.status == 200) {
      response.add_field("accept-ranges") = "bytes";
      if (parse_byte_range(request.field("range"), body.body.size(), begin, end)) {
        response.status = 206;
        response.add_field("content-range") = fmt::format("bytes {}-{}/{}", begin, end - 1, body.body.size());
        response.body = body.body.substr(begin, end - begin);
        return;
      }
    }
    response.body = std::move(body.body);
  }

  // Serves ranges if the size is known: the body is opened again and read up to the start of the range.
  void send_stream(const HttpRequest& request, std::unique_ptr<CapturedBody> body,
                   const FoundCapture& capture, std::string begun, HttpResponse& response) const {
    response.stream_size = body->length();
    std::uint64_t begin = 0, end = 0;
    if (response.status == 200 && response.stream_size) {
      response.add_field("accept-ranges") = "bytes";
      if (parse_byte_range(request.field("range"), *response.stream_size, begin, end)) {
        auto again = context_->library.open_body(capture);
        if (!again.ok() || !(*again)->skip(begin).ok()) {
          response.clear();
          return message(request, 502, "This capture cannot be read",
                         "The bytes of the requested range could not be read.", response);
        }
        response.status = 206;
        response.add_field("content-range") =
            fmt::format("bytes {}-{}/{}", begin, end - 1, *response.stream_size);
        response.stream_size = end - begin;
        body = std::move(*again);
        begun.clear();
      }
    }
    response.stream = std::make_shared<CaptureStream>(std::move(body), std::move(begun));
  }

  std::shared_ptr<const ReplayContext> context_;
};

class PageService final : public HttpService {
 public:
  explicit PageService(std::shared_ptr<const ReplayContext> context) : context_(std::move(context)) {}
  std::unique_ptr<HttpHandler> make_handler() override { return std::make_unique<PageHandler>(context_); }

 private:
  std::shared_ptr<const ReplayContext> context_;
};

}  // namespace

std::shared_ptr<HttpService> make_page_service(std::shared_ptr<const ReplayContext> context) {
  return std::make_shared<PageService>(std::move(context));
}

}  // namespace bowerbird
