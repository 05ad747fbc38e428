// Title, author and date that a plain text states at its beginning.
//
// In this order: fields ("Title: ...", "Author: ...", "Subject: ...", "From: ...", "Date: ..."), as e-mails,
// front matter and many books have them; a heading of Markdown ("# Title", or a line with "====" below it); a
// short first line with an empty line after it. An author may also be a line "by ..." below the title. Only
// the first kMostLines lines are looked at. What is not stated is empty. Strings are valid UTF-8 on one line
// if the text is valid UTF-8. Pure; threads: any.
#pragma once

#include <string_view>

#include "parse/text/page_facts.h"

namespace bowerbird {

DocumentFacts read_plain_facts(std::string_view text);

}  // namespace bowerbird
