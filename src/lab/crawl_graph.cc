#include "lab/crawl_graph.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/keyed_hash.h"
#include "graph/csr.h"
#include "lab/topic_notes.h"
#include "store/crawl_reader.h"
#include "url/host.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kTickPages = 1 << 14;

Error stopped() {
  return error("stopped");
}

// The rows are in the order in which pages were crawled; the graph needs them in the order of ids.
struct PageRows {
  std::vector<std::uint64_t> begin;  // index of a page's first link in `links`; kNone if it was not crawled
  std::vector<std::uint32_t> size;
  std::vector<PageId> links;
  // page and target of links whose text contains a word of the topic
  std::vector<std::pair<PageId, PageId>> hot;
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
};

Result<PageRows> read_rows(const CrawlReader& crawl, const TopicNotes* topic,
                           const std::optional<AdmittedLinks>& followed, const Progress& progress) {
  PageRows rows;
  rows.begin.assign(crawl.pages(), PageRows::kNone);
  rows.size.assign(crawl.pages(), 0);
  std::uint64_t read = 0;
  const Status status = crawl.for_each_links([&](const PageLinks& page) -> Status {
    if (++read % kTickPages == 0 && !progress.tick("reading links", read, crawl.crawled())) return stopped();
    if (page.page >= crawl.pages()) return error("links.log: there is no page {}", page.page);
    // A page that was fetched again has the links of its last fetch.
    rows.begin[page.page] = rows.links.size();
    for (const StoredLink& link : page.links) {
      if (link.page >= crawl.pages())
        return error("links.log: page {}: there is no page {}", page.page, link.page);
      const bool counts =
          followed ? is_followed(page.page, link, *followed) : (link.flags & kLinkNofollow) == 0;
      if (counts) rows.links.push_back(link.page);
    }
    rows.size[page.page] = static_cast<std::uint32_t>(rows.links.size() - rows.begin[page.page]);
    if (topic == nullptr) return {};
    for (const std::uint32_t place : topic->links_of(page.page)) {
      if (place < page.links.size()) rows.hot.emplace_back(page.page, page.links[place].page);
    }
    return {};
  });
  if (!status.ok()) return status.error();
  BB_TRY_VOID(crawl.for_each_later_links([&](const PageLinks& page) -> Status {
    std::uint64_t& begin = rows.begin[page.page];
    const std::uint64_t before = begin == PageRows::kNone ? 0 : begin;
    begin = rows.links.size();
    for (std::uint64_t i = 0; i < rows.size[page.page]; ++i) rows.links.push_back(rows.links[before + i]);
    for (const StoredLink& link : page.links) {
      if (followed ? is_followed(page.page, link, *followed) : (link.flags & kLinkNofollow) == 0)
        rows.links.push_back(link.page);
    }
    rows.size[page.page] = static_cast<std::uint32_t>(rows.links.size() - begin);
    return {};
  }));
  return rows;
}

// The page ids of the graph: those of the crawl without the URLs that are left out.
class GraphIds {
 public:
  GraphIds(const std::vector<PageId>& left_out, PageId pages) : pages_(pages) {
    if (left_out.empty()) return;
    ids_.reserve(pages);
    PageId next = 0;
    auto gap = left_out.begin();
    for (PageId page = 0; page < pages; ++page) {
      const bool out = gap != left_out.end() && *gap == page;
      if (out) ++gap;
      ids_.push_back(out ? kNoPage : next++);
    }
    pages_ = next;
  }

  PageId pages() const { return pages_; }
  bool holds(PageId page) const { return ids_.empty() || ids_[page] != kNoPage; }
  PageId operator()(PageId page) const { return ids_.empty() ? page : ids_[page]; }

 private:
  PageId pages_;
  std::vector<PageId> ids_;  // by page of the crawl; empty: the same
};

CsrGraph to_graph(PageRows& rows, const GraphIds& ids) {
  for (PageId& link : rows.links) link = ids(link);
  CsrBuilder builder(ids.pages(), rows.links.size());
  for (std::size_t page = 0; page < rows.begin.size(); ++page) {
    if (!ids.holds(static_cast<PageId>(page))) continue;
    if (rows.begin[page] == PageRows::kNone) {
      builder.add({});
    } else {
      builder.add(std::span(rows.links).subspan(rows.begin[page], rows.size[page]));
    }
  }
  return std::move(builder).finish();
}

// Without the values of URLs that are left out.
template <typename Value>
void keep_pages(std::vector<Value>& values, const GraphIds& ids) {
  std::size_t kept = 0;
  for (std::size_t page = 0; page < values.size(); ++page) {
    if (ids.holds(static_cast<PageId>(page))) values[kept++] = values[page];
  }
  values.resize(kept);
}

std::unique_ptr<Graph> anchors_graph(std::vector<std::pair<PageId, PageId>>& links, PageId pages) {
  std::sort(links.begin(), links.end());
  CsrBuilder builder(pages, links.size());
  std::vector<PageId> row;
  std::size_t at = 0;
  for (PageId page = 0; page < pages; ++page) {
    row.clear();
    for (; at < links.size() && links[at].first == page; ++at) row.push_back(links[at].second);
    builder.add(row);
  }
  return std::make_unique<CsrGraph>(std::move(builder).finish());
}

// Hosts are numbered as they appear.
class HostNumbers {
 public:
  HostId number(std::string host) {
    const auto [at, fresh] = numbers_.try_emplace(std::move(host), static_cast<HostId>(names_.size()));
    if (fresh) names_.push_back(at->first);
    return at->second;
  }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  std::unordered_map<std::string, HostId, KeyedStringHash> numbers_;
  std::vector<std::string> names_;
};

}  // namespace

bool is_crawl_folder(const std::string& path) {
  return CrawlReader::holds_crawl(path);
}

PageId graph_page(PageId page, const std::vector<PageId>& left_out) {
  const auto at = std::ranges::lower_bound(left_out, page);
  if (at != left_out.end() && *at == page) return kNoPage;
  return page - static_cast<PageId>(at - left_out.begin());
}

Result<Web> open_crawl_graph(const std::string& folder, const CrawlGraphOptions& options,
                             const Progress& progress) {
  BB_TRY(const std::unique_ptr<CrawlReader> crawl, CrawlReader::open(folder));
  const GraphIds ids(options.left_out, crawl->pages());
  Web web;
  std::optional<TopicNotes> notes;
  if (!options.topic.empty()) {
    BB_TRY(notes, TopicNotes::read(*crawl, options.topic));
    web.topic = std::make_unique<WebTopic>();
    web.topic->similarity = std::move(notes->similarity);
    web.topic->on_topic = std::move(notes->on_topic);
    keep_pages(web.topic->similarity, ids);
    keep_pages(web.topic->on_topic, ids);
  }
  {
    BB_TRY(PageRows rows, read_rows(*crawl, notes ? &*notes : nullptr, options.followed, progress));
    web.graph = std::make_unique<CsrGraph>(to_graph(rows, ids));
    for (auto& [from, to] : rows.hot) {
      from = ids(from);
      to = ids(to);
    }
    if (web.topic) web.topic->anchors = anchors_graph(rows.hot, ids.pages());
  }
  HostNumbers hosts;
  std::vector<HostId> host_of;
  auto names = std::make_unique<StoredNames>();
  bool going_on = true;
  BB_TRY_VOID(crawl->for_each_url([&](PageId page, std::string_view url) {
    if (page % kTickPages == 0) going_on = going_on && progress.tick("reading URLs", page, crawl->pages());
    if (!ids.holds(page)) return;
    host_of.push_back(hosts.number(host_of_url(url)));
    if (options.want_names) names->add(url);
    if (web.topic) web.topic->named.push_back(notes->topic.found_in_url(url));
  }));
  if (!going_on) return stopped();
  if (!host_of.empty()) web.hosts = std::make_unique<StoredHosts>(host_of, std::move(hosts).names());
  if (options.want_names) web.names = std::move(names);
  return web;
}

}  // namespace bowerbird
