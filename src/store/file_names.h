// File names for URLs: readable, valid on any file system, and always inside the folder. Pure.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// One name. Letters, digits and -._~=&,+@%() are kept, everything else becomes _; ".", ".." and the empty
// name become _ too. Long names are truncated and end in a number that makes them distinct.
std::string file_name_of(std::string_view text);

// "http://host:81/a/b/?q=1" -> "host_81/a/b/index.html_q=1". Other schemes give a single name.
std::string file_path_of_url(std::string_view url);

}  // namespace bowerbird
