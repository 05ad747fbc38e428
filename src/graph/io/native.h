// Our own graph format (".bbg"): a web as arrays in one file that is mapped into memory, so that opening it
// costs nothing but checking it. docs/formats/native.md describes the bytes.
//
// Opening reads the whole file once: checksums of all sections, and every offset and link, so that no later
// pass can be led outside the arrays by a damaged file. With `trust` only header, table and host runs are
// checked and the file is not read through: for files that one wrote oneself, since a link out of range is
// then undefined behaviour. The file must not change while it is open; our writer replaces files, so a reader
// keeps the old one.
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

// Whether a file that begins so is one of ours.
bool is_native(std::string_view head);

Result<Web> open_native(const std::string& path, bool trust = false, const Progress& progress = {});
// The same for bytes in memory, aligned to 8; `keeper` owns them, `name` stands for the file in errors.
Result<Web> view_native(std::span<const std::uint8_t> bytes, std::shared_ptr<const void> keeper,
                        const std::string& name, bool trust = false, const Progress& progress = {});

// Any web, as a stream: the graph is passed over twice and never held. Weights are kept where the graph is a
// CsrGraph that has them. Does not finish the sink.
Status write_native(const Web& web, ByteSink& out, const Progress& progress = {}, bool with_names = true);

}  // namespace bowerbird
