#include "url/url_table.h"

#include "base/check.h"
#include "base/hash.h"

namespace bowerbird {

namespace {

constexpr unsigned kFirstBits = 12;

}  // namespace

UrlTable::UrlTable() : slots_(std::size_t{1} << kFirstBits, Slot{0, 0, kNoPage}), shift_(64 - kFirstBits) {}

std::uint64_t UrlTable::fingerprint(std::string_view canonical) {
  return hash64(canonical);
}

PageId UrlTable::find(std::uint64_t fingerprint) const {
  const auto low = static_cast<std::uint32_t>(fingerprint),
             high = static_cast<std::uint32_t>(fingerprint >> 32);
  for (std::size_t i = slot_of(fingerprint);; i = (i + 1) & (slots_.size() - 1)) {
    const Slot& slot = slots_[i];
    if (slot.page == kNoPage || (slot.low == low && slot.high == high)) return slot.page;
  }
}

PageId UrlTable::add(std::uint64_t fingerprint, HostId host, bool https, std::string_view target) {
  CHECK(pages_.size() < kMaxPages);
  CHECK(target.size() <= 0xffff);
  if ((pages_.size() + 1) * 4 > slots_.size() * 3) grow();
  const auto page = static_cast<PageId>(pages_.size());
  place(fingerprint, page);
  Page entry{};
  entry.at = keep(target);
  entry.https = https ? 1 : 0;
  entry.size = target.size() & 0xffff;
  entry.host = host;
  pages_.push_back(entry);
  return page;
}

void UrlTable::place(std::uint64_t fingerprint, PageId page) {
  std::size_t i = slot_of(fingerprint);
  while (slots_[i].page != kNoPage) i = (i + 1) & (slots_.size() - 1);
  slots_[i] = {static_cast<std::uint32_t>(fingerprint), static_cast<std::uint32_t>(fingerprint >> 32), page};
}

void UrlTable::grow() {
  std::vector<Slot> old(slots_.size() * 2, Slot{0, 0, kNoPage});
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.page != kNoPage) place(std::uint64_t{slot.high} << 32 | slot.low, slot.page);
  }
}

std::uint64_t UrlTable::keep(std::string_view text) {
  if (used_ + text.size() > kBlock) {
    blocks_.push_back(std::make_unique<char[]>(kBlock));
    used_ = 0;
  }
  char* const at = blocks_.back().get() + used_;
  text.copy(at, text.size());
  const std::uint64_t place = (blocks_.size() - 1) * kBlock + used_;
  used_ += text.size();
  return place;
}

std::string_view UrlTable::target(PageId page) const {
  const Page& entry = pages_[page];
  const std::uint64_t at = entry.at;
  return {blocks_[at / kBlock].get() + at % kBlock, entry.size};
}

std::uint64_t UrlTable::bytes() const {
  return slots_.capacity() * sizeof(Slot) + pages_.capacity() * sizeof(Page) + blocks_.size() * kBlock;
}

}  // namespace bowerbird
