// Metadata of pages as WARC records, like the WAT files of Common Crawl: a `metadata` record per page.
//
// The block of a record is one JSON object. `Container` says where the page lies; `Envelope` has the fields
// of its WARC record and of its response, and `HTML-Metadata`: title, <meta> elements and links, as written
// on the page. Numbers are strings, as Common Crawl writes them. Left out are Gzip-Metadata of the container,
// and links of <video>, <audio>, <object> and <embed>. A file begins with a warcinfo record.
#pragma once

#include <memory>

#include "export/format.h"

namespace bowerbird {

std::unique_ptr<Format> make_wat_format(const FormatOptions& options);

}  // namespace bowerbird
