#include "replay/our_page.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "dash/assets.h"
#include "dash/escape.h"

namespace bowerbird {

std::string our_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, "
      "initial-scale=1\">\n<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n<div "
      "class=\"bare\">\n{}</div>\n</body>\n</html>\n",
      html_escaped(title), asset("page.css"), asset("replay.css"), body);
}

void send_our_page(int status, std::string_view title, std::string_view body, HttpResponse& response) {
  response.clear();
  response.status = status;
  response.add_field("content-type") = "text/html; charset=utf-8";
  response.add_field("content-security-policy") =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self'; "
      "frame-ancestors 'none'";
  response.add_field("x-content-type-options") = "nosniff";
  response.add_field("referrer-policy") = "no-referrer";
  response.add_field("cross-origin-opener-policy") = "same-origin";
  response.add_field("cross-origin-resource-policy") = "same-origin";
  response.add_field("cache-control") = "no-store";
  response.body = our_page(title, body);
}

void send_message(int status, std::string_view headline, std::string_view sentence, std::string_view list,
                  HttpResponse& response) {
  send_our_page(
      status, headline,
      fmt::format("<header><p class=\"brand\"><b>Bowerbird</b> <span>replay</span></p></header>\n<h1 "
                  "class=\"headline\">{}</h1>\n<p class=\"lead\">{}</p>\n<p><a href=\"{}\">All pages of this "
                  "capture</a></p>\n",
                  html_escaped(headline), html_escaped(sentence), html_escaped(list)),
      response);
}

std::string_view host_of_authority(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.find(':'));
}

bool is_own_authority(std::string_view authority, std::string_view listen_host, std::uint16_t port) {
  const std::string_view host = host_of_authority(authority);
  const std::string_view rest = authority.substr(host.size());
  if (rest != fmt::format(":{}", port) && !(rest.empty() && port == 80)) return false;
  return host == "127.0.0.1" || host == "[::1]" || equals_ignoring_case(host, "localhost") ||
         (!listen_host.empty() && host == listen_host);
}

}  // namespace bowerbird
