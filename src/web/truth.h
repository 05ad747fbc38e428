// The true changes of a test Web, written to a file beforehand, to judge a crawler by.
//
// One line of JSON per page: {"page":7,"url":"http://...","rate":0.14,"born":0,"changes":[1.25,9.5]}. `rate`
// is changes of the text per day; `born` and `changes` are days after the start of the Web. New links on a
// page are not a change of its text.
#pragma once

#include <string>

#include "base/result.h"
#include "web/site.h"

namespace bowerbird {

// Covers the first `days` after the site's start. The file is written completely or not at all.
Status write_truth(const Site& site, double days, const std::string& path);

}  // namespace bowerbird
