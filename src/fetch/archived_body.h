// Prepares the body of a response for an archive.
//
// Readers of archives support gzip and br. Some servers use other codings although requests do not offer
// them, or declare a coding that they did not apply; readers could not show such pages. So these codings
// are undone before storing, and the store keeps the declared coding as X-Archive-Orig-Content-Encoding.
// Pure; threads: any.
#pragma once

#include <string_view>

#include "fetch/coding.h"
#include "fetch/fetcher.h"

namespace bowerbird {

// Undoes codings that readers of archives do not support. What cannot be decoded is left unchanged.
void undo_rare_codings(FetchOutcome& fetch, const CodingLimits& limits);

// Whether the header is complete but the body was cut off, by the server or by a timeout.
bool has_partial_body(const FetchOutcome& fetch);

}  // namespace bowerbird
