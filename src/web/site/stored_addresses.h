// Addresses of a web whose names are stored: found through a table of page numbers. For addresses.cc.
// Lifetime: the Web outlives them. Threads: const.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "web/site/addresses.h"

namespace bowerbird {

class StoredAddresses final : public Addresses {
 public:
  static Result<std::unique_ptr<Addresses>> make(const Web& web, const AddressOptions& options,
                                                 const Progress& progress);

  void url_of(PageId page, PageUrl& url) const override;
  PageId page_at(bool& https, std::string_view authority, std::string_view target) const override;
  HostId hosts() const override { return static_cast<HostId>(host_names_.size()); }
  std::string host_name(HostId host) const override { return host_names_[host]; }
  HostId host_named(std::string_view authority) const override;
  HostPages pages_of(HostId host) const override;

 private:
  StoredAddresses(const Web& web, const AddressOptions& options);
  Status read_names(const Progress& progress);
  void add_page(PageId page, PageUrl& url);
  void count_host(PageId page, std::string_view authority);
  void list_hosts();
  std::size_t slot_of(std::string_view url,
                      PageUrl& scratch) const;  // its own slot, or the empty one where it belongs

  const Web& web_;
  bool https_;
  PageId pages_;
  std::vector<PageId> table_;                        // open addressing; kNoPage: empty
  std::unordered_map<PageId, std::string> renamed_;  // pages whose URL is not their name
  std::vector<std::string> host_names_;
  std::unordered_map<std::string, HostId> host_numbers_;
  std::vector<HostPages> host_pages_;
  bool scattered_ = false;  // some host is more than one run
  std::vector<PageId> list_;
};

}  // namespace bowerbird
