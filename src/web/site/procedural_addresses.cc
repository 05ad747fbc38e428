#include "web/site/procedural_addresses.h"

namespace bowerbird {

Result<std::unique_ptr<Addresses>> ProceduralAddresses::make(const Web& web, const SyntheticNames& names,
                                                             const AddressOptions& options,
                                                             const Progress& progress) {
  BB_TRY(HostRanges ranges, HostRanges::make(*web.hosts, web.graph->pages(), progress));
  return std::unique_ptr<Addresses>(new ProceduralAddresses(web, names, options, std::move(ranges)));
}

// Names begin with http://; with TLS the whole web is https.
void ProceduralAddresses::url_of(PageId page, PageUrl& url) const {
  url.text = names_.name(page);
  if (https_) url.text.insert(4, "s");
  url.split();
}

PageId ProceduralAddresses::page_at(bool& https, std::string_view authority, std::string_view target) const {
  https = https_;
  std::string name = "http://";
  name.append(authority).append(target);
  return names_.find(name).value_or(kNoPage);
}

HostId ProceduralAddresses::host_named(std::string_view authority) const {
  return names_.find_host(authority).value_or(kNoHost);
}

}  // namespace bowerbird
