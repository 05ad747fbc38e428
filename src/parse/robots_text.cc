#include "parse/robots_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/suggest.h"
#include "base/units.h"
#include "base/utf8.h"
#include "parse/xml_text.h"

namespace bowerbird {

namespace {

enum class Key { kUserAgent, kAllow, kDisallow, kCrawlDelay, kSitemap, kUnknown };

struct Spelling {
  std::string_view text;
  Key key;
};

// Longer ones are as good as infinite.
constexpr double kMostDelay = 1e9;

constexpr std::array kSpellings = {
    Spelling{"user-agent", Key::kUserAgent}, Spelling{"useragent", Key::kUserAgent},
    Spelling{"user agent", Key::kUserAgent}, Spelling{"allow", Key::kAllow},
    Spelling{"disallow", Key::kDisallow},    Spelling{"crawl-delay", Key::kCrawlDelay},
    Spelling{"sitemap", Key::kSitemap},      Spelling{"site-map", Key::kSitemap},
};

// Our choice, which section 2.2.4 allows: up to two typing errors in a key that restricts us, but not in its
// first letter. Not in user-agent: another list of agents may restrict us less.
Key misspelt_key_of(std::string_view text) {
  constexpr std::size_t kMostErrors = 2;
  if (text.empty() || text.size() > kLongestWord) return Key::kUnknown;
  const std::string word = lowered(text);
  for (const Key key : {Key::kDisallow, Key::kCrawlDelay}) {
    const std::string_view right = key == Key::kDisallow ? "disallow" : "crawl-delay";
    if (word.front() == right.front() && edit_distance(word, right) <= kMostErrors) return key;
  }
  return Key::kUnknown;
}

Key key_named(std::string_view text) {
  for (const Spelling& spelling : kSpellings) {
    if (equals_ignoring_case(text, spelling.text)) return spelling.key;
  }
  return misspelt_key_of(text);
}

enum class FileEncoding { kBytes, kUtf16le, kUtf16be };

// By the byte order mark, or by the zero bytes that ASCII has in UTF-16.
FileEncoding encoding_of(std::string_view bytes) {
  if (bytes.size() < 2) return FileEncoding::kBytes;
  if (bytes.starts_with("\xff\xfe") || (bytes[0] != 0 && bytes[1] == 0)) return FileEncoding::kUtf16le;
  if (bytes.starts_with("\xfe\xff") || bytes.starts_with(std::string_view("\0\0\xfe\xff", 4)) ||
      (bytes[0] == 0 && bytes[1] != 0))
    return FileEncoding::kUtf16be;
  return FileEncoding::kBytes;
}

std::string utf8_from_utf16(std::string_view bytes, FileEncoding encoding) {
  const std::size_t high = encoding == FileEncoding::kUtf16be ? 0 : 1;
  const auto unit = [&](std::size_t at) -> char32_t {
    return static_cast<unsigned char>(bytes[at + high]) << 8 |
           static_cast<unsigned char>(bytes[at + 1 - high]);
  };
  std::string text;
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    char32_t point = unit(at);
    if (point >> 10 == 0x36 && at + 3 < bytes.size() && unit(at + 2) >> 10 == 0x37) {
      point = 0x10000 + ((point & 0x3ff) << 10 | (unit(at + 2) & 0x3ff));
      at += 2;
    }
    if (point != 0) append_utf8(text, point);  // UTF-32 has zeros between
  }
  return text;
}

// Skips byte order marks, even incomplete ones and ones that were encoded twice: a record begins with ASCII.
void skip_mark(std::string_view& bytes) {
  const auto is_ascii = [](char c) { return c != 0 && static_cast<unsigned char>(c) < 0x80; };
  bytes.remove_prefix(static_cast<std::size_t>(std::ranges::find_if(bytes, is_ascii) - bytes.begin()));
}

// Our choice: a number may be followed by a unit ("10s", "10 seconds") or by anything else.
Result<double> parse_delay(std::string_view value) {
  auto seconds = parse_number(value);
  if (seconds.ok()) return seconds;
  return parse_number(value.substr(0, value.find_first_not_of("0123456789.")));
}

// Returns the text before the first "<br>" ("<BR />") and removes both; all if there is none.
std::string_view take_until_br(std::string_view& line) {
  for (std::size_t at = line.find('<'); at != line.npos; at = line.find('<', at + 1)) {
    if (!starts_ignoring_case(line.substr(at), "<br")) continue;
    const std::size_t end = std::min(line.find('>', at), line.size() - 1);
    const std::string_view taken = line.substr(0, at);
    line.remove_prefix(end + 1);
    return taken;
  }
  return std::exchange(line, {});
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
    skip_mark(bytes);
    while (!bytes.empty()) {
      const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
      ++number_;
      for (std::string_view rest = bytes.substr(0, end); !rest.empty();) line(take_until_br(rest));
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
    text = without_blank_ends(text.substr(0, text.find('#')));
    if (text.empty()) return;
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos) {
      record(without_blank_ends(text.substr(0, colon)), without_blank_ends(text.substr(colon + 1)));
      return;
    }
    // Our choice: "disallow /x", exactly two words, is a record without its colon.
    const std::size_t blank = text.find_first_of(" \t");
    const std::string_view value =
        blank == std::string_view::npos ? std::string_view() : without_blank_ends(text.substr(blank));
    if (value.empty() || value.find_first_of(" \t") != std::string_view::npos) {
      complain("not a record: there is no ':'");
    } else {
      record(text.substr(0, blank), value);
    }
  }

  void record(std::string_view key, std::string_view value) {
    switch (key_named(key)) {
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
        return complain("unknown record");
    }
  }

  // Rules end the list of agents; other records do not (section 2.2.4).
  void user_agent(std::string_view value) {
    if (text_.groups.empty() || group_has_rules_) {
      text_.groups.emplace_back();
      group_has_rules_ = false;
      delayed_from_ = 0;
    } else if (delay_given_) {
      delayed_from_ = text_.groups.back().agents.size();
    }
    delay_given_ = false;
    // "* (all)" means all crawlers, "*bot" does not.
    const bool any = value.starts_with('*') && (value.size() == 1 || !is_token_byte(value[1]));
    const std::string_view token = any ? "*" : product_token(value);
    if (token.empty()) return complain("no user agent has this name: letters, '-' and '_' only");
    text_.groups.back().agents.push_back({number_, std::string(token), std::nullopt});
  }

  void rule(bool allow, std::string_view pattern) {
    if (text_.groups.empty()) return complain("a rule before the first user agent");
    group_has_rules_ = true;
    if (pattern.empty()) return;  // "disallow:" disallows nothing
    if (pattern[0] != '/' && pattern[0] != '*') return complain("a path that does not begin with '/' or '*'");
    text_.groups.back().rules.push_back({number_, allow, std::string(pattern)});
  }

  void crawl_delay(std::string_view value) {
    const auto seconds = parse_delay(value);
    if (text_.groups.empty()) return complain("a crawl delay before the first user agent");
    if (!seconds.ok() || !(*seconds >= 0)) return complain("a crawl delay that is not a number");
    delay_given_ = true;
    std::vector<RobotsAgent>& agents = text_.groups.back().agents;
    for (std::size_t i = delayed_from_; i < agents.size(); ++i) {
      agents[i].crawl_delay = std::max(agents[i].crawl_delay.value_or(0), std::min(*seconds, kMostDelay));
    }
  }

  void complain(std::string_view why) {
    if (text_.complaints.size() < RobotsText::kMostComplaints) {
      text_.complaints.push_back({number_, std::string(why)});
    }
  }

  RobotsText text_;
  std::uint32_t number_ = 0;
  bool group_has_rules_ = false;
  bool delay_given_ = false;      // since the last user agent
  std::size_t delayed_from_ = 0;  // the agents of the last group that a Crawl-delay is for
};

}  // namespace

std::string_view product_token(std::string_view user_agent) {
  const auto end = std::find_if_not(user_agent.begin(), user_agent.end(), is_token_byte);
  return user_agent.substr(0, static_cast<std::size_t>(end - user_agent.begin()));
}

std::string robots_in_utf8(std::string_view bytes) {
  const FileEncoding encoding = encoding_of(bytes);
  if (encoding == FileEncoding::kBytes) return std::string(bytes);
  return utf8_from_utf16(bytes.substr(0, 2 * kRobotsLimit), encoding);
}

RobotsText parse_robots(std::string_view bytes) {
  if (encoding_of(bytes) == FileEncoding::kBytes) return RobotsParser().parse(bytes);
  return RobotsParser().parse(robots_in_utf8(bytes));
}

}  // namespace bowerbird
