// The texts of the links that lead to the pages of an export.
//
// Problem: every link of a crawl has a text, and a text belongs to a page that may come much later. They are
// sorted by target on disk (store/cdxj.h), in a fixed amount of memory; of each page the kMostTexts most
// frequent ones are kept, in a file, as are their places. Use: add() for all links, finish(), then of().
// Threads: of() any, once finished; otherwise one user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/cdxj.h"
#include "sys/file.h"
#include "sys/scratch_file.h"

namespace bowerbird {

class AnchorTexts {
 public:
  static constexpr std::size_t kMostTexts = 20;
  static constexpr std::size_t kLongestText = 200;  // bytes; longer ones are cut

  // targets: hashes of the URLs of the export, ascending; valid until finish(). Files are made in `folder`.
  AnchorTexts(std::span<const std::uint64_t> targets, const std::string& folder,
              std::size_t memory = std::size_t{64} << 20);

  // A link of page number `from` of the list; links to other pages than the targets do not count.
  Status add(std::uint64_t target, std::uint64_t from, std::string_view text);
  Status finish();

  // The most frequent first; of equal ones that of the earlier page.
  std::vector<std::string> of(std::uint64_t target) const;

 private:
  class Writer;
  // The targets that have texts, ascending, and where those begin in the file.
  struct Entries {
    ScratchArray<std::uint64_t> targets;
    ScratchArray<std::uint64_t> offsets;
  };

  std::span<const std::uint64_t> targets_;
  std::string path_;
  LineSorter sorter_;
  Entries entries_;
  std::shared_ptr<const MappedFile> file_;
};

}  // namespace bowerbird
