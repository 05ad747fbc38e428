// The records to export of an archive.
//
// list_records() reads the index of the archive once and lists the captures that qualify (selection.h). By
// default the newest capture of each URL counts, and of captures with the same body the first. A revisit
// stands for its page; its body is in the record that it repeats, or in another archive (other_bodies.h). The
// list and what is made of it are in temporary files, sorted in a fixed amount of memory (sys/disk_sorter.h),
// whatever their length. Threads: a list is read-only once made, any may use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "archive/captures.h"
#include "base/progress.h"
#include "base/result.h"
#include "export/other_bodies.h"
#include "export/selection.h"
#include "sys/disk_sorter.h"
#include "sys/scratch_file.h"

namespace bowerbird {

struct RecordList {
  ScratchArray<ListedRecord> records;  // in the order of the archive, numbered from 0
  ListCounts counts;
};

// memory: for each of up to three sorters.
// others: where bodies are looked for that are not in the source.
Result<RecordList> list_records(CaptureSource& source, const Selection& selection, OtherBodies& others,
                                const Progress& progress,
                                std::size_t memory = DiskSorter<ListedRecord>::kMemory);

// The hashes of the URLs of the records of some kinds, ascending.
Result<ScratchArray<std::uint64_t>> sorted_urls(std::span<const ListedRecord> records, DocumentKinds kinds);

// The records by a value, the highest first; of equal ones in their order.
Result<ScratchArray<ListedRecord>> sorted_by(std::span<const ListedRecord> records,
                                             const std::function<double(const ListedRecord&)>& value);

// Numbers of records: some pages of each site (site_blocks.h), site by site.
Result<ScratchArray<std::uint64_t>> sampled_records(std::span<const ListedRecord> records);

}  // namespace bowerbird
