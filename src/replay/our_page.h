// Pages of the replay itself: the list, the calendar, messages. They look like the reports, run no script
// and load nothing.
//
// Text from captures is escaped, here or by the caller (dash/escape.h). Pure; threads: any.
#pragma once

#include <string>
#include <string_view>

#include "web/http/handler.h"

namespace bowerbird {

// body: HTML.
std::string our_page(std::string_view title, std::string_view body);
// Puts the page into a response, with a Content-Security-Policy that allows no scripts and no loading.
void send_our_page(int status, std::string_view title, std::string_view body, HttpResponse& response);
// A page with a headline, a sentence (both plain text), and a link to the list at the URL `list`.
void send_message(int status, std::string_view headline, std::string_view sentence, std::string_view list,
                  HttpResponse& response);
// Whether a request is meant for us: `authority` is a name of this machine with our port. Other names
// would allow DNS rebinding: a Web page could point its own name at us and read the answer.
bool is_own_authority(std::string_view authority, std::string_view listen_host, std::uint16_t port);
// The host of an authority: "127.0.0.1:8701" -> "127.0.0.1".
std::string_view host_of_authority(std::string_view authority);

}  // namespace bowerbird
