// The links of the synthetic web: the tables, and the functions that turn a page into its links.
//
// The common part of all pages of a directory (menus, links to the index, partner hosts) is computed once per
// directory into a Common; each page adds its own links. out() prepares a Common for one page, scan() keeps
// it from page to page. For graph/synthetic*.cc only. Threads: const; a Common and a row belong to one
// caller.
#pragma once

#include <array>
#include <cstdint>

#include "graph/synthetic.h"
#include "graph/synthetic_hosts.h"
#include "graph/synthetic_lists.h"
#include "graph/synthetic_tree.h"

namespace bowerbird {

class SyntheticModel {
 public:
  static constexpr std::uint32_t kMaxMenu = 400;
  static constexpr std::uint32_t kMaxCommon = 1024;
  static constexpr std::uint32_t kMaxOwn = 128;                               // drawn per page
  static constexpr std::uint32_t kMaxLocal = DirectoryTree::kMaxMembers + 2;  // members, next and previous
  static constexpr std::uint32_t kMaxRow = kMaxCommon + kMaxOwn + kMaxLocal;

  struct Common {
    HostRange host{0, 0, 0};
    TreePosition position;
    PageId last = 0;             // the pages from position.directory().first to here share this Common
    bool way_up = false;         // they link to the index of their directory
    bool inside = false;         // some of the links are pages that show them
    LinkList<kMaxCommon> links;  // ascending, distinct

    // The menu of the site, kept while its pages are traversed.
    PageId menu_of = kNoPage;
    std::uint32_t menu_shown = 0;
    LinkList<kMaxMenu + 1> menu;
  };

  explicit SyntheticModel(const SyntheticOptions& options);

  const HostLayout& layout() const { return layout_; }
  const DirectoryTree& tree() const { return tree_; }
  Directory root(const HostRange& host) const;

  // Prepares `common` for `page`; it may be new, or from any page of this model.
  void prepare(PageId page, Common& common) const;
  // Writes the links of `page` to row, which has room for kMaxRow, and returns how many there are.
  std::uint32_t links(PageId page, const Common& common, PageId* row) const;
  // The same for a single page: computes only what it shows.
  std::uint32_t links(PageId page, PageId* row) const;

 private:
  struct Scales {  // in 1/256; calibrate() sets them
    std::uint32_t menu = 256;
    std::uint32_t external = 256;
    std::uint32_t dangling = 256;
  };

  // synthetic_calibrate.cc
  void calibrate(const SyntheticOptions& options);
  void calibrate_dangling(const SyntheticOptions& options);

  // synthetic_model.cc
  void locate(PageId page, Common& common) const;
  std::uint64_t page_bits(PageId page) const { return mix64(page_seed_ + page * 0x9e3779b97f4a7c15u); }
  bool dangling(PageId page, std::uint64_t bits, const TreePosition& position) const;
  static bool bare(PageId page, std::uint64_t bits, const TreePosition& position);
  std::uint32_t compose(PageId page, std::uint64_t bits, const Common& common, PageId* row) const;
  PageId orphan_of(PageId block) const;
  std::uint32_t list_members(PageId first, PageId last, PageId* row) const;
  std::uint32_t leaf_links(PageId page, const Directory& directory, PageId* row) const;
  std::uint32_t local_links(PageId page, const TreePosition& position, PageId* row) const;
  void own_links(PageId page, std::uint64_t bits, const Common& common, LinkList<kMaxOwn>& own) const;

  // synthetic_menus.cc
  std::uint32_t menu_entries(const Directory& directory, bool of_site) const;
  void write_menu(const Directory& directory, bool inner, std::uint32_t entries, std::uint32_t shown,
                  LinkList<kMaxMenu + 1>& menu) const;
  void add_menus(std::uint64_t bits, Common& common) const;
  void share(PageId page, bool shown, Common& common) const;

  // synthetic_external.cc
  void make_host_octaves(double indegree_exponent);
  void make_introductions();
  bool connected() const { return introduce_every_ != 0; }
  bool introduces(PageId page, HostId& host) const;
  PageId external_target(std::uint64_t bits, HostId from) const;
  PageId partner(const Common& common, std::uint32_t rank) const;
  void add_partners(Common& common) const;
  void add_external(PageId page, std::uint64_t bits, const Common& common, LinkList<kMaxOwn>& own) const;

  HostLayout layout_;
  DirectoryTree tree_;
  std::uint64_t host_seed_;
  std::uint64_t page_seed_;
  std::uint64_t orphan_seed_;
  std::uint64_t partner_seed_;
  Scales scale_;
  double menu_per_root_ = 1;  // a site of n pages has at most about this times sqrt(n) entries in its menu

  unsigned orphan_shift_ = 0;           // at most one orphan in each block of 2^shift pages ...
  std::uint32_t orphan_threshold_ = 0;  // ... with this chance, of 2^32
  std::uint32_t introduce_every_ = 0;   // one page in this many (a power of two) introduces a host; 0: none
  std::uint64_t introduce_slots_ = 0;
  std::uint64_t introduce_step_ = 1;
  std::array<std::uint8_t, 256> host_octave_{};
  std::array<std::uint16_t, 256> menu_size_{};  // in 1/16
  std::array<std::uint8_t, 256> own_count_{};
};

}  // namespace bowerbird
