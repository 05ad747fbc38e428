#include "export/wet.h"

#include <fmt/ranges.h>

#include "export/derived_record.h"
#include "parse/sha1.h"
#include "parse/text/language.h"

namespace bowerbird {

namespace {

class WetRecords final : public Format {
 public:
  explicit WetRecords(const FormatOptions& options)
      : main_only_(options.main_only), created_us_(options.created_us), record_(options.compression) {}

  bool packed() const override { return true; }

  std::string prologue(const std::string& file_name) override {
    return record_.warcinfo(created_us_, file_name, main_only_ ? "main text of pages" : "text of pages");
  }

  void append(std::string& out, Document& document) override {
    const std::string& text = main_only_ ? document.main_text() : document.all_text();
    const WarcHead& warc = document.record().warc();
    const std::string_view page = warc.field("WARC-Record-ID");
    record_.begin("conversion", warc.field("WARC-Date"), std::string(page) + document.url().text());
    record_.field("WARC-Target-URI", document.url().text());
    if (!page.empty()) record_.field("WARC-Refers-To", page);
    record_.field("WARC-Block-Digest", "sha1:" + base32(sha1(text)));
    const std::string languages = fmt::format("{}", fmt::join(identify_languages(text), ","));
    if (!languages.empty()) record_.field("WARC-Identified-Content-Language", languages);
    record_.field("Content-Type", "text/plain");
    record_.finish(out, text);
  }

 private:
  bool main_only_;
  std::int64_t created_us_;
  DerivedRecord record_;
};

}  // namespace

std::unique_ptr<Format> make_wet_format(const FormatOptions& options) {
  return std::make_unique<WetRecords>(options);
}

}  // namespace bowerbird
