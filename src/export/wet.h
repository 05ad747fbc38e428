// Text of pages as WARC records, like the WET files of Common Crawl: a `conversion` record per page.
//
// A file begins with a warcinfo record. Each record is compressed alone, so that it can be read by its
// offset. WARC-Refers-To names the record with the page, WARC-Identified-Content-Language its languages in
// ISO 639-3, most text first. WARC 1.0, as Common Crawl writes it (ISO 28500:2009, section 6.8).
#pragma once

#include <memory>

#include "export/format.h"

namespace bowerbird {

std::unique_ptr<Format> make_wet_format(const FormatOptions& options);

}  // namespace bowerbird
