// The directories of a host of the synthetic web: a tree whose subtrees are contiguous ranges of pages,
// computed from the host's key on the way down.
//
// A directory is a range of pages whose first page is its index. A directory that is larger than its plan's
// limit is *inner*: the rest of its pages is split into parts, which are directories too (often of one page).
// Others are *leaves*, whose pages link to each other in the style of the plan. Some directories are *sites*
// with their own menus (a project, a manual, a person). Some of those are *hidden*: no index lists them, and
// only the page before their first one, usually an unimportant one, links to them.
//
// Invariant: the tables are the same in every web; a directory is a function of its parent and its number.
// Threads: const.
#pragma once

#include <array>
#include <cstdint>

#include "base/ids.h"
#include "base/rng.h"

namespace bowerbird {

struct Directory {
  PageId first;  // its index page
  std::uint32_t size;
  std::uint64_t key;  // random bits that determine everything else about it

  std::uint64_t kind() const {
    return key >> 32;
  }  // shared by the parts of a directory whose parts are alike
  PageId last() const { return first + size - 1; }
  bool contains(PageId page) const { return page - first < size; }
};

// How the pages of a leaf directory are linked.
enum class Style : std::uint8_t {
  kList,      // the index lists all
  kContents,  // the index lists all, each page links to the next and the previous one
  kChain,     // the index links to the first, each page to the next and the previous one
  kMesh,      // each page lists all
  kNear,      // the index lists all, each page its neighbours
  kPaged,     // list pages with some members each; each list page links to the next and the previous one
  kFiles,     // the index lists all; the members have no links
};

struct DirectoryPlan {
  Style style;
  std::uint8_t group;       // kPaged: members on a list page; kNear: neighbours on each side
  std::uint16_t limit;      // a directory of more pages is inner
  std::uint32_t site_size;  // a directory of at least this many pages is a site
  bool sequence;            // inner: the index links to the first part, and each part to the next
  bool closed;              // a site that neither shows the menu of the enclosing site nor links back to it
};

// The position of a page: the directories from its host's root to its own.
struct TreePosition {
  static constexpr int kMaxDepth = 40;
  std::array<Directory, kMaxDepth> path;
  std::array<std::uint8_t, kMaxDepth> number;  // path[i] is part number[i] of path[i - 1]
  int depth = 0;                               // of the page's own directory
  int site = 0;                                // of the innermost site around it
  int top = 0;                                 // of the innermost closed site around it, or the root
  bool leaf = false;

  const Directory& at(int level) const { return path[static_cast<std::size_t>(level)]; }
  const Directory& directory() const { return at(depth); }
};

class DirectoryTree {
 public:
  static constexpr std::uint32_t kMaxParts = 30;
  static constexpr std::uint32_t kSmallestSite = 60;
  static constexpr std::uint32_t kMaxMembers = 2000;  // of a leaf whose index lists all

  DirectoryTree();

  const DirectoryPlan& plan(const Directory& directory) const { return plans_[directory.key >> 56]; }
  bool leaf(const Directory& directory) const { return directory.size <= plan(directory).limit; }
  bool site(const Directory& directory) const { return directory.size >= plan(directory).site_size; }
  bool hidden(const Directory& part, std::uint32_t number, const Directory& parent) const {
    // Unsigned arithmetic: four tests without a branch.
    return (unsigned{number > 0} & unsigned{site(part)} & unsigned{!plan(parent).sequence} &
            unsigned{cuts_of(parent).alike == 0}) != 0;
  }

  // Parts of an inner directory: some may be empty.
  std::uint32_t parts(const Directory& directory) const { return cuts_of(directory).parts; }
  Directory part(const Directory& directory, std::uint32_t number) const {
    const Cuts& cuts = cuts_of(directory);
    const PageId first = cut(directory, cuts, number);
    const std::uint64_t own = mix64(directory.key + (number + 1) * 0x9e3779b97f4a7c15u);
    const std::uint64_t key = (mix64(directory.key) & cuts.alike) | (own & ~cuts.alike);
    return {first, cut(directory, cuts, number + 1) - first, key};
  }

  // The index of a part that the index of the directory lists; kNoPage if it is empty or hidden.
  PageId listed_part(const Directory& directory, std::uint32_t number) const {
    const Directory listed = part(directory, number);
    const unsigned none = unsigned{listed.size == 0} | unsigned{hidden(listed, number, directory)};
    return none != 0 ? kNoPage : listed.first;
  }

  void enter(const Directory& root, TreePosition& position) const;
  // Moves to the position of `page`, which is under the root of the position.
  void move(PageId page, TreePosition& position) const;
  // Whether the page after `page`, the last one of its directory, is the index of a hidden site.
  bool before_hidden(PageId page, const TreePosition& position) const;
  // Whether the directory of the position is one of a sequence: its index links to the page after its last
  // one.
  bool in_sequence(const TreePosition& position) const {
    return position.depth > 0 && plan(position.at(position.depth - 1)).sequence;
  }

 private:
  static constexpr unsigned kGuideBits = 8;
  struct Cuts {
    std::uint32_t parts;
    std::uint64_t alike;                          // the bits of keys that parts of one size and kind share
    std::array<std::uint32_t, kMaxParts + 1> at;  // ascending from 0 to 2^16
    std::array<std::uint8_t, 1 << kGuideBits> guide;  // the last part that begins before each step
  };
  const Cuts& cuts_of(const Directory& directory) const { return cuts_[(directory.key >> 48) & 63]; }
  static PageId cut(const Directory& directory, const Cuts& cuts, std::uint32_t number) {
    return directory.first + 1 +
           static_cast<PageId>((std::uint64_t{directory.size - 1} * cuts.at[number]) >> 16);
  }
  std::uint32_t part_of(const Directory& directory, PageId page) const;
  void make_plans(Rng& rng);
  void make_cuts(Rng& rng);

  std::array<DirectoryPlan, 256> plans_;
  std::array<Cuts, 64> cuts_;
};

inline std::uint32_t DirectoryTree::part_of(const Directory& directory, PageId page) const {
  const Cuts& cuts = cuts_of(directory);
  const std::uint64_t position = page - directory.first - 1;
  std::uint32_t number = cuts.guide[((position << 16) / (directory.size - 1)) >> (16 - kGuideBits)];
  while (cut(directory, cuts, number + 1) <= page) ++number;
  return number;
}

inline void DirectoryTree::enter(const Directory& root, TreePosition& position) const {
  position.path[0] = root;
  position.depth = 0;
  position.site = 0;
  position.top = 0;
}

}  // namespace bowerbird
