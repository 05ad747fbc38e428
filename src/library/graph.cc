// Graphs of the public interface.
#include <bowerbird/graph.h>

#include <algorithm>
#include <mutex>

#include "base/parallel.h"
#include "graph/io/open.h"
#include "graph/io/save.h"
#include "graph/pagerank.h"
#include "lab/crawl_graph.h"
#include "library/library.h"
#include "url/host.h"

namespace bowerbird {

struct v1::Graph::Impl {
  Web web;
  std::once_flag once;
  std::unique_ptr<CsrGraph> made;  // if web.graph does not have the arrays
  std::string failure;

  const CsrGraph& csr() {
    if (const auto* const arrays = dynamic_cast<const CsrGraph*>(web.graph.get())) return *arrays;
    std::call_once(once, [this] {
      auto arrays = to_csr(*web.graph);
      if (arrays.ok()) {
        made = std::make_unique<CsrGraph>(std::move(arrays).value());
      } else {
        failure = arrays.error().text;
      }
    });
    if (!made) throw v1::Error(failure);
    return *made;
  }
};

namespace {

// A graph whose memory is shared with its owner.
class SharedGraph final : public Graph {
 public:
  explicit SharedGraph(std::shared_ptr<v1::Graph::Impl> impl) : impl_(std::move(impl)) {}
  PageId pages() const override { return impl_->web.graph->pages(); }
  std::optional<std::uint64_t> links() const override { return impl_->web.graph->links(); }
  std::span<const PageId> out(PageId page, LinkBuffer& buffer) const override {
    return impl_->web.graph->out(page, buffer);
  }
  Status status() const override { return impl_->web.graph->status(); }
  void scan(PageId first, PageId last, const Visitor& visit) const override {
    impl_->web.graph->scan(first, last, visit);
  }

 private:
  std::shared_ptr<v1::Graph::Impl> impl_;
};

class SharedHosts final : public PageHosts {
 public:
  explicit SharedHosts(std::shared_ptr<v1::Graph::Impl> impl)
      : impl_(std::move(impl)), hosts_(*impl_->web.hosts) {}
  HostId hosts() const override { return hosts_.hosts(); }
  HostId host(PageId page) const override { return hosts_.host(page); }
  std::pair<PageId, PageId> run(PageId page) const override { return hosts_.run(page); }
  bool contiguous() const override { return hosts_.contiguous(); }
  std::string host_name(HostId host) const override { return hosts_.host_name(host); }

 private:
  std::shared_ptr<v1::Graph::Impl> impl_;
  const PageHosts& hosts_;
};

class SharedNames final : public PageNames {
 public:
  explicit SharedNames(std::shared_ptr<v1::Graph::Impl> impl) : impl_(std::move(impl)) {}
  std::string name(PageId page) const override { return impl_->web.names->name(page); }

 private:
  std::shared_ptr<v1::Graph::Impl> impl_;
};

}  // namespace

Web shared_web(const v1::Graph& graph) {
  const std::shared_ptr<v1::Graph::Impl>& impl = graph.impl();
  Web web;
  if (const auto* const arrays = dynamic_cast<const CsrGraph*>(impl->web.graph.get())) {
    web.graph = std::make_unique<CsrGraph>(arrays->offsets(), arrays->targets(), arrays->weights(), impl);
  } else {
    web.graph = std::make_unique<SharedGraph>(impl);
  }
  if (impl->web.hosts) web.hosts = std::make_unique<SharedHosts>(impl);
  if (impl->web.names) web.names = std::make_unique<SharedNames>(impl);
  return web;
}

namespace v1 {

Graph Graph::open(const std::string& path, const Progress& progress) {
  ProgressGuard guard(progress);
  auto impl = std::make_shared<Impl>();
  impl->web = guard.value(is_crawl_folder(path) ? open_crawl_graph(path, {}, guard.progress())
                                                : open_web(path, {}, guard.progress()));
  return Graph(std::move(impl));
}

Graph Graph::from_links(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                        std::uint32_t pages, std::span<const std::uint32_t> hosts,
                        std::span<const std::string> urls) {
  if (from.size() != to.size()) throw Error("the links have different numbers of sources and targets");
  std::uint64_t least = 0;
  for (const std::uint32_t page : from) least = std::max<std::uint64_t>(least, std::uint64_t{page} + 1);
  for (const std::uint32_t page : to) least = std::max<std::uint64_t>(least, std::uint64_t{page} + 1);
  if (pages != 0 && least > pages)
    throw Error("a link names page " + std::to_string(least - 1) + ", but there are " +
                std::to_string(pages) + " pages");
  if (least >= kMaxPages) throw Error("too many pages");
  if (pages == 0) pages = static_cast<std::uint32_t>(least);
  if (!hosts.empty() && hosts.size() != pages) throw Error("there must be one host for each page");
  if (!urls.empty() && urls.size() != pages) throw Error("there must be one URL for each page");

  std::vector<std::uint64_t> offsets(std::size_t{pages} + 1);
  for (const std::uint32_t page : from) ++offsets[page + 1];
  for (std::size_t i = 0; i < pages; ++i) offsets[i + 1] += offsets[i];
  std::vector<PageId> rows(to.size());
  std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < from.size(); ++i) rows[next[from[i]]++] = to[i];
  CsrBuilder builder(pages, to.size());
  for (std::uint32_t page = 0; page < pages; ++page) {
    builder.add(std::span(rows).subspan(offsets[page], offsets[page + 1] - offsets[page]));
  }
  auto impl = std::make_shared<Impl>();
  impl->web.graph = std::make_unique<CsrGraph>(std::move(builder).finish());
  if (!urls.empty()) {
    auto names = std::make_unique<StoredNames>();
    std::vector<HostId> host_of;
    std::vector<std::string> host_names;
    std::unordered_map<std::string, HostId> ids;
    for (const std::string& url : urls) {
      names->add(url);
      const auto [found, added] = ids.emplace(host_of_url(url), static_cast<HostId>(ids.size()));
      if (added) host_names.push_back(found->first);
      host_of.push_back(found->second);
    }
    impl->web.names = std::move(names);
    if (hosts.empty()) impl->web.hosts = std::make_unique<StoredHosts>(host_of, std::move(host_names));
  }
  if (!hosts.empty()) {
    impl->web.hosts = std::make_unique<StoredHosts>(std::vector<HostId>(hosts.begin(), hosts.end()));
  }
  return Graph(std::move(impl));
}

void Graph::save(const std::string& path, const Progress& progress) const {
  ProgressGuard guard(progress);
  guard.check(save_web(impl_->web, path, {}, guard.progress()));
}

std::uint32_t Graph::pages() const {
  return impl_->web.graph->pages();
}
std::uint64_t Graph::links() const {
  if (const auto known = impl_->web.graph->links()) return *known;
  return impl_->csr().targets().size();
}
bool Graph::has_hosts() const {
  return impl_->web.hosts != nullptr;
}
bool Graph::has_urls() const {
  return impl_->web.names != nullptr;
}
std::uint32_t Graph::hosts() const {
  return impl_->web.hosts ? impl_->web.hosts->hosts() : 0;
}

std::uint32_t Graph::host(std::uint32_t page) const {
  if (!impl_->web.hosts) throw Error("the hosts of this graph are not known");
  if (page >= pages()) throw Error("there is no page " + std::to_string(page));
  return impl_->web.hosts->host(page);
}

std::string Graph::url(std::uint32_t page) const {
  if (!impl_->web.names) throw Error("the URLs of this graph are not known");
  if (page >= pages()) throw Error("there is no page " + std::to_string(page));
  return impl_->web.names->name(page);
}

std::span<const std::uint64_t> Graph::offsets() const {
  return impl_->csr().offsets();
}
std::span<const std::uint32_t> Graph::targets() const {
  return impl_->csr().targets();
}

std::vector<double> Graph::pagerank(double damping, double tolerance, unsigned threads,
                                    const Progress& progress) const {
  if (!(damping >= 0 && damping < 1)) throw Error("the damping must be at least 0 and less than 1");
  if (!(tolerance > 0)) throw Error("the tolerance must be greater than 0");
  ProgressGuard guard(progress);
  PageRankOptions options;
  options.damping = damping;
  options.tolerance = tolerance;
  if (threads > 0) options.threads = threads;
  return guard.value(::bowerbird::pagerank(impl_->csr(), options, guard.progress())).rank;
}

}  // namespace v1
}  // namespace bowerbird
