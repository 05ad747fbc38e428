// Multiplies the worth of some pages by a factor, for any ordering.
//
// Problem: a user wants the pages of one site earlier, whatever the ordering. The score that the frontier
// keeps is that of the inner ordering for a page whose worth is multiplied by a factor (Policy::scaled()); it
// is divided again before the inner ordering sees it. So the factor changes when a page is fetched, and not
// what its links are worth. Scores of pages with the factor 1 are unchanged, bit for bit. Without priorities
// the ordering is used as it is. Threads: one owner.
#pragma once

#include <functional>
#include <memory>

#include "policy/policy.h"

namespace bowerbird {

// The factor of a page, above 0; the same for a page at all times.
using PriorityOf = std::function<double(PageId)>;

std::unique_ptr<Policy> with_priorities(std::unique_ptr<Policy> order, PriorityOf priority);

}  // namespace bowerbird
