#include "base/html_escape.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

TEST(HtmlEscape, MarkupBecomesTextAndTheRestStays) {
  std::string out = "x ";
  append_html_escaped(out, "<a href=\"x\" title='y'>&</a> \xff é");
  EXPECT_EQ(out, "x &lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;&lt;/a&gt; \xff é");
  append_html_escaped(out, "");
  EXPECT_EQ(out.back(), '\xa9');
}

}  // namespace
}  // namespace bowerbird
