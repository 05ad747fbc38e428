// A web: a graph with its hosts, names and topic, as far as they are known.
//
// Hosts and names are interfaces because a procedural web computes them and a stored one keeps them. Threads:
// const members may be called from many threads at once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace bowerbird {

// Which host a page belongs to.
class PageHosts {
 public:
  virtual ~PageHosts() = default;
  virtual HostId hosts() const = 0;
  virtual HostId host(PageId page) const = 0;
  // Pages [first, second) around `page` that are on its host, as far as they are contiguous. If contiguous()
  // holds this is the whole host, and "same host" is a comparison of numbers.
  virtual std::pair<PageId, PageId> run(PageId page) const = 0;
  virtual bool contiguous() const = 0;
  // "www.example.org", or empty if only numbers are known.
  virtual std::string host_name(HostId host) const = 0;
};

// The URL of a page.
class PageNames {
 public:
  virtual ~PageNames() = default;
  virtual std::string name(PageId page) const = 0;
};

// How the pages of a web relate to a topic, if their words are known. One entry per page.
struct WebTopic {
  std::vector<double> similarity;  // of the page's content
  std::vector<bool> on_topic;      // whether the content is about the topic
  std::vector<bool> named;         // its URL contains a word of the topic
  std::unique_ptr<Graph> anchors;  // the links whose text contains one
};

struct Web {
  std::unique_ptr<Graph> graph;      // never null
  std::unique_ptr<PageHosts> hosts;  // null if hosts are unknown
  std::unique_ptr<PageNames> names;  // null if names are unknown
  std::unique_ptr<WebTopic> topic;   // null if there is none
};

// Hosts stored as runs of pages: 8 bytes per run, so a web in URL order costs 8 bytes per host.
class StoredHosts final : public PageHosts {
 public:
  // host_of[page] for each page; the numbers are used as they are and hosts() is the largest plus one.
  explicit StoredHosts(const std::vector<HostId>& host_of, std::vector<std::string> names = {});

  HostId hosts() const override { return hosts_; }
  HostId host(PageId page) const override { return run_host_[run_of(page)]; }
  std::pair<PageId, PageId> run(PageId page) const override;
  bool contiguous() const override { return contiguous_; }
  std::string host_name(HostId host) const override;

 private:
  std::size_t run_of(PageId page) const;

  std::vector<PageId> run_start_;  // ascending, then one past the last page
  std::vector<HostId> run_host_;
  std::vector<std::string> names_;
  HostId hosts_ = 0;
  bool contiguous_ = true;
};

// Names stored as one block of text.
class StoredNames final : public PageNames {
 public:
  StoredNames() { offsets_.push_back(0); }
  void add(std::string_view name);
  PageId pages() const { return static_cast<PageId>(offsets_.size() - 1); }
  std::string_view view(PageId page) const;
  std::string name(PageId page) const override { return std::string(view(page)); }

 private:
  std::vector<std::uint64_t> offsets_;
  std::string text_;
};

}  // namespace bowerbird
