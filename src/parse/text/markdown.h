// Chosen blocks of a page as Markdown (CommonMark, with the tables of GitHub Flavored Markdown).
//
// Headings, paragraphs, lists, quotes, tables, code with its language and line ends, links, images with their
// captions, and formulas as their TeX source says. Characters of the page that Markdown would read as markup
// are escaped. Tables that only lay out a page, with tables or long texts inside, are written as what they
// hold; colspan and rowspan are ignored, so that output is linear in the page. Pure; threads: any.
#pragma once

#include <string>
#include <vector>

#include "parse/text/html_tree.h"
#include "url/url.h"

namespace bowerbird {

// `chosen` has a flag for each block. Links are made absolute with `base`, where it is not empty.
std::string markdown(const HtmlTree& tree, const std::vector<bool>& chosen, const Url& base);

}  // namespace bowerbird
