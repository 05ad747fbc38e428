// The templates of the synthetic web: menus, and links to the index.
#include <cmath>

#include "graph/synthetic_model.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kMenuStep = 0x9e3779b97f4a7c15u;

// Shares of 256.
constexpr unsigned kNoMenu = 76;          // directories that do not show their site's menu
constexpr unsigned kShortMenu = 34;       // ... that show a third of it
constexpr unsigned kInnerMenu = 30;       // ... that show that of a directory in between
constexpr unsigned kWayUp = 112;          // ... whose pages link to their index
constexpr std::uint32_t kMainSpread = 3;  // entries are one in three of the site's first pages

}  // namespace

// The sizes of menus are log-uniform; that of a site is limited by its number of pages.
std::uint32_t SyntheticModel::menu_entries(const Directory& directory, bool of_site) const {
  const std::uint32_t sixteenths =
      scaled(menu_size_[(directory.key >> 40) & 255], scale_.menu, directory.kind());
  if (!of_site) return std::min(sixteenths / 64, kMaxMenu);
  const double deserved = 2 + menu_per_root_ * std::sqrt(static_cast<double>(directory.size));
  return std::min({sixteenths / 16, static_cast<std::uint32_t>(deserved), kMaxMenu});
}

// The index, main pages from the first pages of the directory, and sections (parts) beyond those, ascending;
// `shown` of 256 of the entries.
void SyntheticModel::write_menu(const Directory& directory, bool inner, std::uint32_t entries,
                                std::uint32_t shown, LinkList<kMaxMenu + 1>& menu) const {
  menu.size = 0;
  menu.push(directory.first);
  std::uint32_t sections = inner ? std::min(tree_.parts(directory) / 2, entries / 3) : 0;
  std::uint32_t mains = std::min(entries - sections, directory.size - 1);
  if (mains > 0) {
    // One of each of `mains` equal ranges: 16 bits of fraction, and a jitter of 12 bits.
    const std::uint32_t step = (std::min(directory.size - 1, kMainSpread * mains) << 16) / mains;
    mains = (mains * shown) >> 8;
    PageId last = directory.first;
    std::uint32_t n = menu.size;
    std::uint64_t dice = 0;
    for (std::uint32_t i = 0; i < mains; ++i, dice >>= 16) {
      if (i % 4 == 0) dice = mix64(directory.key + i * kMenuStep);
      const std::uint32_t jitter = (static_cast<std::uint32_t>(dice & 0xfff) * step) >> 12;
      const PageId page = directory.first + 1 + ((i * step + jitter) >> 16);
      menu.at[n] = page;
      n += page != last;
      last = page;
    }
    menu.size = n;
  }
  if (sections == 0) return;
  const std::uint32_t stride = tree_.parts(directory) / sections;
  sections = (sections * shown) >> 8;
  std::uint32_t n = menu.size;
  const PageId last = menu.last();
  for (std::uint32_t i = 0; i < sections; ++i) {
    const PageId section = tree_.listed_part(directory, i * stride);
    menu.at[n] = section;
    n += (section > last) & (section != kNoPage);
  }
  menu.size = n;
}

void SyntheticModel::add_menus(std::uint64_t bits, Common& common) const {
  const TreePosition& position = common.position;
  const Directory& top = position.at(position.top);
  const std::uint64_t theme = bits & 255;
  if (theme >= kNoMenu) {
    const std::uint32_t shown = theme < kNoMenu + kShortMenu ? 90 : 256;
    if (common.menu_of != top.first || common.menu_shown != shown) {
      common.menu_of = top.first;
      common.menu_shown = shown;
      write_menu(top, !tree_.leaf(top), menu_entries(top, true), shown, common.menu);
    }
    merge_into(common.links, common.menu);
    if (position.site != position.top) {
      LinkList<kMaxMenu + 1> menu;
      const Directory& site = position.at(position.site);
      write_menu(site, !tree_.leaf(site), menu_entries(site, true), shown, menu);
      merge_into(common.links, menu);
    }
  }
  const int deepest_inner = position.leaf ? position.depth - 1 : position.depth;
  for (int level = position.site + 1; level <= deepest_inner; ++level) {
    if (((bits >> (8 + 4 * (level & 7))) & 255) >= kInnerMenu) continue;
    LinkList<kMaxMenu + 1> menu;
    write_menu(position.at(level), true, menu_entries(position.at(level), false), 256, menu);
    merge_into(common.links, menu);
  }
  if (common.way_up) {
    common.links.size = insert_link(position.directory().first, common.links.at.data(), common.links.size);
  }
}

// The common part of pages once their position is known; `shown`: whether menus and partners are needed.
void SyntheticModel::share(PageId page, bool shown, Common& common) const {
  const Directory& directory = common.position.directory();
  const std::uint64_t bits = mix64(directory.kind());
  common.last = common.position.leaf ? directory.last() : page;
  common.way_up = (bits >> 56) < kWayUp;
  common.links.size = 0;
  if (!shown) return;
  add_menus(bits, common);
  if (connected()) add_partners(common);
  const std::uint32_t before = links_below(common.links.at.data(), common.links.size, directory.first);
  common.inside = before < common.links.size && common.links.at[before] <= common.last;
}

void SyntheticModel::prepare(PageId page, Common& common) const {
  locate(page, common);
  share(page, true, common);
}

}  // namespace bowerbird
