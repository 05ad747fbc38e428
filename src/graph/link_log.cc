#include "graph/link_log.h"

#include <vector>

namespace bowerbird {

namespace {

constexpr std::uint64_t kPiece = 64 * 1024;
constexpr std::size_t kMostBytes = 5;  // of a number

}  // namespace

void LinkLog::put(std::uint8_t*& at, std::uint32_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<std::uint8_t>(value | 0x80);
  *at++ = static_cast<std::uint8_t>(value);
}

void LinkLog::cut() {
  if (pieces_.size() == 0 || bytes_.size() - pieces_[pieces_.size() - 1] >= kPiece) {
    pieces_.push_back(bytes_.size());
  }
}

void LinkLog::append(Node page, std::span<const Node> links) {
  cut();
  const std::size_t from = bytes_.size();
  bytes_.grow_to(from + kMostBytes * (links.size() + 2));
  std::uint8_t* at = bytes_.data() + from;
  put(at, page);
  put(at, static_cast<std::uint32_t>(links.size()));
  Node last = page;
  for (const Node link : links) {
    put(at, zigzag(link - last));
    last = link;
  }
  bytes_.resize(static_cast<std::size_t>(at - bytes_.data()));
  ++rows_;
  links_ += links.size();
}

void LinkLog::save(ByteWriter& out) const {
  out.put(rows_);
  out.put_array(bytes_.view());
}

// Every number is read with care and appended again, so that a log that was loaded is one that was written.
void LinkLog::load(ByteReader& in, std::uint32_t nodes) {
  const auto rows = in.get<std::uint64_t>();
  std::vector<std::uint8_t> packed;
  in.get_array(packed);
  std::size_t at = 0;
  const auto next = [&]() -> std::uint32_t {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      if (at == packed.size()) break;
      const std::uint64_t byte = packed[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        if (value > 0xffffffffu) break;
        return static_cast<std::uint32_t>(value);
      }
    }
    in.reject();
    return 0;
  };
  std::vector<Node> links;
  while (at < packed.size() && in.ok()) {
    const Node page = next();
    const std::uint32_t count = next();
    if (count > packed.size() - at || page >= nodes) return in.reject();
    links.clear();
    Node last = page;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
      last += unzigzag(next());
      if (last >= nodes) in.reject();
      links.push_back(last);
    }
    if (in.ok()) append(page, links);
  }
  if (rows != rows_) in.reject();
}

}  // namespace bowerbird
