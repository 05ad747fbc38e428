// robots.txt. Input: the path of a URL, a line end, the file. Properties: the fast matcher decides like the
// obvious one; rules that are written out and read again decide the same.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "parse/robots.h"
#include "parse/robots_reference.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bowerbird;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = std::min(input.find('\n'), input.size());
  const std::string target = "/" + std::string(input.substr(0, line_end));
  const RobotsText text = parse_robots(input.substr(std::min(line_end + 1, input.size())));
  for (const std::string_view token : {"Bowerbird", "a"}) {
    const RobotsRules rules = RobotsRules::make(text, token);
    const RobotsRules again = RobotsRules::make(parse_robots(rules.to_text()), "*");
    CHECK(again.size() == rules.size());
    CHECK(again.crawl_delay() == rules.crawl_delay());
    const bool allowed = rules.allows(target);
    CHECK(again.allows(target) == allowed);
    // The obvious matcher takes time in proportion to the product.
    if (size < 3000) CHECK(reference_allows(text, token, target) == allowed);
  }
  return 0;
}
