#include "export/link_graph.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "crawl/inspect/crawl_log.h"
#include "export/hash_search.h"
#include "graph/csr.h"
#include "graph/pagerank.h"
#include "store/crawl_reader.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

constexpr std::uint32_t kNoDepth = ~std::uint32_t{0};

}  // namespace

PageId LinkGraph::find(std::uint64_t url_hash) const {
  const std::size_t at = find_hash(pages_.all(), url_hash);
  return at == pages_.size() ? kNoPage : static_cast<PageId>(at);
}

Status LinkGraph::number_pages() {
  bool first = true;
  std::uint64_t before = 0;
  BB_TRY_VOID(hashes_.finish([&](std::uint64_t hash) -> Status {
    if (!first && hash == before) return {};
    first = false;
    before = hash;
    return pages_.push_back(hash);
  }));
  if (pages_.count() >= kNoPage) return error("the graph has more than 4 billion pages");
  return pages_.finish();
}

// Into sources_, by the page that a link leads to.
Status LinkGraph::sort_links(const Progress& progress) {
  struct Link {
    PageId to = 0;
    PageId from = 0;
    bool operator<(const Link& other) const { return to != other.to ? to < other.to : from < other.from; }
    bool operator==(const Link&) const = default;
  };
  BB_TRY_VOID(links_.finish());
  DiskSorter<Link> sorter(memory_);
  std::uint64_t done = 0, from_hash = 0;
  PageId from = find(from_hash);
  for (const HashedLink& link : links_) {
    if (++done % 65536 == 0 && !progress.tick("sorting links", done, links_.size())) return error("stopped");
    if (link.from != from_hash) from = find(from_hash = link.from);
    const PageId to = find(link.to);
    if (from != kNoPage && to != kNoPage) BB_TRY_VOID(sorter.add({to, from}));
  }
  links_ = {};
  BB_TRY(out_degrees_, ScratchArray<std::uint32_t>::sized(pages_.size()));
  Link before{kNoPage, kNoPage};
  PageId next = 0;  // the first page whose sources did not begin
  BB_TRY_VOID(sorter.finish([&](const Link& link) -> Status {
    if (link == before) return {};
    before = link;
    for (; next <= link.to; ++next) BB_TRY_VOID(first_sources_.push_back(sources_.count()));
    ++out_degrees_[link.from];
    return sources_.push_back(link.from);
  }));
  for (; next <= pages_.size(); ++next) BB_TRY_VOID(first_sources_.push_back(sources_.count()));
  BB_TRY_VOID(first_sources_.finish());
  return sources_.finish();
}

Status LinkGraph::set_depths() {
  BB_TRY_VOID(depths_.finish());
  BB_TRY(depth_, ScratchArray<std::uint32_t>::sized(pages_.size()));
  std::fill(depth_.all().begin(), depth_.all().end(), kNoDepth);
  for (const HashedDepth& entry : depths_) {
    const PageId page = find(entry.page);
    if (page != kNoPage) depth_[page] = static_cast<std::uint32_t>(entry.depth);
  }
  depths_ = {};
  return {};
}

Status LinkGraph::rank(const Progress& progress) {
  const std::uint64_t count = pages_.size();
  BB_TRY(pagerank_, ScratchArray<double>::sized(count));
  BB_TRY(ScratchArray<double> given, ScratchArray<double>::sized(count));
  BB_TRY(ScratchArray<double> next_given, ScratchArray<double>::sized(count));
  const CsrGraph sources(first_sources_.all(), sources_.all(), {}, nullptr);
  BB_TRY(const PageRank ranked,
         pagerank_of_sources(sources, out_degrees_.all(), {pagerank_.all(), given.all(), next_given.all()},
                             {}, progress));
  static_cast<void>(ranked);
  return {};
}

Status LinkGraph::finish(const Progress& progress) {
  BB_TRY_VOID(number_pages());
  BB_TRY_VOID(sort_links(progress));
  BB_TRY_VOID(set_depths());
  return rank(progress);
}

CrawlNumbers LinkGraph::numbers(std::uint64_t url_hash) const {
  const PageId page = find(url_hash);
  if (page == kNoPage) return {};
  CrawlNumbers numbers;
  numbers.pagerank = pagerank_[page];
  numbers.in_links = static_cast<std::uint32_t>(first_sources_[page + 1] - first_sources_[page]);
  if (depth_[page] != kNoDepth) numbers.depth = depth_[page];
  return numbers;
}

Status add_crawl(const std::string& folder, LinkGraph& graph, const Progress& progress) {
  BB_TRY(const std::unique_ptr<CrawlReader> reader, CrawlReader::open(folder));
  BB_TRY(ScratchArray<std::uint64_t> hashes, ScratchArray<std::uint64_t>::sized(reader->pages()));
  Status added;
  BB_TRY_VOID(reader->for_each_url([&](PageId page, std::string_view url) {
    hashes[page] = hash64(url);
    if (added.ok()) added = graph.add_page(hashes[page]);
  }));
  BB_TRY_VOID(std::move(added));
  std::uint64_t done = 0;
  const auto add = [&](const PageLinks& row) -> Status {
    if (++done % 1024 == 0 && !progress.tick("reading links", done, reader->crawled()))
      return error("stopped");
    for (const StoredLink& link : row.links) {
      if ((link.flags & kLinkNofollow) == 0) BB_TRY_VOID(graph.add_link(hashes[row.page], hashes[link.page]));
    }
    return {};
  };
  BB_TRY_VOID(reader->for_each_links(add));
  BB_TRY_VOID(reader->for_each_later_links(add));
  if (!file_exists(folder + "/" + crawl_files::kLog)) return {};
  BB_TRY_VOID(each_log_line(folder, *reader, [&](const nlohmann::json& line) {
    const auto url = line.find("url"), depth = line.find("depth");
    if (url == line.end() || depth == line.end() || !url->is_string() || !depth->is_number_unsigned()) return;
    if (added.ok())
      added = graph.add_depth(hash64(url->get_ref<const std::string&>()), depth->get<std::uint32_t>());
  }));
  return added;
}

}  // namespace bowerbird
