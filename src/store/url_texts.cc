#include "store/url_texts.h"

#include <algorithm>

#include "store/links.h"

namespace bowerbird {

namespace {

// Size of a slot with a block, including allocation overhead.
constexpr std::uint64_t kSlotBytes = kUrlBlockBytes + 512;

}  // namespace

UrlTexts::UrlTexts(std::shared_ptr<const DiskFile> file, std::string name, std::uint64_t end,
                   std::uint64_t cache_bytes)
    : name_(name), reader_(std::move(file), std::move(name), end) {
  limit_cache(cache_bytes);
}

void UrlTexts::limit_cache(std::uint64_t bytes) {
  const auto slots = static_cast<std::size_t>(std::max<std::uint64_t>(1, bytes / kSlotBytes));
  if (slots == slots_.size()) return;
  slots_ = std::vector<Slot>(slots);
}

Result<std::string> UrlTexts::url(PageId page) {
  BB_TRY(const std::optional<std::size_t> number, reader_.number_of(page));
  if (!number) return error("{}: there is no page {}", name_, page);
  Slot& slot = slots_[*number % slots_.size()];
  if (slot.number != *number) {
    slot.number = ~std::uint64_t{0};
    BB_TRY_VOID(reader_.read(*number, slot.block));
    slot.number = *number;
  }
  const std::optional<std::string_view> url = url_in_block(slot.block, page);
  if (!url) return error("{}: record {} is corrupt", name_, page);
  return std::string(*url);
}

std::uint64_t UrlTexts::cache_bytes() const {
  std::uint64_t used = 0;
  for (const Slot& slot : slots_) used += slot.block.raw.capacity();
  return used + slots_.size() * sizeof(Slot);
}

std::uint64_t UrlTexts::bytes() const {
  return cache_bytes() + reader_.bytes();
}

}  // namespace bowerbird
