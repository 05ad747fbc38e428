// Text extraction: for any page, all output is valid UTF-8 and valid JSON, every word of the main text is in
// the page, and the output is linear in the page.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/check.h"
#include "base/json_text.h"
#include "base/utf8.h"
#include "parse/html_scanner.h"
#include "parse/text/block_text.h"
#include "parse/text/main_text.h"

using namespace bowerbird;

namespace {

void check_text(std::string_view text, std::size_t page_size) {
  CHECK(is_valid_utf8(text));
  CHECK(text.size() <= 100 * page_size + 10000);
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Step step = decode_utf8(rest);
    const char32_t c = step.code_point;
    CHECK(c == '\n' || c == '\t' || (c >= 0x20 && !(c >= 0x7F && c < 0xA0)));
    rest.remove_prefix(step.size);
  }
}

void check_facts(const DocumentFacts& facts) {
  std::string json = "[";
  for (const std::string* fact :
       {&facts.title, &facts.language, &facts.published, &facts.modified, &facts.description,
        &facts.canonical, &facts.site_name, &facts.section, &facts.license, &facts.opt_outs.tdm_policy}) {
    check_text(*fact, 0);
    CHECK(fact->find('\n') == fact->npos);
    append_json_string(json, *fact);
    json += ',';
  }
  for (const auto& list : {facts.authors, facts.keywords}) {
    for (const std::string& fact : list) check_text(fact, 0);
  }
  CHECK(nlohmann::json::accept(json + "0]"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view html(reinterpret_cast<const char*>(data), size);
  Url url;
  if (size % 2 == 0) CHECK(parse_url("https://a.example/2025/01/02/d/p?q", nullptr, url) == UrlFault::kNone);
  TextExtractor extractor;
  extractor.read(html, url);
  const std::string main = extractor.main_text();
  check_text(main, size);
  check_text(extractor.all_text(), size);
  check_text(extractor.markdown(), size);
  check_facts(extractor.facts());

  HtmlScanner scanner;
  HtmlPage page;
  scanner.scan(html, page);
  std::erase_if(page.text, is_ascii_space);
  WordReader words(main);
  for (TextWord word; words.next(word);)
    CHECK(page.text.find(main.substr(word.begin, word.end - word.begin)) != std::string::npos);
  return 0;
}
