// What the JSON-LD of a page (schema.org) says about it.
//
// The object that describes the page is the first article, else the first product, question or page; persons
// and organisations that it names by @id are looked up. Scripts that are not JSON, or too large or too deeply
// nested to be meant, are ignored. Strings may hold character references, as pages write them. Pure; threads:
// any.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bowerbird {

struct JsonLdFacts {
  std::string title;
  std::vector<std::string> authors;
  std::string published;
  std::string modified;
  std::string description;
  std::string site_name;
  std::string section;
  std::string license;
  std::vector<std::string> keywords;
};

JsonLdFacts read_json_ld(std::span<const std::string_view> scripts);

}  // namespace bowerbird
