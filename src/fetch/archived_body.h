// How the body of a response goes into an archive.
//
// Readers of archives undo gzip and br. Servers that use another coding, though requests do not offer it, or
// name one that they did not apply, would leave pages that nobody can show: these codings are undone before
// storing, and the store notes what the server said as X-Archive-Orig-Content-Encoding. Pure; threads: any.
#pragma once

#include <string_view>

#include "fetch/coding.h"
#include "fetch/fetcher.h"

namespace bowerbird {

// Undoes codings that readers of archives do not know. What cannot be decoded stays as it is.
void undo_rare_codings(FetchOutcome& fetch, const CodingLimits& limits);

// A body that the server, or time, cut off, and that came with a complete head.
bool has_partial_body(const FetchOutcome& fetch);

}  // namespace bowerbird
