// Bytes compressed as servers and archives do, for tests.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace bowerbird {

// window: as for deflateInit2(): -15 for a bare stream, 15 for zlib, 31 for gzip.
inline std::string compressed_for_test(std::string_view text, int window) {
  std::string out(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, window, 9, Z_DEFAULT_STRATEGY) != Z_OK) return "";
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int code = deflate(&stream, Z_FINISH);
  out.resize(code == Z_STREAM_END ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

}  // namespace bowerbird
