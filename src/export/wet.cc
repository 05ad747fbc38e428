#include "export/wet.h"

#include "base/hash.h"
#include "parse/sha1.h"
#include "parse/text/language.h"
#include "store/record_compressor.h"
#include "store/warc_writer.h"
#include "version.h"

namespace bowerbird {

namespace {

class WetRecords final : public Format {
 public:
  explicit WetRecords(const FormatOptions& options)
      : main_only_(options.main_only), created_us_(options.created_us), compressor_(options.compression, 0) {}

  bool packed() const override { return true; }

  std::string prologue(const std::string& file_name) override {
    const std::string about = fmt::format(
        "software: bowerbird/{}\r\ndescription: {} of pages\r\nformat: WARC File Format 1.0\r\n"
        "conformsTo: http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf\r\n",
        BOWERBIRD_VERSION, main_only_ ? "main text" : "text");
    begin("warcinfo", warc_date(created_us_), file_name);
    field("WARC-Filename", file_name);
    field("Content-Type", "application/warc-fields");
    std::string out;
    finish(out, about);
    return out;
  }

  void append(std::string& out, Document& document) override {
    const std::string& text = main_only_ ? document.main_text() : document.all_text();
    const std::string_view page = document.warc().field("WARC-Record-ID");
    begin("conversion", document.warc().field("WARC-Date"), std::string(page) + document.url().text());
    field("WARC-Target-URI", document.url().text());
    if (!page.empty()) field("WARC-Refers-To", page);
    field("WARC-Block-Digest", "sha1:" + base32(sha1(text)));
    const std::string languages = fmt::format("{}", fmt::join(identify_languages(text), ","));
    if (!languages.empty()) field("WARC-Identified-Content-Language", languages);
    field("Content-Type", "text/plain");
    finish(out, text);
  }

 private:
  // The id is made from `name`, so that the same page gives the same record.
  void begin(std::string_view type, std::string_view date, const std::string& name) {
    record_ = "WARC/1.0\r\n";
    field("WARC-Type", type);
    field("WARC-Date", date);
    field("WARC-Record-ID", RecordIds(hash64(name, 1), hash64(name, 2)).next());
  }
  void field(std::string_view name, std::string_view value) {
    record_ += fmt::format("{}: {}\r\n", name, value);
  }
  void finish(std::string& out, std::string_view block) {
    field("Content-Length", fmt::format("{}", block.size()));
    record_ += "\r\n";
    record_ += block;
    record_ += "\r\n\r\n";
    out += compressor_.pack(record_);
  }

  bool main_only_;
  std::int64_t created_us_;
  RecordCompressor compressor_;
  std::string record_;
};

}  // namespace

std::unique_ptr<Format> make_wet_format(const FormatOptions& options) {
  return std::make_unique<WetRecords>(options);
}

}  // namespace bowerbird
