#include "parse/robots_directives.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace bowerbird {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f";

bool takes_value(std::string_view word) {
  static constexpr std::array<std::string_view, 4> kWords = {"unavailable_after", "max-snippet",
                                                             "max-image-preview", "max-video-preview"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view w) { return equals_ignoring_case(w, word); });
}

// A date may contain a comma after the name of the day: "unavailable_after: Sunday, 25 Jun 2030 ...".
bool is_day_name(std::string_view text) {
  static constexpr std::array<std::string_view, 7> kDays = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
  return std::all_of(text.begin(), text.end(), is_ascii_alpha) &&
         std::any_of(kDays.begin(), kDays.end(),
                     [&](std::string_view day) { return starts_ignoring_case(text, day); });
}

class Reader {
 public:
  Reader(std::string_view text, UnixTime now, RobotsDirectives& directives)
      : rest_(text), now_(now), directives_(directives) {}

  // `token` empty: names of crawlers are not recognised.
  void read(std::string_view token) {
    bool ours = true;
    while (!rest_.empty()) {
      std::string_view item = next();
      std::size_t colon = item.find(':');
      if (!token.empty() && colon != std::string_view::npos &&
          !takes_value(trimmed(item.substr(0, colon), kBlanks))) {
        const std::string_view name = trimmed(item.substr(0, colon), kBlanks);
        ours = name == "*" || equals_ignoring_case(name, token);
        item = item.substr(colon + 1);
        colon = item.find(':');
      }
      const std::string_view word = trimmed(item.substr(0, colon), kBlanks);
      std::string_view value =
          colon == std::string_view::npos ? std::string_view() : trimmed(item.substr(colon + 1), kBlanks);
      if (is_day_name(value) && equals_ignoring_case(word, "unavailable_after"))
        value = joined_with_next(value);
      if (ours) apply(word, value);
    }
  }

 private:
  std::string_view next() {
    const std::size_t comma = std::min(rest_.find(','), rest_.size());
    const std::string_view item = rest_.substr(0, comma);
    rest_.remove_prefix(std::min(rest_.size(), comma + 1));
    return item;
  }

  std::string_view joined_with_next(std::string_view value) {
    if (rest_.empty()) return value;
    const std::string_view item = next();
    return trimmed({value.data(), static_cast<std::size_t>(item.data() + item.size() - value.data())},
                   kBlanks);
  }

  void apply(std::string_view word, std::string_view value) {
    const auto is = [word](std::string_view name) { return equals_ignoring_case(word, name); };
    const bool none = is("none");
    directives_.noindex |= none || is("noindex");
    directives_.nofollow |= none || is("nofollow");
    directives_.noarchive |= is("noarchive") || is("nocache");
    directives_.nosnippet |= is("nosnippet") || (is("max-snippet") && value == "0");
    if (!is("unavailable_after")) return;
    const auto time = parse_any_date(value, now_);
    if (time) directives_.unavailable_after = std::min(*time, directives_.unavailable_after.value_or(*time));
  }

  std::string_view rest_;
  UnixTime now_;
  RobotsDirectives& directives_;
};

}  // namespace

void add_robots_meta(std::string_view content, UnixTime now, RobotsDirectives& directives) {
  Reader(content, now, directives).read({});
}

void add_x_robots_tag(std::string_view value, std::string_view token, UnixTime now,
                      RobotsDirectives& directives) {
  Reader(value, now, directives).read(token);
}

}  // namespace bowerbird
