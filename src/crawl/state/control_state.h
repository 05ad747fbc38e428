// Commands given to the running crawl: pauses, blocks, options, requested pages; and who gave which
// command when.
//
// Part of CrawlState: everything here follows from events (events.h), so a command survives a kill, and a
// paused crawl resumes paused. A rule pauses or blocks everything, a host, or URLs that match a pattern.
// A page that matches the pattern of a rule is *suspended*: it is removed from the frontier, and its score
// and depth are kept here until the rule ends. Requested pages (`fetch`, `retry`) stay here until they are
// handed out or, if they were done before, visited again. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/result.h"
#include "crawl/judge/url_pattern.h"
#include "policy/policy.h"

namespace bowerbird {

// A command: when, by whom, and what.
struct Change {
  std::uint64_t time = 0;  // ms since 1970
  std::string origin;      // "ctl pid 4711"
  std::string command;     // "set"
  std::string text;        // for people
  std::string arguments;   // a JSON object
  auto fields() { return std::tie(time, origin, command, text, arguments); }
};

enum class RuleKind : std::uint8_t { kPause, kBlock };
enum class RuleTarget : std::uint8_t { kEverything, kHost, kPattern };

// A pause or a block begins or ends.
struct RuleChanged {
  Change change;
  std::uint8_t kind = 0;    // a RuleKind
  std::uint8_t target = 0;  // a RuleTarget
  std::string value;        // host or pattern
  bool on = true;
  auto fields() { return std::tie(change, kind, target, value, on); }
};

// An option was set. base: its value at the start of the run.
struct OptionChanged {
  Change change;
  std::string name;
  std::vector<std::string> values;
  std::vector<std::string> base;
  bool kept = true;  // false: the change has ended, because a later command line set the option
  auto fields() { return std::tie(change, name, values, base, kept); }
};

// A command whose effects, if any, are other events.
struct ChangeNoted {
  Change change;
  auto fields() { return std::tie(change); }
};

struct RequestedPage {
  PageId page = 0;
  std::uint8_t outcome = 0;  // an Outcome: the page's last one, if it is done
  auto fields() { return std::tie(page, outcome); }
};

// These pages are to be fetched before all others.
struct PagesRequested {
  std::vector<RequestedPage> pages;
  auto fields() { return std::tie(pages); }
};

// These pages are no longer requested.
struct RequestsDropped {
  std::vector<PageId> pages;
  auto fields() { return std::tie(pages); }
};

// URLs that no page links to enter the frontier, with average importance.
struct PagesEntered {
  std::vector<PageId> pages;
  auto fields() { return std::tie(pages); }
};

// A page in flight matches a paused or blocked pattern.
struct PageSuspended {
  PageId page = 0;
  auto fields() { return std::tie(page); }
};

// Suspended pages return to the frontier.
struct PagesReleased {
  std::vector<PageId> pages;
  auto fields() { return std::tie(pages); }
};

struct ControlRule {
  RuleKind kind = RuleKind::kPause;
  RuleTarget target = RuleTarget::kEverything;
  std::string value;
  std::uint64_t since = 0;  // ms since 1970
  std::optional<UrlPattern> pattern;
};

struct ChangedOption {
  std::vector<std::string> values;
  std::vector<std::string> base;
  Change change;
};

// What release() gives back to the frontier.
struct SuspendedPage {
  Score score = 0;
  std::uint32_t depth = 0;
};

class ControlState {
 public:
  static constexpr std::size_t kMostChanges = 1000;  // kept in memory; all are counted
  static constexpr std::size_t kMostRules = 1000;

  // ---- Rules
  bool is_paused() const { return is_paused_; }
  bool any_pause() const { return pauses_ > 0; }
  std::span<const ControlRule> rules() const { return rules_; }
  const ControlRule* find(RuleKind kind, RuleTarget target, std::string_view value) const;
  // The rule that applies to a host, or a URL; a block takes precedence over a pause. Null: none.
  const ControlRule* of_host(std::string_view host) const;
  const ControlRule* of_url(std::string_view url) const;
  bool has_patterns() const { return patterns_ > 0; }

  // ---- Options, by name
  const std::map<std::string, ChangedOption>& options() const { return options_; }

  // ---- Pages
  // Requested pages with their last outcome, in the order of their ids.
  const std::map<PageId, std::uint8_t>& requested() const { return requested_; }
  const std::map<PageId, SuspendedPage>& suspended() const { return suspended_; }

  // ---- Commands, the latest last
  const std::deque<Change>& changes() const { return changes_; }
  std::uint64_t changes_made() const { return changes_made_; }

  // ---- Events
  void apply(const RuleChanged& event);
  void apply(const OptionChanged& event);
  void apply(const ChangeNoted& event) { note(event.change); }
  void apply(const PagesRequested& event);
  void drop_request(PageId page) { requested_.erase(page); }
  void suspend(PageId page, const SuspendedPage& kept) { suspended_[page] = kept; }
  SuspendedPage release(PageId page);
  static bool is_sound(const RuleChanged& event);

  std::uint64_t bytes() const;
  void save(ByteWriter& out) const;
  Status load(ByteReader& in, PageId pages);

 private:
  void note(const Change& change);
  void recount();

  std::vector<ControlRule> rules_;
  bool is_paused_ = false;
  std::size_t pauses_ = 0;
  std::size_t patterns_ = 0;
  std::map<std::string, ChangedOption> options_;
  std::map<PageId, std::uint8_t> requested_;
  std::map<PageId, SuspendedPage> suspended_;
  std::deque<Change> changes_;
  std::uint64_t changes_made_ = 0;
};

}  // namespace bowerbird
