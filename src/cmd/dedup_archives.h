// The archives that crawls used with --dedup: their revisits refer to records there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/other_payloads.h"

namespace bowerbird {

// Those of the crawls among the inputs; null: there are none. Warns if one cannot be read.
std::unique_ptr<OtherPayloads> open_dedup_archives(const std::vector<std::string>& inputs);

}  // namespace bowerbird
