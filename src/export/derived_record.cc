#include "export/derived_record.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "store/warc_writer.h"
#include "version.h"

namespace bowerbird {

void DerivedRecord::begin(std::string_view type, std::string_view date, const std::string& name) {
  record_ = "WARC/1.0\r\n";
  field("WARC-Type", type);
  field("WARC-Date", date);
  field("WARC-Record-ID", RecordIds(hash64(name, 1), hash64(name, 2)).next());
}

void DerivedRecord::field(std::string_view name, std::string_view value) {
  record_ += fmt::format("{}: {}\r\n", name, value);
}

void DerivedRecord::finish(std::string& out, std::string_view block) {
  field("Content-Length", fmt::format("{}", block.size()));
  record_ += "\r\n";
  record_ += block;
  record_ += "\r\n\r\n";
  out += compressor_.pack(record_);
}

std::string DerivedRecord::warcinfo(std::int64_t created_us, const std::string& file_name,
                                    std::string_view description) {
  begin("warcinfo", warc_date(created_us), file_name);
  field("WARC-Filename", file_name);
  field("Content-Type", "application/warc-fields");
  std::string out;
  finish(out, fmt::format("software: bowerbird/{}\r\ndescription: {}\r\nformat: WARC File Format 1.0\r\n"
                          "conformsTo: http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf\r\n",
                          BOWERBIRD_VERSION, description));
  return out;
}

}  // namespace bowerbird
