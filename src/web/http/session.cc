#include "web/http/session.h"

#include <algorithm>

#include "parse/dates.h"

namespace bowerbird {

std::string_view ServeContext::date(std::int64_t web_us) {
  const std::int64_t second = web_us / 1'000'000;
  if (second != date_second_) {
    date_second_ = second;
    date_ = format_http_date(second);
  }
  return date_;
}

std::uint64_t SendRate::allowed(std::int64_t now_us, std::uint64_t size) const {
  if (now_us < begin_us) return 0;
  if (bytes_per_second == 0) return size;
  const double bytes = static_cast<double>(now_us - begin_us) * 1e-6 * static_cast<double>(bytes_per_second);
  return std::min(size, 1 + static_cast<std::uint64_t>(std::min(bytes, 1e15)));
}

std::int64_t SendRate::next_us(std::uint64_t sent) const {
  if (bytes_per_second == 0) return begin_us;
  // A hundred portions per second, each at least one byte.
  const std::uint64_t portion = std::max<std::uint64_t>(1, bytes_per_second / 100);
  const double us = static_cast<double>(sent + portion) * 1e6 / static_cast<double>(bytes_per_second);
  return begin_us + static_cast<std::int64_t>(us) + 1;
}

std::string_view status_reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Answer";
  }
}

}  // namespace bowerbird
