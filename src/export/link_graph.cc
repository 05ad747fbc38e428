#include "export/link_graph.h"

#include <utility>

#include "base/hash.h"
#include "crawl/inspect/crawl_log.h"
#include "graph/csr.h"
#include "graph/pagerank.h"
#include "store/crawl_reader.h"
#include "sys/file.h"

namespace bowerbird {

namespace {

constexpr std::uint32_t kNoDepth = ~std::uint32_t{0};

}  // namespace

PageId LinkGraph::page(std::uint64_t url_hash) {
  const auto [at, added] = pages_.try_emplace(url_hash, static_cast<PageId>(pages_.size()));
  if (added) {
    links_.emplace_back();
    depth_.push_back(kNoDepth);
  }
  return at->second;
}

void LinkGraph::add_links(PageId from, std::vector<PageId> to) {
  links_[from] = std::move(to);
}

void LinkGraph::set_depth(std::uint64_t url_hash, std::uint32_t depth) {
  depth_[page(url_hash)] = depth;
}

Status LinkGraph::finish(const Progress& progress) {
  CsrBuilder builder(links_.size());
  for (std::vector<PageId>& row : links_) {
    builder.add(row);
    row = {};
  }
  const CsrGraph graph = std::move(builder).finish();
  BB_TRY(PageRank ranks, pagerank(graph, {}, progress));
  pagerank_ = std::move(ranks.rank);
  in_links_ = in_degrees(graph);
  return {};
}

CrawlNumbers LinkGraph::numbers(std::uint64_t url_hash) const {
  const auto found = pages_.find(url_hash);
  if (found == pages_.end()) return {};
  CrawlNumbers numbers;
  numbers.pagerank = pagerank_[found->second];
  numbers.in_links = in_links_[found->second];
  if (depth_[found->second] != kNoDepth) numbers.depth = depth_[found->second];
  return numbers;
}

Status add_crawl(const std::string& folder, LinkGraph& graph, const Progress& progress) {
  BB_TRY(const std::unique_ptr<CrawlReader> reader, CrawlReader::open(folder));
  std::vector<PageId> number(reader->pages());
  BB_TRY_VOID(reader->for_each_url(
      [&](PageId page, std::string_view url) { number[page] = graph.page(hash64(url)); }));
  std::uint64_t done = 0;
  const auto add = [&](const PageLinks& row) -> Status {
    if (++done % 1024 == 0 && !progress.tick("reading links", done, reader->crawled()))
      return error("stopped");
    std::vector<PageId> to;
    for (const StoredLink& link : row.links) {
      if ((link.flags & kLinkNofollow) == 0) to.push_back(number[link.page]);
    }
    graph.add_links(number[row.page], std::move(to));
    return {};
  };
  BB_TRY_VOID(reader->for_each_links(add));
  BB_TRY_VOID(reader->for_each_later_links(add));
  if (!file_exists(folder + "/" + crawl_files::kLog)) return {};
  return each_log_line(folder, *reader, [&](const nlohmann::json& line) {
    const auto url = line.find("url"), depth = line.find("depth");
    if (url == line.end() || depth == line.end() || !url->is_string() || !depth->is_number_unsigned()) return;
    graph.set_depth(hash64(url->get_ref<const std::string&>()), depth->get<std::uint32_t>());
  });
}

}  // namespace bowerbird
