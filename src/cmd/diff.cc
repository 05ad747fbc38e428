// `bowerbird diff`: what changed between two captures of a page.
#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "archive/captures.h"
#include "cmd/commands.h"
#include "cmd/terminal.h"
#include "crawl/config/seeds.h"
#include "export/document.h"
#include "export/text_diff.h"
#include "parse/dates.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "show what changed on a page",
    "Compares the text, not the markup, of two captures of URL in the crawl of DIR: the last capture, and "
    "the last one before it that differs. --from and --to choose captures by time. Removed lines begin with "
    "-, added lines with +.\n"
    "\n"
    "The exit status is 0 whether or not they differ; it is 1 if there are not two captures.",
    "# what did the last visits find?\nbowerbird diff mycrawl https://example.org/\n# compared with the "
    "beginning of the year\nbowerbird diff mycrawl https://example.org/ --from 2026-01-01\n"};

struct DiffCommand {
  std::string folder;
  std::string url;
  std::string from, to;
};

struct PageCapture {
  std::int64_t time_us = 0;
  std::string digest;
  RecordAddress record;
  std::optional<RecordAddress> payload;  // the record with its body, if that is in this archive
};

Result<std::int64_t> parse_time_us(std::string_view text) {
  const auto date = parse_w3c_date(text);
  if (!date) return error("'{}' is not a date such as 2026-01-31 or 2026-01-31T12:00:00Z", printable(text));
  return *date * 1'000'000;
}

// A revisit has the body of an earlier capture, which may be one of another page.
Status find_payloads(CaptureSource& source, std::vector<PageCapture>& captures) {
  std::map<std::string, std::optional<RecordAddress>, std::less<>> payloads;
  for (const PageCapture& capture : captures) {
    if (!capture.payload) payloads[capture.digest];
  }
  if (payloads.empty()) return {};
  BB_TRY_VOID(source.for_each(
      [&](const Capture& capture) -> Status {
        const auto wanted = capture.revisit ? payloads.end() : payloads.find(capture.digest);
        if (wanted != payloads.end())
          wanted->second = RecordAddress{source.files()[capture.file].path, capture.offset};
        return {};
      },
      {}));
  for (PageCapture& capture : captures) {
    if (!capture.payload) capture.payload = payloads[capture.digest];
  }
  return {};
}

// Oldest first.
Result<std::vector<PageCapture>> captures_of(const DiffCommand& command) {
  BB_TRY(const std::unique_ptr<CaptureSource> source, open_captures({command.folder}));
  std::vector<PageCapture> captures;
  BB_TRY_VOID(source->for_each(
      [&](const Capture& capture) -> Status {
        if (capture.url != command.url || capture.status / 100 != 2) return {};
        const RecordAddress record{source->files()[capture.file].path, capture.offset};
        captures.push_back({capture.time_us, std::string(capture.digest), record, {}});
        if (!capture.revisit) captures.back().payload = record;
        return {};
      },
      {}));
  BB_TRY_VOID(find_payloads(*source, captures));
  std::stable_sort(captures.begin(), captures.end(),
                   [](const PageCapture& a, const PageCapture& b) { return a.time_us < b.time_us; });
  return captures;
}

Result<std::string> text_of(const PageCapture& capture) {
  if (!capture.payload) return error("the body of the capture is in another archive (--dedup)");
  Document document;
  BB_TRY(const Document::Outcome outcome, document.read(capture.record, *capture.payload));
  if (outcome != Document::Outcome::kRead) return error("the capture is not an HTML page that can be read");
  return document.all_text();
}

const PageCapture* last_until(const std::vector<PageCapture>& captures, std::int64_t time_us) {
  const PageCapture* found = nullptr;
  for (const PageCapture& capture : captures) {
    if (capture.time_us <= time_us) found = &capture;
  }
  return found;
}

struct Pair {
  const PageCapture* before = nullptr;
  const PageCapture* after = nullptr;
};

Result<Pair> choose(const DiffCommand& command, const std::vector<PageCapture>& captures) {
  if (captures.empty()) return error("{}: no capture of this page is stored", command.url);
  Pair pair;
  pair.after = &captures.back();
  if (!command.to.empty()) {
    BB_TRY(const std::int64_t to, parse_time_us(command.to));
    pair.after = last_until(captures, to);
    if (pair.after == nullptr) return error("{}: no capture is as old as {}", command.url, command.to);
  }
  if (!command.from.empty()) {
    BB_TRY(const std::int64_t from, parse_time_us(command.from));
    pair.before = last_until(captures, from);
    if (pair.before == nullptr) return error("{}: no capture is as old as {}", command.url, command.from);
    return pair;
  }
  if (pair.after == &captures.front()) {
    return error("{}: there is {}, so there is nothing to compare it with", command.url,
                 captures.size() == 1 ? "only one capture" : "no older capture");
  }
  pair.before = &captures.front();  // if none differs
  for (const PageCapture* one = &captures.front(); one != pair.after; ++one) {
    if (one->digest != pair.after->digest) pair.before = one;
  }
  return pair;
}

std::string time_of(const PageCapture& capture) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(static_cast<std::time_t>(capture.time_us / 1'000'000)));
}

void print_diff(const Pair& pair, const std::vector<DiffLine>& lines, bool json) {
  if (json) {
    nlohmann::json removed = nlohmann::json::array(), added = nlohmann::json::array();
    for (const DiffLine& line : lines) {
      if (line.kind == DiffKind::kRemoved) removed.push_back(line.text);
      if (line.kind == DiffKind::kAdded) added.push_back(line.text);
    }
    const nlohmann::json all = {{"from", time_of(*pair.before)},
                                {"to", time_of(*pair.after)},
                                {"removed", removed},
                                {"added", added}};
    print_json_line(all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return;
  }
  fmt::print("--- {}\n+++ {}\n", time_of(*pair.before), time_of(*pair.after));
  bool any = false;
  for (const DiffLine& line : lines) {
    if (line.kind == DiffKind::kSame) continue;
    any = true;
    fmt::print("{}{}\n", static_cast<char>(line.kind), printable(line.text));
  }
  if (any) return;
  fmt::print("{}\n", pair.before->digest == pair.after->digest
                         ? "the page is the same"
                         : "the text is the same; only the markup differs");
}

Status show_diff(DiffCommand& command, const CommonOptions& common) {
  const auto canonical = canonical_seed(command.url);
  if (!canonical.ok()) refuse(canonical.error().text);
  command.url = *canonical;
  BB_TRY(const std::vector<PageCapture> captures, captures_of(command));
  BB_TRY(const Pair pair, choose(command, captures));
  BB_TRY(const std::string before, text_of(*pair.before));
  BB_TRY(const std::string after, text_of(*pair.after));
  print_diff(pair, diff_lines(before, after), common.json);
  return {};
}

}  // namespace

void add_diff(App& app) {
  auto diff = std::make_shared<DiffCommand>();
  CLI::App& command = app.add_command(
      app.root(), "diff", kText, [diff](const CommonOptions& common) { return show_diff(*diff, common); });
  command.add_option("DIR", diff->folder, "The folder of a crawl")->required();
  command.add_option("URL", diff->url, "The page")->required();
  command.add_option("--from", diff->from, "Compare with the last capture made at this date or before")
      ->type_name("TIME")
      ->check(parsed_by(parse_time_us));
  command
      .add_option("--to", diff->to,
                  "Use the last capture made at this date or before, instead of the last one")
      ->type_name("TIME")
      ->check(parsed_by(parse_time_us));
}

}  // namespace bowerbird
