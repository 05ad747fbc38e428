// An SVG as pixels.
//
// Fails with what librsvg or cairo say. Threads: one call at a time.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace bowerbird {

// PNG, `scale` pixels for each unit of the drawing.
Result<std::string> png_of_svg(std::string_view svg, double scale = 2);

}  // namespace bowerbird
