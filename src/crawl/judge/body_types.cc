#include "crawl/judge/body_types.h"

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

struct Extension {
  std::string_view name;
  std::string_view type;
};

// Types that browsers show in frames.
constexpr std::array kExtensions = {
    Extension{"svg", "image/svg+xml"}, Extension{"png", "image/png"},       Extension{"jpg", "image/jpeg"},
    Extension{"jpeg", "image/jpeg"},   Extension{"gif", "image/gif"},       Extension{"webp", "image/webp"},
    Extension{"avif", "image/avif"},   Extension{"pdf", "application/pdf"}, Extension{"txt", "text/plain"},
    Extension{"mp4", "video/mp4"},     Extension{"webm", "video/webm"},     Extension{"mp3", "audio/mpeg"},
};

}  // namespace

Result<BodyTypes> BodyTypes::make(std::span<const std::string> names) {
  BodyTypes types;
  for (const std::string& name : names) {
    if (name.find('/') != name.npos) {
      types.patterns_.push_back(lowered(name.ends_with("/*") ? name.substr(0, name.size() - 1) : name));
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

bool BodyTypes::wants(std::string_view type) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::string& pattern) {
    return pattern.empty() || pattern.back() == '/' ? type.starts_with(pattern) : type == pattern;
  });
}

std::string BodyTypes::name_of(std::string_view type) {
  if (type.empty()) return "html";
  for (const Group& group : kGroups) {
    if (group.pattern.ends_with('/') ? type.starts_with(group.pattern) : type == group.pattern)
      return std::string(group.name);
  }
  return std::string(type);
}

bool BodyTypes::leaves_out_path(std::string_view path) const {
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos) return false;
  for (const Extension& known : kExtensions) {
    if (equals_ignoring_case(path.substr(dot + 1), known.name)) return !wants(known.type);
  }
  return false;
}

bool BodyTypes::is_html(std::string_view type) {
  return type == "text/html" || is_xhtml(type);
}

bool BodyTypes::is_xhtml(std::string_view type) {
  return type == "application/xhtml+xml";
}

}  // namespace bowerbird
