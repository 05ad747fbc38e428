#include "graph/synthetic_model.h"

#include <cmath>

namespace bowerbird {

namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;

// Shares of 256.
constexpr unsigned kBarePages = 26;  // pages that show no menu in a directory that does
constexpr unsigned kTalking = 96;    // directories whose pages link to random pages of the host
constexpr unsigned kChatty = 32;     // ... and to twice as many
constexpr unsigned kSelfLinks = 64;  // directories whose pages may link to themselves
constexpr unsigned kOwnHere = 150;   // random links of a page: in its directory,
constexpr unsigned kOwnAbove = 70;   // ... in the one above; the rest: to main pages of the site
constexpr std::uint32_t kMainRanks = 64;

// The page of a random popularity among the first `among` of a directory: arbitrary, but fixed for a rank.
PageId popular_page(const Directory& directory, std::uint32_t among, std::uint64_t bits) {
  const std::uint64_t rank = popular_rank(bits, among);
  return directory.first + static_cast<PageId>(to_below(mix64(directory.key + rank * kGolden), among));
}

}  // namespace

SyntheticModel::SyntheticModel(const SyntheticOptions& options)
    : layout_(options),
      host_seed_(draw(options.seed, 1)),
      page_seed_(draw(options.seed, 2)),
      orphan_seed_(draw(options.seed, 3)),
      partner_seed_(draw(options.seed, 4)) {
  for (std::size_t i = 0; i < 256; ++i) {
    const double u = (static_cast<double>(i) + 0.5) / 256;
    menu_size_[i] = static_cast<std::uint16_t>(16 * std::pow(100.0, u));  // log-uniform, 1 to 100
    own_count_[i] = static_cast<std::uint8_t>(u < 0.5 ? 0 : std::min(30.0, 0.5 / (1 - u)));
  }
  if (options.orphans > 0) {
    while (orphan_shift_ < 16 && options.orphans * std::exp2(orphan_shift_ + 1) <= 1) ++orphan_shift_;
    const double chance = options.orphans * std::exp2(orphan_shift_);
    orphan_threshold_ = static_cast<std::uint32_t>(std::min(chance * 4294967296.0, 4294967295.0));
  }
  if (layout_.hosts() > 1 && options.inter > 0) {
    make_host_octaves(options.indegree_exponent);
    make_introductions();
  }
  calibrate(options);
}

Directory SyntheticModel::root(const HostRange& host) const {
  return {host.first, host.size, draw(host_seed_, host.host)};
}

void SyntheticModel::locate(PageId page, Common& common) const {
  if (page - common.host.first >= common.host.size) {
    common.host = layout_.of_page(page);
    tree_.enter(root(common.host), common.position);
  }
  tree_.move(page, common.position);
}

// Only pages that nothing else depends on may be dangling.
bool SyntheticModel::dangling(PageId page, std::uint64_t bits, const TreePosition& position) const {
  const Directory& directory = position.directory();
  if (!position.leaf) return false;
  if (page == directory.first && (directory.size > 1 || tree_.in_sequence(position))) return false;
  const DirectoryPlan& plan = tree_.plan(directory);
  if (plan.style == Style::kChain) return false;
  if (plan.style == Style::kPaged && (page - directory.first) % (plan.group + 1u) == 0) return false;
  const std::uint64_t dice = plan.style == Style::kFiles ? directory.kind() & 255 : bits & 0xfff;
  if (dice >= scale_.dangling) return false;
  HostId unused;
  if (introduces(page, unused)) return false;
  return page != directory.last() || !tree_.before_hidden(page, position);
}

PageId SyntheticModel::orphan_of(PageId block) const {
  const std::uint64_t bits = mix64(orphan_seed_ + block * kGolden);
  if ((bits >> 32) >= orphan_threshold_) return kNoPage;
  return (block << orphan_shift_) + static_cast<PageId>(bits & ((1u << orphan_shift_) - 1));
}

// All pages from first to last except orphans; the last one is never an orphan.
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

// The links between the pages of a leaf directory.
std::uint32_t SyntheticModel::leaf_links(PageId page, const Directory& directory, PageId* row) const {
  const DirectoryPlan& plan = tree_.plan(directory);
  const bool index = page == directory.first;
  const PageId last = directory.last();
  auto around = [&](std::uint32_t reach) {
    const PageId low = page - std::min(reach, page - directory.first);
    const PageId high = page + std::min(reach, last - page);
    std::uint32_t n = 0;
    for (PageId p = low; p < page; ++p) row[n++] = p;
    for (PageId p = page + 1; p <= high; ++p) row[n++] = p;
    return n;
  };
  switch (plan.style) {
    case Style::kMesh: {
      return erase_link(page, row, list_members(directory.first + 1, last, row));
    }
    case Style::kChain:
      return around(1);
    case Style::kPaged: {
      const std::uint32_t width = plan.group + 1u;
      const std::uint32_t member = (page - directory.first) % width;
      if (member != 0) {
        row[0] = page - member;
        return 1;
      }
      std::uint32_t n = 0;
      if (!index) row[n++] = page - width;
      n += list_members(page + 1, page + std::min<std::uint32_t>(plan.group, last - page), row + n);
      if (last - page >= width) row[n++] = page + width;
      return n;
    }
    default:
      if (index) return list_members(directory.first + 1, last, row);
      if (plan.style == Style::kContents) return around(1);
      if (plan.style == Style::kNear) return around(plan.group);
      return 0;
  }
}

// The links of a page that follow from its position in the tree, ascending.
std::uint32_t SyntheticModel::local_links(PageId page, const TreePosition& position, PageId* row) const {
  const Directory& directory = position.directory();
  std::uint32_t n = 0;
  if (position.leaf) {
    n = leaf_links(page, directory, row);
  } else if (tree_.plan(directory).sequence) {
    row[n++] = page + 1;
  } else {
    const std::uint32_t parts = tree_.parts(directory);
    for (std::uint32_t i = 0; i < parts; ++i) {
      row[n] = tree_.listed_part(directory, i);
      n += row[n] != kNoPage;
    }
  }
  const PageId after = directory.last() + 1;
  const bool in_sequence = page == directory.first && tree_.in_sequence(position);
  if (in_sequence && after <= position.at(position.depth - 1).last()) {
    row[n++] = after;
  } else if (page == directory.last() && tree_.before_hidden(page, position)) {
    row[n++] = after;
  }
  return n;
}

// The links of this page alone: random pages of its host, the link out of a site, other hosts.
void SyntheticModel::own_links(PageId page, std::uint64_t bits, const Common& common,
                               LinkList<kMaxOwn>& own) const {
  const TreePosition& position = common.position;
  const std::uint64_t talk = (position.directory().kind() >> 4) & 255;
  const std::uint32_t choice = talk < kTalking + kChatty ? own_count_[(bits >> 16) & 255] : 0;
  const std::uint32_t count = talk < kChatty ? 2 * choice : choice;
  const int levels[] = {position.depth, std::max(position.depth - 1, position.site), position.site};
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t dice = mix64(bits + (i + 1) * kGolden);
    const std::uint64_t way = dice & 255;
    const bool main = way >= kOwnHere + kOwnAbove;
    const Directory& from = position.at(levels[(way >= kOwnHere) + main]);
    const PageId to = popular_page(from, std::min(from.size, main ? kMainRanks : kNoPage), dice >> 8);
    own.at[own.size] = to;
    own.size += to != page;
  }
  const Directory& site = position.at(position.site);
  if (position.site > 0 && page == site.first && !tree_.plan(site).closed) {
    own.push(position.at(0).first);
    own.push(position.at(position.site - 1).first);
  }
  if (connected()) add_external(page, bits, common, own);
}

// Whether a page shows no menu, even if its directory does.
bool SyntheticModel::bare(PageId page, std::uint64_t bits, const TreePosition& position) {
  return ((bits >> 48) & 255) < kBarePages && page != position.directory().first;
}

std::uint32_t SyntheticModel::compose(PageId page, std::uint64_t bits, const Common& common,
                                      PageId* row) const {
  const TreePosition& position = common.position;
  const Directory& directory = position.directory();
  std::array<PageId, kMaxLocal> local;
  const std::uint32_t local_size = local_links(page, position, local.data());
  const bool alone = bare(page, bits, position);
  const PageId* const shown = alone ? &directory.first : common.links.at.data();
  const std::uint32_t shown_size = alone ? common.way_up : common.links.size;
  std::uint32_t n = join_links(shown, shown_size, local.data(), local_size, row);

  LinkList<kMaxOwn> own;
  own_links(page, bits, common, own);
  for (std::uint32_t i = 0; i < own.size; ++i) n = insert_link(own.at[i], row, n);
  if (common.inside && !alone && ((directory.key >> 24) & 255) >= kSelfLinks) {
    n = erase_link(page, row, n);
  }
  if (n == 0 && page != common.host.first) row[n++] = common.host.first;
  return n;
}

std::uint32_t SyntheticModel::links(PageId page, const Common& common, PageId* row) const {
  const std::uint64_t bits = page_bits(page);
  return dangling(page, bits, common.position) ? 0 : compose(page, bits, common, row);
}

std::uint32_t SyntheticModel::links(PageId page, PageId* row) const {
  Common common;
  locate(page, common);
  const std::uint64_t bits = page_bits(page);
  if (dangling(page, bits, common.position)) return 0;
  share(page, !bare(page, bits, common.position), common);
  return compose(page, bits, common, row);
}

}  // namespace bowerbird
