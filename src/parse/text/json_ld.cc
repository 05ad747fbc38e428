#include "parse/text/json_ld.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/json_text.h"
#include "base/utf8.h"
#include "parse/html_text.h"

namespace bowerbird {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxScript = std::size_t{1} << 19;
constexpr std::size_t kMaxScripts = 64;
constexpr int kMaxNesting = 64;

// Pages leave line ends in strings, wrap the script in a comment, and end it with a semicolon.
Json parse_leniently(std::string_view script) {
  if (script.size() > kMaxScript || !is_shallow_json(script, kMaxNesting)) return Json::value_t::discarded;
  std::string text;
  append_as_valid_utf8(text, script);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  const std::size_t begin = text.find_first_of("{[");
  const std::size_t end = text.find_last_of("}]");
  if (begin == text.npos || end == text.npos || end < begin) return Json::value_t::discarded;
  return Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                     text.begin() + static_cast<std::ptrdiff_t>(end) + 1, nullptr, /*allow_exceptions=*/false,
                     /*ignore_comments=*/true);
}

// References are sometimes escaped twice.
std::string clean(std::string_view value) {
  constexpr std::size_t kLongest = 4096;
  std::string decoded;
  append_attribute_value(decoded, value.substr(0, kLongest));
  std::string out;
  TextCollector collector;
  collector.begin(out);
  collector.append(decoded, /*references=*/true);
  return out;
}

const Json* member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

// A string, the first of an array, or the "name" or "@value" of an object.
std::string text_of(const Json* value, int depth = 0) {
  if (value == nullptr || depth > 4) return {};
  if (value->is_string()) return clean(value->get_ref<const std::string&>());
  if (value->is_array()) return value->empty() ? std::string() : text_of(&value->front(), depth + 1);
  if (const Json* inner = member(*value, "@value")) return text_of(inner, depth + 1);
  return text_of(member(*value, "name"), depth + 1);
}

std::string text_of(const Json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    std::string text = text_of(member(object, name));
    if (!text.empty()) return text;
  }
  return {};
}

bool has_type(const Json& object, std::string_view part) {
  const Json* type = member(object, "@type");
  if (type == nullptr) return false;
  const auto matches = [&](const Json& name) {
    return name.is_string() && name.get_ref<const std::string&>().ends_with(part);
  };
  return type->is_array() ? std::any_of(type->begin(), type->end(), matches) : matches(*type);
}

// How well an object describes the page as a whole; 0: not at all.
int rank_of(const Json& object) {
  for (const std::string_view name :
       {"Article", "BlogPosting", "Report", "Recipe", "ForumPosting", "Review"}) {
    if (has_type(object, name)) return name == "Review" ? 2 : 4;
  }
  for (const std::string_view name :
       {"Product", "QAPage", "Question", "Event", "VideoObject", "Course", "Book"}) {
    if (has_type(object, name)) return 3;
  }
  for (const std::string_view name : {"WebPage", "AboutPage", "CollectionPage", "ItemPage", "CreativeWork"}) {
    if (has_type(object, name)) return 1;
  }
  return 0;
}

class Objects {
 public:
  // All objects of a script, at most kMaxNesting deep.
  void add(const Json& value) {
    if (value.is_array()) {
      for (const Json& element : value) add(element);
      return;
    }
    if (!value.is_object()) return;
    if (const Json* id = member(value, "@id");
        id != nullptr && id->is_string() && member(value, "name") != nullptr)
      names_.emplace(id->get_ref<const std::string&>(), text_of(member(value, "name")));
    if (rank_of(value) > 0) pages_.push_back(&value);
    if (has_type(value, "WebSite") && site_.empty()) site_ = text_of(value, {"name"});
    for (const Json& inner : value) add(inner);
  }

  // Persons or organisations by name, or by @id.
  void add_names(const Json* value, std::vector<std::string>& names) const {
    constexpr std::size_t kMaxNames = 20;
    if (value == nullptr || names.size() >= kMaxNames) return;
    if (value->is_array()) {
      for (const Json& element : *value) add_names(&element, names);
      return;
    }
    std::string name = text_of(value);
    const Json* id = member(*value, "@id");
    if (name.empty() && id != nullptr && id->is_string()) {
      const auto found = names_.find(id->get_ref<const std::string&>());
      if (found != names_.end()) name = found->second;
    }
    const bool is_url = name.starts_with("http://") || name.starts_with("https://");
    if (!name.empty() && !is_url && std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }

  // The one that describes the page best.
  const Json* best() const {
    const auto found = std::max_element(
        pages_.begin(), pages_.end(), [](const Json* a, const Json* b) { return rank_of(*a) < rank_of(*b); });
    return found == pages_.end() ? nullptr : *found;
  }
  // All of them, for what the best one does not say.
  const std::vector<const Json*>& pages() const { return pages_; }
  const std::string& site() const { return site_; }

 private:
  std::map<std::string, std::string> names_;
  std::vector<const Json*> pages_;
  std::string site_;
};

void add_keywords(const Json* value, std::vector<std::string>& keywords) {
  constexpr std::size_t kMaxKeywords = 100;
  if (value == nullptr) return;
  if (value->is_array()) {
    for (const Json& element : *value) add_keywords(&element, keywords);
    return;
  }
  const std::string text = text_of(value);
  for (std::size_t at = 0; at < text.size() && keywords.size() < kMaxKeywords;) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view word = trimmed(std::string_view(text).substr(at, end - at), kAsciiSpaces);
    if (!word.empty()) keywords.emplace_back(word);
    at = end + 1;
  }
}

}  // namespace

JsonLdFacts read_json_ld(std::span<const std::string_view> scripts) {
  std::vector<Json> parsed;
  for (const std::string_view script : scripts.first(std::min(scripts.size(), kMaxScripts))) {
    Json json = parse_leniently(script);
    if (!json.is_discarded()) parsed.push_back(std::move(json));
  }
  Objects objects;
  for (const Json& json : parsed) objects.add(json);
  JsonLdFacts facts;
  facts.site_name = objects.site();
  const Json* page = objects.best();
  if (page == nullptr) return facts;
  facts.title = text_of(*page, {"headline", "name"});
  objects.add_names(member(*page, "author"), facts.authors);
  if (facts.authors.empty()) objects.add_names(member(*page, "creator"), facts.authors);
  facts.published = text_of(*page, {"datePublished", "uploadDate", "dateCreated"});
  facts.modified = text_of(*page, {"dateModified"});
  for (const Json* other : objects.pages()) {
    if (facts.published.empty()) facts.published = text_of(*other, {"datePublished"});
    if (facts.modified.empty()) facts.modified = text_of(*other, {"dateModified"});
  }
  facts.description = text_of(*page, {"description"});
  facts.section = text_of(*page, {"articleSection", "category"});
  facts.license = text_of(*page, {"license"});
  if (facts.site_name.empty()) {
    std::vector<std::string> names;
    objects.add_names(member(*page, "publisher"), names);
    if (!names.empty()) facts.site_name = names.front();
  }
  add_keywords(member(*page, "keywords"), facts.keywords);
  return facts;
}

}  // namespace bowerbird
