// The service that lists pages, and shows the calendar of a URL.
#include <algorithm>
#include <charconv>
#include <map>

#include "base/ascii.h"
#include "base/units.h"
#include "dash/escape.h"
#include "parse/dates.h"
#include "replay/address.h"
#include "replay/our_page.h"
#include "replay/replay_server.h"

namespace bowerbird {

namespace {

constexpr std::size_t kRowsOnPage = 40;
constexpr std::size_t kReadForList = std::size_t{2} << 20;  // of a page, for its title and robots directives
constexpr std::size_t kMostMoments = 2000;                  // captures listed individually in a calendar
constexpr std::string_view kMonths[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};

// "2026-01-31 12:00"
std::string shown_time(std::int64_t time) {
  const std::string stamp = timestamp_of(time);
  return fmt::format("{} {}:{}", format_iso_date(time), stamp.substr(8, 2), stamp.substr(10, 2));
}

bool holds_ignoring_case(std::string_view text, std::string_view lower) {
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(),
                     [](char a, char b) { return ascii_lower(a) == b; }) != text.end();
}

// Lower case, split at spaces.
std::vector<std::string> search_words(std::string_view query) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : std::string(query) + " ") {
    if (!is_ascii_space(c)) {
      word.push_back(ascii_lower(c));
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

class ListHandler final : public HttpHandler {
 public:
  explicit ListHandler(std::shared_ptr<const ReplayContext> context) : context_(std::move(context)) {}

  void answer(const HttpRequest& request, const Moment& /*moment*/, HttpResponse& response) override {
    response.clear();
    if (!is_own_authority(request.authority, context_->options.host, context_->list_port)) {
      response.status = 421;
      response.body = "This is a list of captured pages. Use the address that the command printed.\n";
      return;
    }
    const std::string list = context_->list_url(request.authority);
    if (request.method != "GET" && request.method != "HEAD")
      return send_message(405, "This list is read-only", "Use GET.", list, response);
    const std::string_view path = request.target.substr(0, request.target.find('?'));
    if (path == "/") return send_list(request, response);
    if (path == "/calendar") return send_calendar(request, response);
    if (path.starts_with("/web/") || path.starts_with("/timemap/")) {
      response.status = 307;
      response.add_field("location") = context_->page_origin(request.authority) + std::string(request.target);
      return;
    }
    send_message(404, "Not found", "There is no such page here.", list, response);
  }

 private:
  std::string header() const {
    return fmt::format("<header><p class=\"brand\"><b>Bowerbird</b> <span>replay of {}</span></p></header>\n",
                       html_escaped(context_->options.name));
  }

  static std::string search_form(std::string_view query) {
    return fmt::format(
        "<form class=\"search\" action=\"/\" method=\"get\" role=\"search\"><input type=\"search\" "
        "name=\"q\" value=\"{}\" "
        "aria-label=\"Search in titles and URLs\" placeholder=\"Search in titles and "
        "URLs\"><button>Search</button></form>\n",
        html_escaped(query));
  }

  void send_list(const HttpRequest& request, HttpResponse& response) const {
    const std::string query = query_parameter(request.target, "q");
    const std::string number = query_parameter(request.target, "page");
    std::size_t page = 1;
    std::from_chars(number.data(), number.data() + number.size(), page);
    page = std::max<std::size_t>(page, 1);
    const std::vector<ArchivedPage>& all = context_->library.pages();
    const std::vector<std::string> words = search_words(query);
    std::size_t matches = 0;
    std::string rows;
    for (const ArchivedPage& row : all) {
      const bool hit = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
        return holds_ignoring_case(row.url, word) || holds_ignoring_case(row.title, word);
      });
      if (!hit) continue;
      if (matches / kRowsOnPage + 1 == page) rows += list_row(request, row);
      ++matches;
    }
    std::string body = header();
    body += fmt::format("<h1 class=\"headline\">{}</h1>\n{}",
                        words.empty() ? plural(all.size(), "page")
                                      : fmt::format("{} of {}", matches, plural(all.size(), "page")),
                        search_form(query));
    body +=
        rows.empty() ? "<p>No page matches.</p>\n" : fmt::format("<ul class=\"captured\">\n{}</ul>\n", rows);
    body += pager(query, page, (matches + kRowsOnPage - 1) / kRowsOnPage);
    send_our_page(200, fmt::format("{} – Bowerbird replay", context_->options.name), body, response);
  }

  // Empty: the page is not listed.
  std::string list_row(const HttpRequest& request, const ArchivedPage& row) const {
    std::string title = row.title;
    bool noarchive = false;
    const auto captures = context_->library.captures(row.url);
    if (captures.ok() && !captures->empty()) {
      const auto loaded =
          context_->library.load_beginning((*captures)[nearest_capture(*captures, row.time)], kReadForList);
      if (loaded.ok()) {
        noarchive = says_noarchive(*loaded);
        if (title.empty()) title = title_of(*loaded);
      }
    }
    if (noarchive && context_->options.respect_noarchive) return {};
    const std::size_t count = captures.ok() ? captures->size() : row.captures;
    const std::string open = context_->page_origin(request.authority) + memento_address(row.time, row.url);
    return fmt::format(
        "<li><span class=\"name\"><a href=\"{}\">{}</a>{}</span><span class=\"url\">{}</span><span "
        "class=\"when\">{}{}</span></li>\n",
        html_escaped(open), html_escaped(title.empty() ? row.url : title),
        noarchive
            ? "<span class=\"mark\" title=\"The page asks not to be shown from archives\">noarchive</span>"
            : "",
        html_escaped(row.url), shown_time(row.time),
        count > 1 ? fmt::format("<br><a href=\"/calendar?url={}\">{}</a>", query_escaped(row.url),
                                plural(count, "capture"))
                  : "");
  }

  static std::string pager(std::string_view query, std::size_t page, std::size_t pages) {
    if (pages < 2) return {};
    const auto link = [&](std::size_t to, std::string_view text) {
      return fmt::format("<a href=\"/?q={}&amp;page={}\">{}</a>\n", query_escaped(query), to, text);
    };
    std::string out = "<nav class=\"pager\" aria-label=\"Pages of the list\">\n";
    if (page > 1) out += link(1, "First") + link(page - 1, "Previous");
    out += fmt::format("<span>{} of {}</span>\n", page, pages);
    if (page < pages) out += link(page + 1, "Next") + link(pages, "Last");
    return out + "</nav>\n";
  }

  void send_calendar(const HttpRequest& request, HttpResponse& response) const {
    const std::string wanted = query_parameter(request.target, "url");
    const std::string list = context_->list_url(request.authority);
    const ReplayAddress address = parse_replay_address("/web/*/" + wanted);
    if (address.kind != ReplayAddress::kCalendar)
      return send_message(404, "Not a URL", "Give a URL, as in /calendar?url=http://example.org/.", list,
                          response);
    const auto captures = context_->library.captures(address.url.text());
    if (!captures.ok())
      return send_message(500, "The archive cannot be read", captures.error().text, list, response);
    if (captures->empty())
      return send_message(404, "Not captured", address.url.text() + " was not captured.", list, response);
    std::string body = header();
    body += fmt::format("<h1 class=\"headline\">{}</h1>\n<p class=\"lead\">{} from {} to {}</p>\n",
                        html_escaped(address.url.text()), plural(captures->size(), "capture"),
                        shown_time(captures->front().entry.time), shown_time(captures->back().entry.time));
    body += months(*captures) + moments(request, *captures);
    body += "<p><a href=\"/\">All captured pages</a></p>\n";
    send_our_page(200, fmt::format("{} – captures", address.url.text()), body, response);
  }

  // The months with captures; their days link to the list below.
  static std::string months(const std::vector<FoundCapture>& captures) {
    std::map<std::string, std::map<unsigned, std::size_t>> counts;  // "2026-01", day, captures
    for (const FoundCapture& capture : captures) {
      const std::string date = format_iso_date(capture.entry.time);
      unsigned day = 0;
      std::from_chars(date.data() + date.size() - 2, date.data() + date.size(), day);
      ++counts[date.substr(0, date.size() - 3)][day];
    }
    std::string out = "<div class=\"months\">\n";
    for (const auto& [month, days] : counts) out += month_table(month, days);
    return out + "</div>\n";
  }

  static std::string month_table(const std::string& name, const std::map<unsigned, std::size_t>& days) {
    unsigned year = 0, month = 1;
    std::from_chars(name.data(), name.data() + name.size() - 3, year);
    std::from_chars(name.data() + name.size() - 2, name.data() + name.size(), month);
    const std::int64_t first = days_from_civil(year, month, 1);
    const std::int64_t next =
        month == 12 ? days_from_civil(year + 1, 1, 1) : days_from_civil(year, month + 1, 1);
    const auto before = static_cast<unsigned>(((first + 3) % 7 + 7) %
                                              7);  // empty cells before the first day; weeks start on Monday
    std::string out = fmt::format(
        "<table><caption>{} "
        "{}</caption><thead><tr><th>M</th><th>T</th><th>W</th><th>T</th><th>F</th><th>S</th><th>S</th></tr>"
        "</thead><tbody><tr>",
        kMonths[(month - 1) % 12], year);
    for (unsigned i = 0; i < before; ++i) out += "<td></td>";
    for (unsigned day = 1; day <= static_cast<unsigned>(next - first); ++day) {
      if (day > 1 && (before + day - 1) % 7 == 0) out += "</tr><tr>";
      const auto found = days.find(day);
      out += found == days.end() ? fmt::format("<td>{}</td>", day)
                                 : fmt::format("<td><a href=\"#d{0}-{1:02}\" title=\"{2}\">{1}</a></td>",
                                               name, day, plural(found->second, "capture"));
    }
    return out + "</tr></tbody></table>\n";
  }

  std::string moments(const HttpRequest& request, const std::vector<FoundCapture>& captures) const {
    std::string out =
        "<section><h2>Captures</h2>\n<div class=\"scroll\"><table class=\"moments\"><thead><tr><th "
        "class=\"words\">Time "
        "(UTC)</th><th class=\"words\">Status</th><th class=\"words\">Type</th></tr></thead><tbody>\n";
    std::string last_date;
    for (std::size_t i = 0; i < captures.size() && i < kMostMoments; ++i) {
      const IndexedCapture& entry = captures[i].entry;
      const std::string date = format_iso_date(entry.time);
      const std::string anchor = date == last_date ? std::string() : fmt::format(" id=\"d{}\"", date);
      last_date = date;
      const std::string stamp = timestamp_of(entry.time);
      out += fmt::format(
          "<tr{}><td><a href=\"{}\">{} {}:{}:{}</a></td><td>{}</td><td>{}</td></tr>\n", anchor,
          html_escaped(context_->page_origin(request.authority) + memento_address(entry.time, entry.url)),
          date, stamp.substr(8, 2), stamp.substr(10, 2), stamp.substr(12, 2),
          entry.status == 0 ? std::string("–") : fmt::format("{}", entry.status),
          entry.revisit ? "unchanged since an earlier capture" : html_escaped(entry.mime));
    }
    return out + "</tbody></table></div></section>\n";
  }

  std::shared_ptr<const ReplayContext> context_;
};

class ListService final : public HttpService {
 public:
  explicit ListService(std::shared_ptr<const ReplayContext> context) : context_(std::move(context)) {}
  std::unique_ptr<HttpHandler> make_handler() override { return std::make_unique<ListHandler>(context_); }

 private:
  std::shared_ptr<const ReplayContext> context_;
};

}  // namespace

std::shared_ptr<HttpService> make_list_service(std::shared_ptr<const ReplayContext> context) {
  return std::make_shared<ListService>(std::move(context));
}

}  // namespace bowerbird
