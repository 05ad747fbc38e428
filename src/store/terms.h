// The records of terms.log: of a page, its id and its words (parse/page_terms.h).
//
// Terms are ascending and coded as differences, anchor words as places among the terms of their page. A page
// of a thousand words takes about 3 bytes for each different one.
#pragma once

#include <string>

#include "base/ids.h"
#include "base/varint.h"
#include "parse/page_terms.h"

namespace bowerbird {

void put_terms_record(std::string& out, PageId page, const PageTerms& terms);
// Answers the page. Rejects the input where it makes no sense; numbers of links may be any.
PageId get_terms_record(VarintReader& in, PageTerms& terms);

}  // namespace bowerbird
