// Links between the hosts of the synthetic web.
#include <cmath>
#include <numeric>

#include "graph/synthetic_model.h"

namespace bowerbird {

namespace {

// Shares of 256.
constexpr unsigned kWithPartners = 36;  // directories whose pages all show links to partner hosts
constexpr unsigned kWithLinks = 13;     // pages with their own external links
constexpr unsigned kNewLinks = 40;      // ... of these links, those that do not lead to a partner
constexpr unsigned kPopularHosts = 140;
constexpr unsigned kNearHosts = 70;  // the rest: hosts by their number of pages
constexpr unsigned kHomes = 160;
constexpr unsigned kMainPages = 88;  // the rest: any page
constexpr std::uint32_t kMainTargets = 64;

// A web with many external links has more of them per page and, beyond this factor, more pages with them.
constexpr std::uint32_t kMostPerPage = 8 * 256;

std::uint32_t per_page(std::uint32_t scale) {
  return std::min(scale, kMostPerPage);
}
std::uint32_t share_of_pages(std::uint32_t share, std::uint32_t scale) {
  return share * std::max(scale, kMostPerPage) / kMostPerPage;
}

}  // namespace

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

// One page in this many links to the home page of the host it introduces, so that no host is without an
// in-link. A permutation maps these pages to hosts.
void SyntheticModel::make_introductions() {
  introduce_every_ = std::bit_floor(layout_.pages() / layout_.hosts());
  introduce_slots_ = layout_.pages() / introduce_every_;
  introduce_step_ = introduce_slots_ * 618 / 1000 + 1;
  while (std::gcd(introduce_step_, introduce_slots_) != 1) ++introduce_step_;
}

bool SyntheticModel::introduces(PageId page, HostId& host) const {
  if (!connected() || (page & (introduce_every_ - 1)) != 0) return false;
  const std::uint64_t slot = page / introduce_every_;
  if (slot >= introduce_slots_) return false;
  const std::uint64_t to = (slot * introduce_step_ + introduce_slots_ / 3) % introduce_slots_;
  host = static_cast<HostId>(to);
  return to < layout_.hosts();
}

// A page of another host: a popular, near or arbitrary one; most often its home page.
PageId SyntheticModel::external_target(std::uint64_t bits, HostId from) const {
  const std::uint64_t dice = mix64(bits);
  const std::uint64_t way = bits & 255;
  const HostId hosts = layout_.hosts();
  HostRange to;
  if (way < kPopularHosts) {
    const unsigned octave = host_octave_[(bits >> 8) & 255];
    const std::uint64_t rank = (bits >> 16) & ((std::uint64_t{1} << octave) - 1);
    to = layout_.of_host(static_cast<HostId>(to_below(draw(partner_seed_, rank), hosts)));
  } else if (way < kPopularHosts + kNearHosts) {
    const std::uint64_t distance = 1 + popular_rank(bits >> 8, hosts - 1);
    const std::uint64_t host = (dice & 1) != 0 ? from + distance : from + hosts - distance;
    to = layout_.of_host(static_cast<HostId>(host < hosts ? host : host - hosts));
  } else {
    to = layout_.of_page(static_cast<PageId>(to_below(bits, layout_.pages())));
  }
  const std::uint64_t where = (dice >> 8) & 255;
  if (where < kHomes) return to.first;
  if (where < kHomes + kMainPages) return to.first + popular_rank(dice >> 16, std::min(to.size, kMainTargets));
  return to.first + static_cast<PageId>(to_below(dice << 16, to.size));
}

// Each host has a list of pages elsewhere that it prefers to link to.
PageId SyntheticModel::partner(const Common& common, std::uint32_t rank) const {
  return external_target(draw(common.position.at(0).key, rank), common.host.host);
}

// Links to other hosts in the template of a directory: the first few of the host's partners.
void SyntheticModel::add_partners(Common& common) const {
  const std::uint64_t bits = mix64(common.position.directory().kind() + partner_seed_);
  if ((bits & 255) >= share_of_pages(kWithPartners, scale_.external)) return;
  const std::uint32_t count =
      std::min(64u, scaled(1 + ((bits >> 8) & 3), per_page(scale_.external), bits >> 16));
  LinkList<64> partners;
  for (std::uint32_t i = 0; i < count; ++i) {
    const PageId page = partner(common, i);
    if (page - common.host.first >= common.host.size) {
      partners.size = insert_link(page, partners.at.data(), partners.size);
    }
  }
  merge_into(common.links, partners);
}

// The external links of one page.
void SyntheticModel::add_external(PageId page, std::uint64_t bits, const Common& common,
                                  LinkList<kMaxOwn>& own) const {
  const HostRange& host = common.host;
  HostId introduced;
  if (introduces(page, introduced) && introduced != host.host) own.push(layout_.of_host(introduced).first);
  if (((bits >> 24) & 255) >= share_of_pages(kWithLinks, scale_.external)) return;
  const std::uint32_t count =
      std::min(kMaxOwn - own.size, scaled(1 + ((bits >> 32) & 7), per_page(scale_.external), bits >> 40));
  const std::uint32_t partners = 2u << (std::bit_width(host.size) / 2);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t dice = draw(bits, i);
    const PageId to = (dice & 255) < kNewLinks ? external_target(dice >> 8, host.host)
                                               : partner(common, popular_rank(dice >> 8, partners));
    if (to - host.first >= host.size) own.push(to);
  }
}

}  // namespace bowerbird
