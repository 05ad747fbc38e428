#include "crawl/judge/page_filter.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

PageFilter filter_of(std::vector<std::string> entries) {
  return PageFilter::make(entries).value();
}

TEST(PageFilter, ChoosesByUrlOrByType) {
  EXPECT_TRUE(filter_of({}).chooses("http://a.test/", "text/html")) << "without entries all";
  const PageFilter filter = filter_of({"/archive/", "type:pdf", "type:image/*"});
  EXPECT_FALSE(filter.all());
  EXPECT_TRUE(filter.chooses("http://a.test/archive/1", "text/html"));
  EXPECT_TRUE(filter.chooses("http://a.test/x", "application/pdf"));
  EXPECT_TRUE(filter.chooses("http://a.test/x", "image/png"));
  EXPECT_FALSE(filter.chooses("http://a.test/x", "text/html"));
  EXPECT_FALSE(filter.chooses("http://a.test/x", ""));
}

TEST(PageFilter, BadPatternsAndTypesAreErrors) {
  for (const char* entry : {"(", "type:", "type:htlm"})
    EXPECT_FALSE(PageFilter::make(std::vector<std::string>{entry}).ok()) << entry;
}

}  // namespace
}  // namespace bowerbird
