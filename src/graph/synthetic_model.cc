#include "graph/synthetic_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/check.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;

// Shares of 256 (docs/synthetic-web.md says how they were found).
constexpr unsigned kNoMenu = 76;          // directories that do not show their site's menu,
constexpr unsigned kShortMenu = 110;      // ... and those that show a third of it at most
constexpr unsigned kBarePages = 26;       // pages that show no menu in a directory that does
constexpr unsigned kWayUp = 112;          // directories whose pages lead to its index
constexpr unsigned kInnerMenu = 128;      // inner directories below the site's whose menu a directory shows
constexpr unsigned kPartners = 36;        // directories whose pages show links to other hosts
constexpr unsigned kExternal = 13;        // pages with such links of their own
constexpr unsigned kSelfLinks = 64;       // directories whose pages may link to themselves
constexpr std::uint32_t kMainPages = 64;  // the first pages of a site are its main pages

// Merges two ascending lists of distinct pages into one. They come in long runs: each is copied as a whole.
std::uint32_t merge(const PageId* a, std::uint32_t a_size, const PageId* b, std::uint32_t b_size,
                    PageId* out) {
  const PageId* const a_end = a + a_size;
  const PageId* const b_end = b + b_size;
  PageId* to = out;
  while (a != a_end && b != b_end) {
    while (a != a_end && *a < *b) *to++ = *a++;
    if (a == a_end) break;
    while (b != b_end && *b < *a) *to++ = *b++;
    if (b == b_end) break;
    if (*a == *b) ++b;
  }
  to = std::copy(a, a_end, to);
  to = std::copy(b, b_end, to);
  return static_cast<std::uint32_t>(to - out);
}

// Adds an ascending list to another. Most often it fits into one gap.
template <std::uint32_t kCapacity, std::uint32_t kMore>
void merge_into(LinkList<kCapacity>& list, const LinkList<kMore>& more) {
  const std::uint32_t count = std::min(more.size, kCapacity - list.size);
  if (count == 0) return;
  PageId* const end = list.at.data() + list.size;
  PageId* const gap = std::lower_bound(list.at.data(), end, more.at[0]);
  if (gap == end || *gap > more.at[count - 1]) {
    std::copy_backward(gap, end, end + count);
    std::copy_n(more.at.data(), count, gap);
    list.size += count;
    return;
  }
  std::array<PageId, kCapacity> before;
  std::copy_n(list.at.data(), list.size, before.data());
  list.size = merge(before.data(), list.size, more.at.data(), count, list.at.data());
}

// Adds a page to an ascending row.
std::uint32_t insert(PageId page, PageId* row, std::uint32_t size) {
  std::uint32_t at = size;
  while (at > 0 && row[at - 1] > page) --at;
  if (at > 0 && row[at - 1] == page) return size;
  std::copy_backward(row + at, row + size, row + size + 1);
  row[at] = page;
  return size + 1;
}

// A short list in any order becomes ascending and distinct.
template <std::uint32_t kCapacity>
void tidy(LinkList<kCapacity>& list) {
  PageId* const at = list.at.data();
  for (std::uint32_t i = 1; i < list.size; ++i) {
    const PageId page = at[i];
    std::uint32_t j = i;
    for (; j > 0 && at[j - 1] > page; --j) at[j] = at[j - 1];
    at[j] = page;
  }
  list.size = static_cast<std::uint32_t>(std::unique(at, at + list.size) - at);
}

// count * scale / 256, the fraction settled by 8 random bits.
std::uint32_t scaled(std::uint32_t count, std::uint32_t scale, std::uint64_t bits) {
  return static_cast<std::uint32_t>((std::uint64_t{count} * scale + (bits & 255)) >> 8);
}

// A rank below n, about log-uniform: the k-th most popular is drawn in proportion to 1/k. Uses 48 bits.
std::uint32_t popular_rank(std::uint64_t bits, std::uint32_t n) {
  const auto octaves = static_cast<std::uint64_t>(std::bit_width(n));
  const std::uint64_t octave = ((bits & 0xffff) * octaves) >> 16;
  return static_cast<std::uint32_t>((bits >> 16) & ((std::uint64_t{1} << octave) - 1));
}

// The page of this popularity among so many: any one, but always the same.
PageId popular_page(const Directory& directory, std::uint32_t among, std::uint64_t bits) {
  const std::uint64_t rank = popular_rank(bits, among);
  return directory.first + static_cast<PageId>(to_below(mix64(directory.key + rank * kGolden), among));
}

}  // namespace

SyntheticModel::SyntheticModel(const SyntheticOptions& options)
    : layout_(options),
      inter_(options.inter > 0),
      host_seed_(draw(options.seed, 1)),
      page_seed_(draw(options.seed, 2)),
      orphan_seed_(draw(options.seed, 3)),
      partner_seed_(draw(options.seed, 4)) {
  for (std::size_t i = 0; i < 256; ++i) {
    const double u = (static_cast<double>(i) + 0.5) / 256;
    menu_size_[i] = static_cast<std::uint16_t>(16 * std::pow(100.0, u));
    own_count_[i] = static_cast<std::uint8_t>(u < 0.5 ? 0 : std::min(30.0, 0.5 / (1 - u)));
  }
  if (options.orphans > 0) {
    while (orphan_shift_ < 16 && options.orphans * std::exp2(orphan_shift_ + 1) <= 1) ++orphan_shift_;
    const double chance = options.orphans * std::exp2(orphan_shift_);
    orphan_threshold_ = static_cast<std::uint32_t>(std::min(chance * 4294967296.0, 4294967295.0));
  }
  if (connected()) {
    make_host_octaves(options.indegree_exponent);
    make_introductions();
  }
  calibrate(options);
}

// Hosts are drawn by rank: an octave, then a rank below 2^octave. The weight of octaves grows as
// 2^(octave * (1 - s)), s = 1 / (exponent - 1) being the Zipf exponent that belongs to the in-degree law.
void SyntheticModel::make_host_octaves(double indegree_exponent) {
  const int octaves = std::bit_width(layout_.hosts() - 1);
  const int least = std::min(3, octaves);
  const double growth = std::exp2(1 - 1 / (indegree_exponent - 1));
  double total = 0;
  for (int octave = least; octave <= octaves; ++octave) total += std::pow(growth, octave);
  double upto = 0;
  std::size_t next = 0;
  for (int octave = least; octave <= octaves; ++octave) {
    upto += std::pow(growth, octave);
    const auto end = octave == octaves ? host_octave_.size() : static_cast<std::size_t>(upto / total * 256);
    while (next < end) host_octave_[next++] = static_cast<std::uint8_t>(octave);
  }
}

// One page in so many leads to the home page of a host that is its own to introduce, so that no host is
// without an in-link. A permutation matches their slots with the hosts.
void SyntheticModel::make_introductions() {
  introduce_every_ = std::bit_floor(layout_.pages() / layout_.hosts());
  introduce_slots_ = layout_.pages() / introduce_every_;
  introduce_step_ = introduce_slots_ * 618 / 1000 + 1;
  while (std::gcd(introduce_step_, introduce_slots_) != 1) ++introduce_step_;
}

bool SyntheticModel::introduces(PageId page, HostId& host) const {
  if (introduce_every_ == 0 || (page & (introduce_every_ - 1)) != 0) return false;
  const std::uint64_t slot = page / introduce_every_;
  if (slot >= introduce_slots_) return false;
  const std::uint64_t to = (slot * introduce_step_ + introduce_slots_ / 3) % introduce_slots_;
  host = static_cast<HostId>(to);
  return to < layout_.hosts();
}

Directory SyntheticModel::root(const HostRange& host) const {
  return {host.first, host.size, draw(host_seed_, host.host)};
}

void SyntheticModel::locate(PageId page, Common& common) const {
  if (page - common.host.first >= common.host.size) {
    common.host = layout_.of_page(page);
    tree_.enter(root(common.host), common.place);
  }
  tree_.move(page, common.place);
}

// Only pages that nothing else depends on may be without links.
bool SyntheticModel::dangling(PageId page, std::uint64_t bits, const Place& place) const {
  const Directory& directory = place.directory();
  if (!place.leaf) return false;
  if (page == directory.first && (directory.size > 1 || tree_.in_sequence(place))) return false;
  const DirectoryPlan& plan = tree_.plan(directory);
  if (plan.style == Style::kChain) return false;
  if (plan.style == Style::kPaged && (page - directory.first) % (plan.group + 1u) == 0) return false;
  const std::uint64_t dice = plan.style == Style::kFiles ? directory.key & 255 : bits & 0xfff;
  if (dice >= scale_.dangling) return false;
  HostId unused;
  if (introduces(page, unused)) return false;
  return page != directory.last() || !tree_.before_hidden(page, place);
}

// How many entries the menu of a directory has: log-uniform, but no more than its size deserves.
std::uint32_t SyntheticModel::menu_entries(const Directory& directory, bool of_site) const {
  const std::uint32_t sixteenths =
      scaled(menu_size_[(directory.key >> 40) & 255], scale_.menu, directory.key >> 32);
  if (!of_site) return std::min(sixteenths / 64, kMaxMenu / 4);
  const auto deserved =
      static_cast<std::uint32_t>(2 + 35 * std::sqrt(static_cast<double>(directory.size)) / 100);
  return std::min({sixteenths / 16, deserved, kMaxMenu});
}

// The index, `entries` main pages from the first pages of the directory, and sections (parts), ascending;
// `shown` of 256 of the entries.
template <std::uint32_t kCapacity>
void SyntheticModel::write_menu(const Directory& directory, bool inner, std::uint32_t entries,
                                std::uint32_t shown, LinkList<kCapacity>& menu) const {
  menu.push(directory.first);
  std::uint32_t sections = inner ? std::min(tree_.parts(directory) / 2, entries / 3) : 0;
  std::uint32_t mains = std::min(entries - sections, directory.size - 1);
  const std::uint64_t step =
      mains == 0 ? 0 : (std::uint64_t{std::min(directory.size - 1, 3 * mains)} << 16) / mains;
  mains = (mains * shown) >> 8;
  for (std::uint32_t i = 0; i < mains; ++i) {
    const std::uint64_t jitter = mix64(directory.key + i * kGolden) & 0xffff;
    const auto page = directory.first + 1 + static_cast<PageId>((i * step + ((jitter * step) >> 16)) >> 16);
    if (page > menu.at[menu.size - 1]) menu.push(page);
  }
  if (sections == 0) return;
  const std::uint32_t parts = tree_.parts(directory);
  const std::uint32_t stride = parts / sections;
  sections = (sections * shown) >> 8;
  LinkList<kMaxMenu> listed;
  for (std::uint32_t i = 0; i < sections; ++i) {
    const Directory part = tree_.part(directory, i * stride);
    if (part.size > 0 && !tree_.hidden(part, i * stride, directory)) listed.push(part.first);
  }
  merge_into(menu, listed);
}

void SyntheticModel::add_menus(Common& common) const {
  const Place& place = common.place;
  const Directory& directory = place.directory();
  const Directory& site = place.at(place.site);
  const std::uint64_t bits = mix64(directory.key);
  const bool is_inner = !place.leaf;
  common.way_up = (bits >> 56) < kWayUp;
  const std::uint64_t theme = bits & 255;
  if (theme >= kNoMenu) {
    const std::uint32_t shown = theme < kShortMenu ? 90 : 256;
    if (common.menu_of != site.first || common.menu_shown != shown) {
      common.menu.size = 0;
      common.menu_of = site.first;
      common.menu_shown = shown;
      write_menu(site, place.site < place.depth || is_inner, menu_entries(site, true), shown, common.menu);
    }
    merge_into(common.links, common.menu);
  }
  for (int level = place.site + 1; level <= place.depth; ++level) {
    const Directory& d = place.at(level);
    const bool inner = level < place.depth || is_inner;
    const bool show = inner && ((bits >> (8 + 4 * (level & 7))) & 255) < kInnerMenu;
    if (!show && !(level == place.depth && common.way_up)) continue;
    LinkList<kMaxMenu> menu;
    write_menu(d, inner, show ? menu_entries(d, false) : 0, 256, menu);
    merge_into(common.links, menu);
  }
  if (common.way_up && place.site == place.depth) {
    LinkList<1> up;
    up.push(directory.first);
    merge_into(common.links, up);
  }
}

// A page of another host: the popular, the near, or any; most often its home.
PageId SyntheticModel::external_target(std::uint64_t bits, HostId from) const {
  const std::uint64_t dice = mix64(bits);
  const std::uint64_t way = bits & 255;
  const HostId hosts = layout_.hosts();
  HostRange to;
  if (way < 140) {
    const unsigned octave = host_octave_[(bits >> 8) & 255];
    const std::uint64_t rank = (bits >> 16) & ((std::uint64_t{1} << octave) - 1);
    to = layout_.of_host(static_cast<HostId>(to_below(draw(partner_seed_, rank), hosts)));
  } else if (way < 210) {
    const std::uint64_t distance = 1 + popular_rank(bits >> 8, hosts - 1);
    const std::uint64_t host = (dice & 1) != 0 ? from + distance : from + hosts - distance;
    to = layout_.of_host(static_cast<HostId>(host < hosts ? host : host - hosts));
  } else {
    to = layout_.of_page(static_cast<PageId>(to_below(bits, layout_.pages())));
  }
  const std::uint64_t where = (dice >> 8) & 255;
  if (where < 160) return to.first;
  if (where < 248) return to.first + popular_rank(dice >> 16, std::min(to.size, kMainPages));
  return to.first + static_cast<PageId>(to_below(dice << 16, to.size));
}

// Each host has its own list of pages elsewhere that it likes to link to.
PageId SyntheticModel::partner(const Common& common, std::uint32_t rank) const {
  return external_target(draw(common.place.at(0).key, rank), common.host.host);
}

// Links to other hosts in the template of a directory: the first few of the host's partners.
void SyntheticModel::add_partners(Common& common) const {
  const std::uint64_t bits = mix64(common.place.directory().key ^ partner_seed_);
  if ((bits & 255) >= kPartners) return;
  LinkList<64> partners;
  const std::uint32_t count = std::min(64u, scaled(1 + ((bits >> 8) & 3), scale_.external, bits >> 16));
  for (std::uint32_t i = 0; i < count; ++i) {
    const PageId page = partner(common, i);
    if (page - common.host.first >= common.host.size) partners.push(page);
  }
  tidy(partners);
  merge_into(common.links, partners);
}

void SyntheticModel::prepare(PageId page, Common& common) const {
  locate(page, common);
  common.last = common.place.leaf ? common.place.directory().last() : page;
  common.links.size = 0;
  add_menus(common);
  if (connected()) add_partners(common);
  const Directory& directory = common.place.directory();
  const PageId* const end = common.links.at.data() + common.links.size;
  const PageId* const link = std::lower_bound<const PageId*>(common.links.at.data(), end, directory.first);
  common.inside = link != end && *link <= common.last;
}

// What this page alone links to: other pages of its host, other hosts.
void SyntheticModel::own_links(PageId page, std::uint64_t bits, const Common& common,
                               LinkList<kMaxOwn>& own) const {
  const Place& place = common.place;
  static constexpr std::uint8_t kTalk[] = {0, 0, 0, 0, 1, 1, 1, 2};  // some directories link more than others
  const std::uint32_t count = own_count_[(bits >> 16) & 255] * kTalk[(place.directory().key >> 32) & 7];
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t dice = mix64(bits + (i + 1) * kGolden);
    const std::uint64_t way = dice & 255;
    const Directory& from = place.at(way < 150   ? place.depth
                                     : way < 220 ? std::max(place.depth - 1, place.site)
                                                 : place.site);
    const std::uint32_t among = way < 220 ? from.size : std::min(from.size, kMainPages);
    const PageId to = popular_page(from, among, dice >> 8);
    if (to != page) own.push(to);
  }
  const Directory& site = place.at(place.site);
  if (place.site > 0 && page == site.first && !tree_.plan(site).closed) {  // the entrance leads back up
    own.push(place.at(0).first);
    own.push(place.at(place.site - 1).first);
  }
  if (!connected()) return;
  HostId introduced;
  if (introduces(page, introduced) && introduced != common.host.host)
    own.push(layout_.of_host(introduced).first);
  if (((bits >> 24) & 255) >= kExternal) return;
  const std::uint32_t externals =
      std::min(kMaxOwn - own.size, scaled(1 + ((bits >> 32) & 7), scale_.external, bits >> 40));
  const std::uint32_t partners = 2u << (std::bit_width(common.host.size) / 2);
  for (std::uint32_t i = 0; i < externals; ++i) {
    const std::uint64_t dice = draw(bits, i);
    const PageId to = (dice & 255) < 40 ? external_target(dice, common.host.host)
                                        : partner(common, popular_rank(dice >> 8, partners));
    if (to - common.host.first >= common.host.size) own.push(to);
  }
}

PageId SyntheticModel::orphan_of(PageId block) const {
  const std::uint64_t bits = mix64(orphan_seed_ + block * kGolden);
  if ((bits >> 32) >= orphan_threshold_) return kNoPage;
  return (block << orphan_shift_) + static_cast<PageId>(bits & ((1u << orphan_shift_) - 1));
}

// All pages from first to last but the orphans; the last one is never an orphan.
std::uint32_t SyntheticModel::list_members(PageId first, PageId last, PageId* row) const {
  std::uint32_t n = 0;
  for (PageId page = first; page < last;) {
    const PageId block = page >> orphan_shift_;
    const PageId orphan = orphan_of(block);
    const auto end = static_cast<PageId>(std::min<std::uint64_t>(last, (block + 1ull) << orphan_shift_));
    for (; page < end; ++page) {
      row[n] = page;
      n += page != orphan;
    }
  }
  if (first <= last) row[n++] = last;
  return n;
}

// The links between the pages of a directory, and on to the next one.
std::uint32_t SyntheticModel::local_links(PageId page, const Place& place, PageId* row) const {
  const Directory& directory = place.directory();
  const DirectoryPlan& plan = tree_.plan(directory);
  const bool index = page == directory.first;
  std::uint32_t n = 0;
  auto around = [&](std::uint32_t reach) {
    const PageId low = page - std::min(reach, page - directory.first);
    const PageId high = page + std::min(reach, directory.last() - page);
    for (PageId p = low; p <= high; ++p) {
      if (p != page) row[n++] = p;
    }
  };
  if (!place.leaf) {
    const std::uint32_t parts = plan.sequence ? 0 : tree_.parts(directory);
    if (plan.sequence) row[n++] = page + 1;
    for (std::uint32_t i = 0; i < parts; ++i) {
      const Directory part = tree_.part(directory, i);
      if (part.size > 0 && !tree_.hidden(part, i, directory)) row[n++] = part.first;
    }
  } else if (plan.style == Style::kPaged) {
    const std::uint32_t width = plan.group + 1u;
    const std::uint32_t offset = page - directory.first;
    const std::uint32_t member = offset % width;
    if (member != 0) {
      row[n++] = page - member;
    } else {
      if (offset > 0) row[n++] = page - width;
      n += list_members(page + 1, page + std::min<std::uint32_t>(plan.group, directory.last() - page),
                        row + n);
      if (directory.last() - page >= width) row[n++] = page + width;
    }
  } else if (plan.style == Style::kMesh || (index && plan.style != Style::kChain)) {
    n = list_members(directory.first + 1, directory.last(), row);
    if (!index) n = static_cast<std::uint32_t>(std::remove(row, row + n, page) - row);
  } else if (plan.style == Style::kChain || plan.style == Style::kContents) {
    around(1);
  } else if (plan.style == Style::kNear) {
    around(plan.group);
  }
  const bool more = index && tree_.in_sequence(place) && directory.last() < place.at(place.depth - 1).last();
  if (more) row[n++] = directory.last() + 1;
  if (page == directory.last() && !more && tree_.before_hidden(page, place)) row[n++] = page + 1;
  return n;
}

std::uint32_t SyntheticModel::links(PageId page, const Common& common, PageId* row) const {
  const Place& place = common.place;
  const Directory& directory = place.directory();
  const std::uint64_t bits = page_bits(page);
  if (dangling(page, bits, place)) return 0;

  std::array<PageId, kMaxLocal> local;
  const std::uint32_t local_size = local_links(page, place, local.data());
  const bool bare = ((bits >> 48) & 255) < kBarePages && page != directory.first;
  const PageId* shown = bare ? &directory.first : common.links.at.data();
  const std::uint32_t shown_size = bare ? common.way_up : common.links.size;
  std::uint32_t n = merge(shown, shown_size, local.data(), local_size, row);
  LinkList<kMaxOwn> own;
  own_links(page, bits, common, own);
  for (std::uint32_t i = 0; i < own.size; ++i) n = insert(own.at[i], row, n);
  if (common.inside && ((directory.key >> 24) & 255) >= kSelfLinks) {
    n = static_cast<std::uint32_t>(std::remove(row, row + n, page) - row);
  }
  if (n > 0 || page == common.host.first) return n;
  row[0] = common.host.first;
  return 1;
}

}  // namespace bowerbird
