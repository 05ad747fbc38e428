// A calendar date as people write it: "4 September 2025", "Sep 4, 2025", "2025-09-04", "04.09.2025".
//
// Month names are English, German, French, Spanish, Italian and Portuguese. Of "3/4/2025" the first number is
// the month, unless it is above 12. Years from 1990 to 2099. Pure; threads: any.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// The first date in `text` as "2025-09-04", or empty.
std::string find_written_date(std::string_view text);

}  // namespace bowerbird
