// Addresses of a synthetic web, which computes names and their inverse: nothing is stored. For
// web/site/addresses.cc. Lifetime: the Web outlives them. Threads: const.
#pragma once

#include "graph/synthetic_names.h"
#include "web/site/addresses.h"
#include "web/site/host_ranges.h"

namespace bowerbird {

class ProceduralAddresses final : public Addresses {
 public:
  static Result<std::unique_ptr<Addresses>> make(const Web& web, const SyntheticNames& names,
                                                 const AddressOptions& options, const Progress& progress);

  void url_of(PageId page, PageUrl& url) const override;
  PageId page_at(bool& https, std::string_view authority, std::string_view target) const override;
  HostId hosts() const override { return web_.hosts->hosts(); }
  std::string host_name(HostId host) const override { return names_.host_name(host); }
  HostId host_named(std::string_view authority) const override;
  HostPages pages_of(HostId host) const override { return ranges_.pages_of(host); }

 private:
  ProceduralAddresses(const Web& web, const SyntheticNames& names, const AddressOptions& options,
                      HostRanges ranges)
      : web_(web), names_(names), https_(options.https), ranges_(std::move(ranges)) {}

  const Web& web_;
  const SyntheticNames& names_;
  bool https_;
  HostRanges ranges_;
};

}  // namespace bowerbird
