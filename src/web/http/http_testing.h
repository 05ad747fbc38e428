// A small HTTP/1 reader for tests: one response from the front of a stream, judged by RFC 9112, 6.3.
#pragma once

#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "web/http/http1.h"

namespace bowerbird {

struct TestResponse {
  int status = 0;
  std::map<std::string, std::string> fields;
  std::string body;
  std::size_t used = 0;
  bool chunked = false;
};

// The chunked body at the front of `rest`; nullopt if it is not whole and right. `used` counts its bytes.
inline std::optional<std::string> read_chunks(std::string_view rest, std::size_t& used) {
  std::string body;
  const std::size_t all = rest.size();
  for (;;) {
    std::size_t size = 0;
    const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), size, 16);
    if (fault != std::errc() || !std::string_view(end, rest.data() + rest.size()).starts_with("\r\n")) {
      return std::nullopt;
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 2);
    if (rest.size() < size + 2 || rest.substr(size, 2) != "\r\n") return std::nullopt;
    body.append(rest.substr(0, size));
    rest.remove_prefix(size + 2);
    if (size == 0) {
      used += all - rest.size();
      return body;
    }
  }
}

// nullopt: not a whole response. at_end: nothing will follow the bytes.
inline std::optional<TestResponse> read_response(std::string_view bytes, bool head = false,
                                                 bool at_end = false) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (!bytes.starts_with("HTTP/1.1 ") || end == bytes.npos) return std::nullopt;
  TestResponse response;
  std::from_chars(bytes.data() + 9, bytes.data() + 12, response.status);
  std::string_view lines = bytes.substr(0, end + 2);
  lines.remove_prefix(lines.find('\n') + 1);
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find("\r\n"));
    const std::size_t colon = line.find(": ");
    response.fields[std::string(line.substr(0, colon))] = line.substr(colon + 2);
    lines.remove_prefix(line.size() + 2);
  }
  response.used = end + 4;
  const std::string_view rest = bytes.substr(response.used);
  if (head || response.status == 204 || response.status == 304) return response;
  if (response.fields.contains("transfer-encoding")) {
    response.chunked = true;
    const auto body = read_chunks(rest, response.used);
    if (!body) return std::nullopt;
    response.body = *body;
  } else if (response.fields.contains("content-length")) {
    const std::size_t length = std::stoul(response.fields["content-length"]);
    if (rest.size() < length) return std::nullopt;
    response.body = rest.substr(0, length);
    response.used += length;
  } else {
    if (!at_end) return std::nullopt;
    response.body = rest;
    response.used = bytes.size();
  }
  return response;
}

}  // namespace bowerbird
