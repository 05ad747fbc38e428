#include "crawl/body_types.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/suggest.h"

namespace bowerbird {

namespace {

struct Group {
  std::string_view name;
  std::string_view pattern;
};

constexpr std::array kGroups = {
    Group{"html", "text/html"},
    Group{"html", "application/xhtml+xml"},
    Group{"pdf", "application/pdf"},
    Group{"text", "text/plain"},
    Group{"image", "image/"},
    Group{"style", "text/css"},
    Group{"script", "text/javascript"},
    Group{"script", "application/javascript"},
    Group{"any", ""},
};

std::string_view bare(std::string_view content_type) {
  content_type = content_type.substr(0, content_type.find(';'));
  while (!content_type.empty() && content_type.back() == ' ') content_type.remove_suffix(1);
  return content_type;
}

}  // namespace

Result<BodyTypes> BodyTypes::make(std::span<const std::string> names) {
  BodyTypes types;
  for (const std::string& name : names) {
    if (name.find('/') != name.npos) {
      types.patterns_.push_back(name.ends_with("/*") ? name.substr(0, name.size() - 1) : name);
      continue;
    }
    bool known = false;
    for (const Group& group : kGroups) {
      if (group.name != name) continue;
      types.patterns_.emplace_back(group.pattern);
      known = true;
    }
    if (!known) {
      std::vector<std::string> words;
      for (const Group& group : kGroups) words.emplace_back(group.name);
      return error(
          "'{}' is neither a kind of document (html, pdf, text, image, style, script, any) nor a media type "
          "such as application/json{}",
          name, did_you_mean(name, words));
    }
  }
  return types;
}

bool BodyTypes::wants(std::string_view content_type) const {
  const std::string_view type = bare(content_type);
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& pattern) {
    if (pattern.empty() || (type.empty() && pattern == "text/html")) return true;
    if (pattern.back() == '/') return starts_ignoring_case(type, pattern);
    return equals_ignoring_case(type, pattern);
  });
}

bool BodyTypes::is_html(std::string_view content_type) {
  const std::string_view type = bare(content_type);
  return type.empty() || equals_ignoring_case(type, "text/html") || is_xhtml(type);
}

bool BodyTypes::is_xhtml(std::string_view content_type) {
  return equals_ignoring_case(bare(content_type), "application/xhtml+xml");
}

}  // namespace bowerbird
