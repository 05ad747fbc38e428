// The links of the synthetic web: the tables, and the functions that turn a page into its links.
//
// What all pages of a directory show (menus, the way up, links to partner hosts) is computed once per
// directory into a Common; each page adds its own. out() prepares a Common for one page, scan() keeps it. For
// graph/synthetic*.cc only. Threads: const; a Common and a row belong to one caller.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "graph/synthetic.h"
#include "graph/synthetic_hosts.h"
#include "graph/synthetic_tree.h"

namespace bowerbird {

// Links of bounded number, on the stack. Ascending and distinct where it matters: push() in that order.
template <std::uint32_t kCapacity>
struct LinkList {
  std::array<PageId, kCapacity> at;
  std::uint32_t size = 0;

  void push(PageId page) { at[size++] = page; }
};

class SyntheticModel {
 public:
  static constexpr std::uint32_t kMaxMenu = 400;
  static constexpr std::uint32_t kMaxCommon = 1024;
  static constexpr std::uint32_t kMaxOwn = 128;                               // drawn per page
  static constexpr std::uint32_t kMaxLocal = DirectoryTree::kMaxMembers + 2;  // members, next and previous
  static constexpr std::uint32_t kMaxRow = kMaxCommon + kMaxOwn + kMaxLocal;

  struct Common {
    HostRange host{0, 0, 0};
    Place place;
    PageId last = 0;             // the pages from place.directory().first to here share this
    bool way_up = false;         // pages lead to the index of their directory
    LinkList<kMaxCommon> links;  // ascending, distinct
    bool inside = false;         // some of them are pages that share them

    // The menu of the site, kept while its pages are walked.
    PageId menu_of = kNoPage;
    std::uint32_t menu_shown = 0;
    LinkList<2 * kMaxMenu> menu;
  };

  explicit SyntheticModel(const SyntheticOptions& options);

  const HostLayout& layout() const { return layout_; }
  const DirectoryTree& tree() const { return tree_; }
  Directory root(const HostRange& host) const;

  // Makes `common` that of `page`; what it held before may be of any page, or nothing.
  void prepare(PageId page, Common& common) const;
  // Writes the links of `page` to row, which has room for kMaxRow, and answers how many there are.
  std::uint32_t links(PageId page, const Common& common, PageId* row) const;

 private:
  struct Scales {  // in 1/256; calibrate() sets them
    std::uint32_t menu = 256;
    std::uint32_t external = 256;
    std::uint32_t dangling = 256;
  };

  void make_host_octaves(double indegree_exponent);
  void make_introductions();
  void calibrate(const SyntheticOptions& options);
  void calibrate_dangling(const SyntheticOptions& options);

  void locate(PageId page, Common& common) const;
  bool dangling(PageId page, std::uint64_t bits, const Place& place) const;
  bool connected() const { return layout_.hosts() > 1 && inter_; }
  bool introduces(PageId page, HostId& host) const;
  std::uint64_t page_bits(PageId page) const { return mix64(page_seed_ + page * 0x9e3779b97f4a7c15u); }

  std::uint32_t menu_entries(const Directory& directory, bool of_site) const;
  template <std::uint32_t kCapacity>
  void write_menu(const Directory& directory, bool inner, std::uint32_t entries, std::uint32_t shown,
                  LinkList<kCapacity>& menu) const;
  void add_menus(Common& common) const;
  void add_partners(Common& common) const;

  void own_links(PageId page, std::uint64_t bits, const Common& common, LinkList<kMaxOwn>& own) const;
  std::uint32_t local_links(PageId page, const Place& place, PageId* row) const;
  std::uint32_t list_members(PageId first, PageId last, PageId* row) const;

  PageId external_target(std::uint64_t bits, HostId from) const;
  PageId partner(const Common& common, std::uint32_t rank) const;
  PageId orphan_of(PageId block) const;

  HostLayout layout_;
  DirectoryTree tree_;
  bool inter_;
  std::uint64_t host_seed_;
  std::uint64_t page_seed_;
  std::uint64_t orphan_seed_;
  std::uint64_t partner_seed_;

  unsigned orphan_shift_ = 0;           // at most one orphan in each block of 2^shift pages ...
  std::uint32_t orphan_threshold_ = 0;  // ... with this chance, of 2^32
  std::uint32_t introduce_every_ =
      0;  // of so many pages, a power of two, one introduces a host; 0: none does
  std::uint64_t introduce_slots_ = 0;
  std::uint64_t introduce_step_ = 1;
  Scales scale_;
  std::array<std::uint8_t, 256> host_octave_{};
  std::array<std::uint16_t, 256> menu_size_{};  // in 1/16
  std::array<std::uint8_t, 256> own_count_{};
};

}  // namespace bowerbird
