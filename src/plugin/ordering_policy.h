// Adds orderings of plug-ins (plugin.h), and of programs that use the library, to the registry.
//
// Adapts an ordering of the public interface (include/bowerbird/ordering.h) to Policy. The ordering may
// be wrong: a NaN becomes the lowest score, and an exception becomes the ordering's error, which ends the
// run. Threads: any.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "plugin/public_interface.h"

namespace bowerbird {

using OrderingMaker = std::function<std::unique_ptr<v1::Ordering>(const v1::OrderingContext&)>;

// Adds a row to the registry (policy/registry.h), or replaces one that was added before.
Status add_ordering(const std::string& name, const std::string& summary, OrderingMaker make);

}  // namespace bowerbird
