#include "parse/robots_text.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/units.h"

namespace bowerbird {

namespace {

enum class Key { kUserAgent, kAllow, kDisallow, kCrawlDelay, kSitemap, kUnknown };

struct Spelling {
  std::string_view text;
  Key key;
};

// Misspellings are a choice of the house (section 2.2.4 allows it): for what restricts us, never for "allow".
// Longer ones are as good as for ever.
constexpr double kMostDelay = 1e9;

constexpr std::array kSpellings = {
    Spelling{"user-agent", Key::kUserAgent},   Spelling{"useragent", Key::kUserAgent},
    Spelling{"user agent", Key::kUserAgent},   Spelling{"allow", Key::kAllow},
    Spelling{"disallow", Key::kDisallow},      Spelling{"dissallow", Key::kDisallow},
    Spelling{"dissalow", Key::kDisallow},      Spelling{"disalow", Key::kDisallow},
    Spelling{"diasllow", Key::kDisallow},      Spelling{"disallaw", Key::kDisallow},
    Spelling{"crawl-delay", Key::kCrawlDelay}, Spelling{"crawldelay", Key::kCrawlDelay},
    Spelling{"crawl delay", Key::kCrawlDelay}, Spelling{"sitemap", Key::kSitemap},
    Spelling{"site-map", Key::kSitemap},
};

Key key_of(std::string_view text) {
  for (const Spelling& spelling : kSpellings) {
    if (equals_ignoring_case(text, spelling.text)) return spelling.key;
  }
  return Key::kUnknown;
}

bool is_token_byte(char c) {
  return is_ascii_alpha(c) || c == '-' || c == '_';
}

class RobotsParser {
 public:
  RobotsText parse(std::string_view bytes) {
    if (bytes.size() > kRobotsLimit) {
      bytes = whole_lines(bytes);
      text_.truncated = true;
    }
    if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
    while (!bytes.empty()) {
      const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
      ++number_;
      line(bytes.substr(0, end));
      const bool two = bytes.substr(end).starts_with("\r\n");
      bytes.remove_prefix(std::min(bytes.size(), end + (two ? 2 : 1)));
    }
    return std::move(text_);
  }

 private:
  static std::string_view whole_lines(std::string_view bytes) {
    const std::string_view kept = bytes.substr(0, kRobotsLimit);
    if (bytes[kRobotsLimit] == '\n' || bytes[kRobotsLimit] == '\r') return kept;
    return kept.substr(0, kept.find_last_of("\r\n") + 1);  // npos + 1 is 0
  }

  void line(std::string_view text) {
    text = trimmed(text.substr(0, text.find('#')));
    if (text.empty()) return;
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos) {
      record(trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 1)));
      return;
    }
    // A choice of the house: "disallow /x", exactly two words, is a record that lacks its colon.
    const std::size_t blank = text.find_first_of(" \t");
    const std::string_view value =
        blank == std::string_view::npos ? std::string_view() : trimmed(text.substr(blank));
    if (value.empty() || value.find_first_of(" \t") != std::string_view::npos) {
      complain("not a record: there is no ':'");
    } else {
      record(text.substr(0, blank), value);
    }
  }

  void record(std::string_view key, std::string_view value) {
    switch (key_of(key)) {
      case Key::kUserAgent:
        return user_agent(value);
      case Key::kAllow:
        return rule(true, value);
      case Key::kDisallow:
        return rule(false, value);
      case Key::kCrawlDelay:
        return crawl_delay(value);
      case Key::kSitemap:
        if (value.empty()) return complain("a sitemap without a URL");
        text_.sitemaps.push_back({number_, std::string(value)});
        return;
      case Key::kUnknown:
        return complain("not a record we know");
    }
  }

  // Rules end the list of agents; other records do not (section 2.2.4).
  void user_agent(std::string_view value) {
    if (text_.groups.empty() || group_has_rules_) {
      text_.groups.emplace_back();
      group_has_rules_ = false;
    }
    const bool any = value == "*" || value.starts_with("* ") || value.starts_with("*\t");
    const std::string_view token = any ? "*" : product_token(value);
    if (token.empty()) return complain("no user agent has this name: letters, '-' and '_' only");
    text_.groups.back().agents.push_back({number_, std::string(token)});
  }

  void rule(bool allow, std::string_view pattern) {
    if (text_.groups.empty()) return complain("a rule before the first user agent");
    group_has_rules_ = true;
    if (pattern.empty()) return;  // "disallow:" disallows nothing
    if (pattern[0] != '/' && pattern[0] != '*') return complain("a path that does not begin with '/' or '*'");
    text_.groups.back().rules.push_back({number_, allow, std::string(pattern)});
  }

  void crawl_delay(std::string_view value) {
    const auto seconds = parse_number(value);
    if (text_.groups.empty()) return complain("a crawl delay before the first user agent");
    if (!seconds.ok() || !(*seconds >= 0)) return complain("a crawl delay that is no number");
    std::optional<double>& delay = text_.groups.back().crawl_delay;
    delay = std::max(delay.value_or(0), std::min(*seconds, kMostDelay));
  }

  void complain(std::string_view why) {
    if (text_.complaints.size() < RobotsText::kMostComplaints) {
      text_.complaints.push_back({number_, std::string(why)});
    }
  }

  RobotsText text_;
  std::uint32_t number_ = 0;
  bool group_has_rules_ = false;
};

}  // namespace

std::string_view product_token(std::string_view user_agent) {
  const auto end = std::find_if_not(user_agent.begin(), user_agent.end(), is_token_byte);
  return user_agent.substr(0, static_cast<std::size_t>(end - user_agent.begin()));
}

RobotsText parse_robots(std::string_view bytes) {
  return RobotsParser().parse(bytes);
}

}  // namespace bowerbird
