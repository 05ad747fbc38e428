// Addresses of a web without names: http://host-H.test/page-P. For addresses.cc. Lifetime: the Web
// outlives them. Threads: const.
#pragma once

#include <optional>

#include "web/site/addresses.h"
#include "web/site/host_ranges.h"

namespace bowerbird {

// "host-12.test" -> 12, "/page-7" -> 7, in one spelling only: no leading zeros. kNoHost, kNoPage otherwise.
HostId parse_numbered_host(std::string_view authority);
PageId parse_numbered_target(std::string_view target);
void append_numbered_url(bool https, HostId host, PageId page, std::string& out);

class NumberedAddresses final : public Addresses {
 public:
  static Result<std::unique_ptr<Addresses>> make(const Web& web, const AddressOptions& options,
                                                 const Progress& progress);

  void url_of(PageId page, PageUrl& url) const override;
  PageId page_at(bool& https, std::string_view authority, std::string_view target) const override;
  HostId hosts() const override { return hosts_; }
  std::string host_name(HostId host) const override;
  HostId host_named(std::string_view authority) const override;
  HostPages pages_of(HostId host) const override;

 private:
  NumberedAddresses(const Web& web, const AddressOptions& options);
  HostId host_of(PageId page) const;
  PageId first_of(HostId host) const;  // without known hosts

  const Web& web_;
  bool https_;
  PageId pages_;
  HostId hosts_;
  std::optional<HostRanges> ranges_;
};

}  // namespace bowerbird
