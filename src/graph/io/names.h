// Names of the pages of a graph, from text files next to it: their URLs, and with them their hosts.
//
//   X.urls[.gz|.zst]    line i is the URL of page i
//   X.hosts[.gz|.zst]   for a graph of hosts: line i is the name of host i, optionally followed by a tab and
// more
//
// and, if the user names one, a file with one host number per line. Hosts are numbered in the order of their
// first page, whatever the numbers in a file: no number is used as a size. Pages whose URL has no host share
// one without a name; if no page has a host, hosts are unknown. A file with fewer or more lines than the
// graph has pages is an error (blank lines at the end do not count).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "graph/web.h"
#include "sys/file.h"
#include "sys/stream.h"

namespace bowerbird {

struct NamesFile {
  std::string path;
  bool of_hosts = false;
};

// The names file next to a graph, if there is one.
std::optional<NamesFile> find_names_file(const std::string& graph_path);
// A names file that the user chose; its name shows whether it is one of hosts.
NamesFile names_file(std::string path);

struct KnownPages {
  std::unique_ptr<PageNames> names;
  std::unique_ptr<PageHosts> hosts;
};

// Without keep_names only the hosts are determined (the names of a large web need much memory).
Result<KnownPages> read_names(InputStream& in, bool of_hosts, PageId pages, bool keep_names,
                              const Progress& progress = {});
Result<std::unique_ptr<PageHosts>> read_host_numbers(InputStream& in, PageId pages,
                                                     const Progress& progress = {});

// One name per line; does not finish the sink. A name that contains a line break is an error.
Status write_names(const PageNames& names, PageId pages, ByteSink& out, const Progress& progress = {});

// The hosts of a graph of hosts: every page is one, and its name is the host's.
class HostPerPage final : public PageHosts {
 public:
  // names may be null.
  HostPerPage(PageId pages, std::shared_ptr<const PageNames> names)
      : pages_(pages), names_(std::move(names)) {}

  HostId hosts() const override { return pages_; }
  HostId host(PageId page) const override { return page; }
  std::pair<PageId, PageId> run(PageId page) const override { return {page, page + 1}; }
  bool contiguous() const override { return true; }
  std::string host_name(HostId host) const override { return names_ ? names_->name(host) : std::string(); }

 private:
  PageId pages_;
  std::shared_ptr<const PageNames> names_;
};

// Names with shared ownership.
class SharedNames final : public PageNames {
 public:
  explicit SharedNames(std::shared_ptr<const PageNames> names) : names_(std::move(names)) {}
  std::string name(PageId page) const override { return names_->name(page); }

 private:
  std::shared_ptr<const PageNames> names_;
};

}  // namespace bowerbird
