// Our own graph format (".bbg"): a web as arrays in one file that is mapped into memory, so that opening it
// costs only the check. docs/formats/native.md describes the bytes.
//
// Opening reads the whole file once: checksums of all sections, and every offset and link, so that a damaged
// file cannot cause reads outside the arrays later. With `trust` only header, table and host runs are checked
// and the file is not read through. Use it only for files that you wrote yourself, since a link out of range
// is then undefined behaviour. The file must not change while it is open; our writer replaces files, so a
// reader keeps the old one.
//
// Ownership: the web keeps the mapping alive.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "graph/web.h"
#include "sys/file.h"

namespace bowerbird {

// Whether a file with these first bytes is a native graph.
bool is_native(std::string_view head);

Result<Web> open_native(const std::string& path, bool trust = false, const Progress& progress = {});
// The same for bytes in memory, aligned to 8; `keeper` owns them, `name` is used in errors.
Result<Web> view_native(std::span<const std::uint8_t> bytes, std::shared_ptr<const void> keeper,
                        const std::string& name, bool trust = false, const Progress& progress = {});

// Streams any web: two passes over the graph, which is never held in memory. Weights are kept if the graph is
// a CsrGraph that has them. Does not finish the sink.
Status write_native(const Web& web, ByteSink& out, const Progress& progress = {}, bool with_names = true);

}  // namespace bowerbird
