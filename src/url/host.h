// What a URL's text tells without parsing it by the book: its host, its path, whether it is a home page.
//
// For the names of pages in graph files, which are URLs as somebody once wrote them. Nothing is made
// canonical beyond lower case and the default port; what a crawler fetches goes through the full parser
// instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bowerbird {

// "HTTP://me@WWW.Example.org:8080/x" -> "www.example.org:8080": lower case, without a dot at the end,
// the port only where it is not the scheme's own. Without a scheme the text must begin with a name that has a
// dot, or "localhost" or an address
// ("www.example.org/x"). Empty where there is no host.
std::string host_of_url(std::string_view url);

// The path of a URL, without query and fragment: "/a/b.html"; empty where there is none.
std::string_view path_of_url(std::string_view url);

// Slashes in the path: 1 for a home page, 2 for "/a/".
std::uint32_t path_slashes(std::string_view url);
// Names in the path: 0 for a home page, 1 for "/a" and "/a/", 2 for "/a/b.html".
std::uint32_t path_depth(std::string_view url);
std::uint32_t names_in_path(std::string_view path);
// The path is "/" or missing, and there is no query.
bool is_home_page(std::string_view url);

}  // namespace bowerbird
