#include "parse/robots.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "parse/robots_pattern.h"

namespace bowerbird {

namespace {

// The eight bytes after the '/' at the front, as a number with the same order; zeros if there are fewer (no
// pattern or target contains a zero byte).
std::uint64_t rule_key(std::string_view text) {
  std::uint64_t key = 0;
  if (text.size() >= 9) {
    std::memcpy(&key, text.data() + 1, 8);
  } else {
    std::memcpy(&key, text.data() + 1, text.size() - 1);
  }
  return std::endian::native == std::endian::little ? __builtin_bswap64(key) : key;
}

bool names(const RobotsGroup& group, std::string_view token) {
  return std::any_of(group.agents.begin(), group.agents.end(),
                     [&](const RobotsAgent& agent) { return equals_ignoring_case(agent.token, token); });
}

// The longest Crawl-delay of the group for this token, or -1.
float delay_for(const RobotsGroup& group, std::string_view token) {
  double longest = -1;
  for (const RobotsAgent& agent : group.agents) {
    if (equals_ignoring_case(agent.token, token)) longest = std::max(longest, agent.crawl_delay.value_or(-1));
  }
  return static_cast<float>(longest);
}

// The cost of a call in addition to the compared bytes.
constexpr std::uint64_t kLook = 32;

// Removes everything up to the end of the first `piece`; false if there is none.
bool skip_past(std::string_view& target, std::string_view piece, std::uint64_t& work) {
  const void* const at = ::memmem(target.data(), target.size(), piece.data(), piece.size());
  const std::size_t end =
      at == nullptr ? target.size()
                    : static_cast<std::size_t>(static_cast<const char*>(at) - target.data()) + piece.size();
  work += kLook + end;
  target.remove_prefix(end);
  return at != nullptr;
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const std::size_t most = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first - a.begin());
}

}  // namespace

class RobotsRules::Builder {
 public:
  void add(const RobotsRuleLine& line) {
    RobotsPattern pattern = comparable_pattern(line.pattern);
    const bool special = pattern.anchored || pattern.text.find('*') != std::string::npos;
    (special ? special_ : plain_).push_back({std::move(pattern), line.line, line.allow});
  }

  void finish(RobotsRules& rules) {
    rules.rules_.reserve(plain_.size() + special_.size());
    rules.words_.reserve(plain_.size() + special_.size());
    take_plain(rules);
    take_special(rules);
    rules.text_.shrink_to_fit();
    rules.rules_.shrink_to_fit();
    rules.words_.shrink_to_fit();
  }

 private:
  struct Draft {
    RobotsPattern pattern;
    std::uint32_t line;
    bool allow;
    std::size_t rank() const { return pattern.text.size() + pattern.anchored; }
  };

  // If a pattern occurs twice, the first "allow" decides, else the first line.
  static void keep_first_of_equals(std::vector<Draft>& drafts) {
    const auto same = [](const Draft& a, const Draft& b) {
      return a.pattern.anchored == b.pattern.anchored && a.pattern.text == b.pattern.text;
    };
    drafts.erase(std::unique(drafts.begin(), drafts.end(), same), drafts.end());
  }

  static Rule put(RobotsRules& rules, const Draft& draft, std::uint32_t parent_or_rank) {
    const auto begin = static_cast<std::uint32_t>(rules.text_.size());
    rules.text_ += draft.pattern.text;
    Rule rule{};
    rule.begin = begin;
    rule.length = static_cast<std::uint32_t>(draft.pattern.text.size());
    rule.line = draft.line & 0x3fffffff;
    rule.allow = draft.allow;
    rule.anchored = draft.pattern.anchored;
    rule.parent_or_rank = parent_or_rank;
    return rule;
  }

  void take_plain(RobotsRules& rules) {
    std::sort(plain_.begin(), plain_.end(), [](const Draft& a, const Draft& b) {
      return std::tie(a.pattern.text, b.allow, a.line) < std::tie(b.pattern.text, a.allow, b.line);
    });
    keep_first_of_equals(plain_);
    std::vector<std::uint32_t> open;  // the chain of prefixes of the previous rule
    for (std::uint32_t i = 0; i < plain_.size(); ++i) {
      while (!open.empty() && !plain_[i].pattern.text.starts_with(plain_[open.back()].pattern.text))
        open.pop_back();
      rules.rules_.push_back(put(rules, plain_[i], open.empty() ? kNoParent : open.back()));
      rules.words_.push_back(rule_key(plain_[i].pattern.text));
      open.push_back(i);
    }
    rules.plain_count_ = static_cast<std::uint32_t>(plain_.size());
  }

  void take_special(RobotsRules& rules) {
    std::sort(special_.begin(), special_.end(), [](const Draft& a, const Draft& b) {
      return std::make_tuple(b.rank(), std::string_view(a.pattern.text), a.pattern.anchored, b.allow,
                             a.line) <
             std::make_tuple(a.rank(), std::string_view(b.pattern.text), b.pattern.anchored, a.allow, b.line);
    });
    keep_first_of_equals(special_);
    std::stable_sort(special_.begin(), special_.end(), [](const Draft& a, const Draft& b) {
      return std::make_tuple(b.rank(), b.allow, a.line) < std::make_tuple(a.rank(), a.allow, b.line);
    });
    for (const Draft& draft : special_) {
      rules.rules_.push_back(put(rules, draft, static_cast<std::uint32_t>(draft.rank())));
      // Stars and escapes are not literal bytes.
      rules.words_.push_back(byte_kinds(draft.pattern.text) & ~kToBeRespelt);
    }
  }

  std::vector<Draft> plain_;
  std::vector<Draft> special_;
};

RobotsRules RobotsRules::none_allowed() {
  return make(parse_robots("user-agent: *\ndisallow: /"), "*");
}

RobotsRules RobotsRules::make(const RobotsText& text, std::string_view token) {
  const bool named = std::any_of(text.groups.begin(), text.groups.end(),
                                 [&](const RobotsGroup& group) { return names(group, token); });
  if (!named) token = "*";
  RobotsRules rules;
  Builder builder;
  for (const RobotsGroup& group : text.groups) {
    if (!names(group, token)) continue;
    for (const RobotsRuleLine& line : group.rules) builder.add(line);
    rules.crawl_delay_ = std::max(rules.crawl_delay_, delay_for(group, token));
  }
  builder.finish(rules);
  return rules;
}

// Every text between a prefix of the target and the target begins with that prefix. So the prefixes of the
// target are among the last rule not after it and its chain of parents.
const RobotsRules::Rule* RobotsRules::longest_plain(std::string_view target) const {
  const std::span<const Rule> rules = plain();
  const std::span<const std::uint64_t> keys = std::span(words_).first(rules.size());
  const auto [first, last] = std::equal_range(keys.begin(), keys.end(), rule_key(target));
  const auto after =
      std::upper_bound(rules.begin() + (first - keys.begin()), rules.begin() + (last - keys.begin()), target,
                       [this](std::string_view t, const Rule& rule) { return t < pattern(rule); });
  if (after == rules.begin()) return nullptr;
  const Rule* rule = &*std::prev(after);
  const std::size_t common = common_prefix(pattern(*rule), target);
  while (rule->length > common) {
    if (rule->parent_or_rank == kNoParent) return nullptr;
    rule = &rules[rule->parent_or_rank];
  }
  return rule;
}

// Each piece between two stars is matched at its first occurrence: if any choice works, that one does.
bool RobotsRules::matches(const Rule& rule, std::string_view target, std::uint64_t& work) const {
  std::string_view rest = pattern(rule);
  work += kLook;
  std::size_t star = rest.find('*');
  const std::string_view head = rest.substr(0, star);
  if (!target.starts_with(head)) return false;
  if (star == std::string_view::npos) return target.size() == head.size();
  target.remove_prefix(head.size());
  rest.remove_prefix(star + 1);
  if (rule.anchored) {
    // The last piece has only one possible position; the others must match before it.
    const std::string_view tail = rest.substr(rest.rfind('*') + 1);  // npos + 1 is 0
    if (!target.ends_with(tail)) return false;
    target.remove_suffix(tail.size());
    rest.remove_suffix(tail.size());
  }
  while ((star = rest.find('*')) != std::string_view::npos) {
    if (!skip_past(target, rest.substr(0, star), work)) return false;
    rest.remove_prefix(star + 1);
  }
  return rest.empty() || skip_past(target, rest, work);
}

RobotsDecision RobotsRules::decide(std::string_view target) const {
  if (size() == 0 || target.empty()) return {true, 0};
  std::string scratch;
  ByteKinds held = 0;
  target = comparable_target(target, scratch, held);
  if (target == "/robots.txt") return {true, 0};
  const Rule* best = plain_count_ == 0 ? nullptr : longest_plain(target);
  std::uint64_t work = target.size();
  for (std::size_t i = plain_count_; i < words_.size(); ++i) {
    ++work;
    if (words_[i] & ~held) continue;
    const Rule& rule = rules_[i];
    const std::uint32_t rank = rule.parent_or_rank;
    if (best != nullptr && (rank < best->length || (rank == best->length && (best->allow || !rule.allow))))
      break;
    const bool too_costly = work > kRobotsWork;
    if (too_costly ? rule.allow != 0 : !matches(rule, target, work)) continue;
    best = &rule;
    break;
  }
  if (best == nullptr) return {true, 0, work};
  return {best->allow != 0, best->line, work};
}

std::size_t RobotsRules::memory() const {
  return sizeof *this + (text_.capacity() > 15 ? text_.capacity() + 1 : 0) +
         rules_.capacity() * sizeof(Rule) + words_.capacity() * sizeof(std::uint64_t);
}

std::string RobotsRules::to_text() const {
  std::string out = "user-agent: *\n";
  for (const Rule& rule : rules_) {
    fmt::format_to(std::back_inserter(out), "{}: {}{}\n", rule.allow ? "allow" : "disallow", pattern(rule),
                   rule.anchored ? "$" : "");
  }
  if (crawl_delay_ >= 0) fmt::format_to(std::back_inserter(out), "crawl-delay: {}\n", crawl_delay_);
  return out;
}

RobotsAccess robots_access(int status) {
  if (status >= 200 && status < 300) return RobotsAccess::kParse;
  if (status == 408 || status == 421 || status == 425 || status == 429) return RobotsAccess::kNoneAllowed;
  return status >= 300 && status < 500 ? RobotsAccess::kAllAllowed : RobotsAccess::kNoneAllowed;
}

}  // namespace bowerbird
