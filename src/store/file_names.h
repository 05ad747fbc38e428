// File names for URLs: readable, safe on any file system, and never outside of the folder they are put in.
#pragma once

#include <string>
#include <string_view>

namespace bowerbird {

// One name: letters, digits and -._~=&,+@%() stay, all else becomes _; "." and ".." and empty become _; too
// long ones are cut and end in a number that tells them apart.
std::string file_name_of(std::string_view text);

// "http://host:81/a/b/?q=1" -> "host_81/a/b/index.html_q=1". What is no http URL is one name.
std::string file_path_of_url(std::string_view url);

}  // namespace bowerbird
