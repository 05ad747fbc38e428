// Pages of our own in a replay: the list, the calendar, messages. They look like the reports, run no script
// and load nothing.
//
// What comes from a capture is given as text and escaped here or by the caller (dash/escape.h). Pure;
// threads: any.
#pragma once

#include <string>
#include <string_view>

#include "web/http/handler.h"

namespace bowerbird {

// body: HTML.
std::string our_page(std::string_view title, std::string_view body);
// Puts it into a response, with a policy that lets nothing run and nothing be loaded.
void send_our_page(int status, std::string_view title, std::string_view body, HttpResponse& response);
// A page with a headline and a sentence, both texts, and a link to the list at `list`, a URL.
void send_message(int status, std::string_view headline, std::string_view sentence, std::string_view list,
                  HttpResponse& response);
// Whether a request is meant for us: `authority` is a name of this machine with our port. Other names would
// let a page of the Web read us through a name that it makes point here.
bool is_own_authority(std::string_view authority, std::string_view listen_host, std::uint16_t port);
// The host of an authority: "127.0.0.1" of "127.0.0.1:8701".
std::string_view host_of_authority(std::string_view authority);

}  // namespace bowerbird
