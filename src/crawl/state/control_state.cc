#include "crawl/state/control_state.h"

#include <algorithm>
#include <cmath>

namespace bowerbird {

namespace {

void put_string_array(ByteWriter& out, const std::string& text) {
  out.put_array(std::span<const char>(text.data(), text.size()));
}

std::string get_string_array(ByteReader& in) {
  std::vector<char> chars;
  in.get_array(chars);
  return {chars.begin(), chars.end()};
}

void put_strings(ByteWriter& out, const std::vector<std::string>& texts) {
  out.put<std::uint64_t>(texts.size());
  for (const std::string& text : texts) put_string_array(out, text);
}

std::vector<std::string> get_strings(ByteReader& in) {
  std::vector<std::string> texts;
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count)
    texts.push_back(get_string_array(in));
  return texts;
}

void put_change(ByteWriter& out, const Change& change) {
  out.put(change.time);
  for (const std::string* const text : {&change.origin, &change.command, &change.text, &change.arguments})
    put_string_array(out, *text);
}

Change get_change(ByteReader& in) {
  Change change;
  in.get(change.time);
  for (std::string* const text : {&change.origin, &change.command, &change.text, &change.arguments})
    *text = get_string_array(in);
  return change;
}

}  // namespace

// ---- Rules

const ControlRule* ControlState::find(RuleKind kind, RuleTarget target, std::string_view value) const {
  const auto found = std::ranges::find_if(rules_, [&](const ControlRule& rule) {
    return rule.kind == kind && rule.target == target && rule.value == value;
  });
  return found == rules_.end() ? nullptr : &*found;
}

const ControlRule* ControlState::of_host(std::string_view host) const {
  if (const ControlRule* const block = find(RuleKind::kBlock, RuleTarget::kHost, host)) return block;
  return find(RuleKind::kPause, RuleTarget::kHost, host);
}

const ControlRule* ControlState::of_url(std::string_view url) const {
  const ControlRule* pause = nullptr;
  for (const ControlRule& rule : rules_) {
    if (!rule.pattern || !rule.pattern->found_in(url)) continue;
    if (rule.kind == RuleKind::kBlock) return &rule;
    pause = &rule;
  }
  return pause;
}

bool ControlState::is_sound(const RuleChanged& event) {
  if (event.kind > static_cast<std::uint8_t>(RuleKind::kBlock)) return false;
  if (event.target > static_cast<std::uint8_t>(RuleTarget::kPattern)) return false;
  const bool everything = event.target == static_cast<std::uint8_t>(RuleTarget::kEverything);
  return everything == event.value.empty() &&
         (!everything || event.kind == static_cast<std::uint8_t>(RuleKind::kPause));
}

// A pattern that cannot be compiled (in a forged journal) matches nothing.
void ControlState::apply(const RuleChanged& event) {
  note(event.change);
  const auto kind = static_cast<RuleKind>(event.kind);
  const auto target = static_cast<RuleTarget>(event.target);
  const ControlRule* const known = find(kind, target, event.value);
  if (!event.on && known != nullptr) {
    rules_.erase(rules_.begin() + (known - rules_.data()));
  } else if (event.on && known == nullptr && rules_.size() < kMostRules) {
    ControlRule rule{kind, target, event.value, event.change.time, {}};
    if (target == RuleTarget::kPattern) {
      if (auto pattern = UrlPattern::make(event.value); pattern.ok()) rule.pattern = std::move(*pattern);
    }
    rules_.push_back(std::move(rule));
  }
  recount();
}

void ControlState::recount() {
  is_paused_ = find(RuleKind::kPause, RuleTarget::kEverything, "") != nullptr;
  const auto is_pause = [](const ControlRule& rule) { return rule.kind == RuleKind::kPause; };
  const auto has_pattern = [](const ControlRule& rule) { return rule.pattern.has_value(); };
  pauses_ = static_cast<std::size_t>(std::ranges::count_if(rules_, is_pause));
  patterns_ = static_cast<std::size_t>(std::ranges::count_if(rules_, has_pattern));
}

// ---- Options and pages

void ControlState::apply(const OptionChanged& event) {
  note(event.change);
  if (!event.kept) {
    options_.erase(event.name);
    return;
  }
  const auto [found, fresh] = options_.try_emplace(event.name);
  if (fresh) found->second.base = event.base;
  found->second.values = event.values;
  found->second.change = event.change;
}

void ControlState::apply(const PagesRequested& event) {
  for (const RequestedPage& page : event.pages) requested_[page.page] = page.outcome;
}

SuspendedPage ControlState::release(PageId page) {
  const auto found = suspended_.find(page);
  const SuspendedPage kept = found->second;
  suspended_.erase(found);
  return kept;
}

void ControlState::note(const Change& change) {
  ++changes_made_;
  changes_.push_back(change);
  if (changes_.size() > kMostChanges) changes_.pop_front();
}

// ---- Snapshot

std::uint64_t ControlState::bytes() const {
  constexpr std::uint64_t kNode = 48;  // approximate size of a map node
  return suspended_.size() * (kNode + sizeof(SuspendedPage)) + requested_.size() * kNode +
         changes_.size() * sizeof(Change);
}

void ControlState::save(ByteWriter& out) const {
  out.put<std::uint64_t>(rules_.size());
  for (const ControlRule& rule : rules_) {
    out.put(static_cast<std::uint8_t>(rule.kind));
    out.put(static_cast<std::uint8_t>(rule.target));
    put_string_array(out, rule.value);
    out.put(rule.since);
  }
  out.put<std::uint64_t>(options_.size());
  for (const auto& [name, option] : options_) {
    put_string_array(out, name);
    put_strings(out, option.values);
    put_strings(out, option.base);
    put_change(out, option.change);
  }
  out.put<std::uint64_t>(requested_.size());
  for (const auto& [page, outcome] : requested_) {
    out.put(page);
    out.put(outcome);
  }
  out.put<std::uint64_t>(suspended_.size());
  for (const auto& [page, kept] : suspended_) {
    out.put(page);
    out.put(kept.score);
    out.put(kept.depth);
  }
  out.put(changes_made_);
  out.put<std::uint64_t>(changes_.size());
  for (const Change& change : changes_) put_change(out, change);
}

Status ControlState::load(ByteReader& in, PageId pages) {
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    RuleChanged event;
    in.get(event.kind);
    in.get(event.target);
    event.value = get_string_array(in);
    in.get(event.change.time);
    if (!is_sound(event)) return error("the snapshot is damaged: its pause and block rules are invalid");
    apply(event);
  }
  changes_.clear();
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    ChangedOption& option = options_[get_string_array(in)];
    option.values = get_strings(in);
    option.base = get_strings(in);
    option.change = get_change(in);
  }
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const auto page = in.get<PageId>();
    requested_[page] = in.get<std::uint8_t>();
    if (page >= pages) in.reject();
  }
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const auto page = in.get<PageId>();
    SuspendedPage& kept = suspended_[page];
    in.get(kept.score);
    in.get(kept.depth);
    if (page >= pages || !std::isfinite(kept.score)) in.reject();
  }
  in.get(changes_made_);
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count)
    changes_.push_back(get_change(in));
  if (!in.ok() || changes_.size() > kMostChanges)
    return error("the snapshot is damaged: what was changed cannot be read");
  return {};
}

}  // namespace bowerbird
