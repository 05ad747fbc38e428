// Parts of a URL's text without a full parse: its host, its path, whether it is a home page.
//
// For the names of pages in graph files, which are URLs as found. Only lower case and the default port are
// normalised; URLs that a crawler fetches go through the full parser instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bowerbird {

// "HTTP://me@WWW.Example.org:8080/x" -> "www.example.org:8080": lower case, without a dot at the end, with
// the port if it is not the scheme's default. Without a scheme the text must begin with a name that contains
// a dot, "localhost" or an address ("www.example.org/x"). Empty if there is no host.
std::string host_of_url(std::string_view url);

// The path of a URL, without query and fragment: "/a/b.html"; empty if there is none.
std::string_view path_of_url(std::string_view url);

// Names in the path: 0 for a home page, 1 for "/a" and "/a/", 2 for "/a/b.html".
std::uint32_t path_depth(std::string_view url);
std::uint32_t names_in_path(std::string_view path);
// The path is "/" or missing, and there is no query.
bool is_home_page(std::string_view url);

}  // namespace bowerbird
