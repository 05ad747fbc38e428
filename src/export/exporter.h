// Exports the pages of an archive as documents of a format.
//
// The index is read and the records are chosen (selection.h). A first pass reads pages where something is
// wanted that no page knows alone: blocks that repeat across a site (site_blocks.h), texts of links to a page
// (anchor_texts.h), near-duplicate clusters, the link graph of WARC files (link_graph.h). Then threads read
// the pages and write their documents, which go out in the order of the archive, or by PageRank if only the
// best are wanted. The output is the same whatever the number of threads. Memory: that of the parts named,
// and a few pages per thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/captures.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/result.h"
#include "export/format.h"
#include "export/output.h"
#include "export/selection.h"
#include "store/other_payloads.h"

namespace bowerbird {

struct ExportOptions {
  FormatOptions format;
  Selection selection;
  OutputOptions output;  // prologue, packed and identity are filled in
  // Blocks that repeat across a site are boilerplate; without this each page is judged alone.
  bool by_site = true;
  bool stored_text = true;  // takes the main text that the crawl stored, if it did
  bool comments = false;    // comments of readers are main content; stored text has none
  // Goes on as long as the crawl runs. Captures are written as they are committed, each of a URL; there are
  // no numbers of the link graph.
  bool tail = false;
  OtherPayloads* others = nullptr;  // archives that may have the bodies of revisits
  unsigned threads = default_threads();
};

struct ExportCounts {
  std::uint64_t pages = 0;  // written, those of an export that this one continues among them
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
  // Left out:
  std::uint64_t not_selected = 0;  // by URL, host, date or status
  std::uint64_t other_types = 0;
  std::uint64_t older = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t near_duplicates = 0;
  std::uint64_t other_languages = 0;
  std::uint64_t short_pages = 0;
  std::uint64_t opted_out = 0;
  std::uint64_t low_scores = 0;
  std::uint64_t no_pdf_reader = 0;  // PDF files, and poppler-utils is not installed
  std::uint64_t unreadable = 0;
};

// paths: as open_captures() takes them, or WACZ packages.
Result<ExportCounts> export_documents(const std::vector<std::string>& paths, const ExportOptions& options,
                                      const Progress& progress = {});

}  // namespace bowerbird
