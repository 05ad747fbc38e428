#include "store/terms.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kMostCount = 0xffff'ffffu;

// For each term: the difference to the previous one minus one, and two flags: whether its count in the text
// follows (otherwise it is 1), and whether its count in the title follows (otherwise it is 0).
std::string encoded(const PageTerms& page) {
  std::string out;
  put_varint(out, page.terms.size());
  std::uint64_t next = 0;
  for (const TermCount& one : page.terms) {
    put_varint(out, (one.term - next) << 2 | (one.body != 1 ? 2u : 0u) | (one.title != 0 ? 1u : 0u));
    if (one.body != 1) put_varint(out, one.body);
    if (one.title != 0) put_varint(out, one.title);
    next = std::uint64_t{one.term} + 1;
  }
  // For each link with words: the number of links skipped, the number of words, and their positions as
  // differences.
  std::uint64_t next_link = 0;
  for (std::size_t i = 0; i < page.anchors.size();) {
    const std::uint32_t link = page.anchors[i].link;
    std::size_t end = i;
    while (end < page.anchors.size() && page.anchors[end].link == link) ++end;
    put_varint(out, link - next_link);
    put_varint(out, end - i);
    for (std::uint64_t next_place = 0; i < end; ++i) {
      put_varint(out, page.anchors[i].place - next_place);
      next_place = std::uint64_t{page.anchors[i].place} + 1;
    }
    next_link = std::uint64_t{link} + 1;
  }
  return out;
}

bool decode(std::string_view record, PageTerms& page) {
  page.terms.clear();
  page.anchors.clear();
  VarintReader in(record);
  std::uint64_t next = 0;
  for (std::uint64_t left = in.get_at_most(record.size()); left > 0 && in.ok(); --left) {
    const std::uint64_t code = in.get();
    const std::uint64_t term = next + (code >> 2);
    if (term > kMaxTerm) return false;
    TermCount one{static_cast<Term>(term), 1, 0};
    if ((code & 2) != 0) one.body = static_cast<std::uint32_t>(in.get_at_most(kMostCount));
    if ((code & 1) != 0) one.title = static_cast<std::uint32_t>(in.get_at_most(kMostCount));
    page.terms.push_back(one);
    next = term + 1;
  }
  std::uint64_t next_link = 0;
  while (in.ok() && !in.at_end()) {
    const std::uint64_t link = next_link + in.get_at_most(kMostCount);
    if (link > kMostCount) return false;
    std::uint64_t next_place = 0;
    for (std::uint64_t left = in.get_at_most(in.left()); left > 0 && in.ok(); --left) {
      const std::uint64_t place = next_place + in.get_at_most(kMostCount);
      if (place >= page.terms.size()) return false;
      page.anchors.push_back({static_cast<std::uint32_t>(link), static_cast<std::uint32_t>(place)});
      next_place = place + 1;
    }
    next_link = link + 1;
  }
  return in.ok();
}

}  // namespace

void put_terms_record(std::string& out, PageId page, const PageTerms& terms) {
  put_varint(out, page);
  put_string(out, encoded(terms));
}

PageId get_terms_record(VarintReader& in, PageTerms& terms) {
  const auto page = static_cast<PageId>(in.get_at_most(kMaxPages - 1));
  if (!decode(in.get_string(), terms)) in.reject();
  return page;
}

}  // namespace bowerbird
