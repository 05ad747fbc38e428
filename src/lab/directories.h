// The directories of a web's URLs as dense numbers, for orderings that judge a page by its neighbours.
#pragma once

#include "graph/web.h"
#include "policy/registry.h"

namespace bowerbird {

// Numbers them on demand; two pages have the same directory if their URLs agree up to the last slash of the
// path. `names` outlives the result, which has one owner.
GroupOf directories_of(const PageNames& names);

}  // namespace bowerbird
