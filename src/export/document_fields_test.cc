#include "export/document_fields.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace bowerbird {
namespace {

TEST(DocumentFields, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const DocumentField& field : document_fields()) EXPECT_TRUE(names.insert(field.name).second);
  EXPECT_TRUE(names.contains("main_text"));
  EXPECT_LT(default_fields().size(), document_fields().size());
}

TEST(DocumentFields, AreChosenByName) {
  const auto fields = parse_fields({"title", "url"});
  ASSERT_TRUE(fields.ok());
  ASSERT_EQ(fields->size(), 2u);
  EXPECT_EQ((*fields)[0]->name, "title");
  const auto unknown = parse_fields({"titel"});
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().text.find("no field 'titel'; there are url, "), std::string::npos);
}

TEST(DocumentFields, SchemaIsTheOneInTheDocs) {
  const std::string path = BOWERBIRD_SOURCE_DIR "/docs/formats/page.schema.json";
  EXPECT_TRUE(nlohmann::json::accept(document_schema()));
  if (std::getenv("BOWERBIRD_WRITE_DOCS") != nullptr) {
    std::ofstream(path) << document_schema();
    return;
  }
  std::stringstream stream;
  stream << std::ifstream(path).rdbuf();
  EXPECT_EQ(stream.str(), document_schema())
      << "the fields have changed: run BOWERBIRD_WRITE_DOCS=1 export_test --gtest_filter='DocumentFields.*'";
}

}  // namespace
}  // namespace bowerbird
