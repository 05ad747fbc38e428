// The records of terms.log: the id of a page and its words (parse/page_terms.h).
//
// Terms are ascending and encoded as differences; words of links are positions among the terms of their
// page. A page with a thousand words takes about 3 bytes per distinct word. Pure.
#pragma once

#include <string>

#include "base/ids.h"
#include "base/varint.h"
#include "parse/page_terms.h"

namespace bowerbird {

void put_terms_record(std::string& out, PageId page, const PageTerms& terms);
// Returns the page. Fails if the record is invalid, except for link numbers, which may be anything.
PageId get_terms_record(VarintReader& in, PageTerms& terms);

}  // namespace bowerbird
