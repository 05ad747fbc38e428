// A WARC record that is made from a page: of type `conversion` or `metadata`, or the warcinfo before them.
//
// Each record is compressed alone, so that it can be read by its offset. Its id is made from a name, so that
// the same page gives the same record. WARC 1.0, as Common Crawl writes it (ISO 28500:2009).
// Threads: one user.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/record_compressor.h"

namespace bowerbird {

class DerivedRecord {
 public:
  explicit DerivedRecord(Compression compression) : compressor_(compression, 0) {}

  void begin(std::string_view type, std::string_view date, const std::string& name);
  void field(std::string_view name, std::string_view value);
  // Appends the record with this block to `out`.
  void finish(std::string& out, std::string_view block);

  // A whole warcinfo record.
  std::string warcinfo(std::int64_t created_us, const std::string& file_name, std::string_view description);

 private:
  RecordCompressor compressor_;
  std::string record_;
};

}  // namespace bowerbird
