#include "store/links.h"

namespace bowerbird {

std::optional<std::string_view> url_in_block(const Block& block, PageId page) {
  if (page < block.first) return std::nullopt;
  VarintReader in(block.raw);
  for (std::uint64_t i = block.first; i < page && in.ok(); ++i) get_url_record(in);
  const std::string_view url = get_url_record(in);
  if (!in.ok()) return std::nullopt;
  return url;
}

void put_links_record(std::string& out, PageId page, std::span<const StoredLink> links) {
  put_varint(out, page);
  put_varint(out, links.size());
  std::int64_t before = page;
  for (const StoredLink& link : links) {
    put_varint(out, zigzag(std::int64_t{link.page} - before) << 1 | (link.flags != 0 ? 1 : 0));
    if (link.flags != 0) out.push_back(static_cast<char>(link.flags));
    before = link.page;
  }
}

void get_links_record(VarintReader& in, PageLinks& links) {
  links.page = static_cast<PageId>(in.get_at_most(kMaxPages - 1));
  const std::uint64_t count = in.get_at_most(in.left());  // a link takes at least one byte
  links.links.clear();
  std::int64_t before = links.page;
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    const std::uint64_t code = in.get_at_most(std::uint64_t{1} << 34);
    const std::uint8_t flags = (code & 1) != 0 ? in.get_byte() : std::uint8_t{0};
    before += unzigzag(code >> 1);
    if (before < 0 || before >= static_cast<std::int64_t>(kMaxPages)) {
      in.reject();
      return;
    }
    links.links.push_back({static_cast<PageId>(before), flags});
  }
}

}  // namespace bowerbird
