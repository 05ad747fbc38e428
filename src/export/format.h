// A document as bytes of an output format.
//
// A format is a pure function of a document, so that threads write documents independently and the output is
// their concatenation, after prologue(). Formats whose documents are compressed one by one (WARC) do that
// themselves (packed()). Each thread has a format object of its own. Threads: one user at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "export/chunks.h"
#include "export/document.h"
#include "export/document_fields.h"
#include "sys/stream.h"

namespace bowerbird {

struct FormatOptions {
  std::string name;                              // one of format_names()
  Compression compression = Compression::kNone;  // of the file
  FieldList fields = default_fields();           // of jsonl, csv and bulk
  bool main_only = false;                        // wet: the main text instead of all text
  ChunkOptions chunks;                           // of chunks
  std::int64_t created_us = 0;                   // wall clock: in the warcinfo record
};

class Format {
 public:
  virtual ~Format() = default;
  // What a file begins with; `file_name` is without its folder.
  virtual std::string prologue(const std::string& file_name) {
    static_cast<void>(file_name);
    return {};
  }
  virtual void append(std::string& out, Document& document) = 0;
  // Whether append() compresses.
  virtual bool packed() const { return false; }
};

struct FormatInfo {
  std::string_view name;
  std::string_view extension;
  std::string_view about;
  bool one_file_per_page = false;  // can be written as a folder of pages
};

const std::vector<FormatInfo>& formats();
const FormatInfo* find_format(std::string_view name);
std::unique_ptr<Format> make_format(const FormatOptions& options);

}  // namespace bowerbird
