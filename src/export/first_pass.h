// What an export learns from a look at all pages before it writes the first: texts of links, near-duplicate
// clusters and, where nothing else has it, the link graph.
//
// Pages are read by several threads and taken in the order of the list, so that the result does not depend on
// their number. Memory: that of AnchorTexts, NearDuplicates and LinkGraph; what is kept of each page is in
// scratch files. Threads: read-only once made, any may use it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "export/anchor_texts.h"
#include "export/document.h"
#include "export/link_graph.h"
#include "export/record_list.h"
#include "export/scratch_folder.h"
#include "parse/fingerprint.h"
#include "sys/scratch_file.h"

namespace bowerbird {

struct FirstPassWants {
  bool anchors = false;
  bool clusters = false;
  LinkGraph* graph = nullptr;  // gets the links; may be null
  bool fingerprints = false;   // kept if all pages are looked at anyway

  bool any() const { return anchors || clusters || graph != nullptr; }
};

class FirstPass {
 public:
  using Read = std::function<Document*(unsigned worker, const ListedRecord& record)>;

  // `read` gives the document of a record, or null if it cannot be read.
  Status run(std::span<const ListedRecord> records, const FirstPassWants& wants, unsigned threads,
             const Read& read, const Progress& progress);

  // Adds what it knows about the page of a record, which is number `i` of those given to run().
  void add_to(CrawlNumbers& numbers, std::uint64_t url_hash, std::uint64_t i) const;

  // Of the page of record `i`, if it was kept; so that it is not read for this again.
  std::optional<TextFingerprint> fingerprint(std::uint64_t i) const;

 private:
  std::unique_ptr<ScratchFolder> scratch_;
  ScratchArray<std::uint64_t> targets_;  // of links whose texts are wanted
  std::unique_ptr<AnchorTexts> anchors_;
  ScratchArray<std::uint32_t> clusters_;        // by record; kNoCluster: too few words
  ScratchArray<TextFingerprint> fingerprints_;  // by record
};

}  // namespace bowerbird
