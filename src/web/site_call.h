// One request on its way through the Site; for web/site*.cc alone.
#pragma once

#include "web/site.h"

namespace bowerbird {

struct Site::Call {
  const SiteRequest& request;
  const Moment& moment;
  SiteMemory& memory;
  SiteScratch& scratch;
  SiteAnswer& answer;

  LinkStyle style = LinkStyle::plain();
  bool https = false;
  std::string_view authority = {};  // as the Web knows it: without the suffix of the style
  std::string_view target = {};
  std::uint64_t host_key = 0;
  std::uint64_t key = 0;  // of the thing asked for: what its form and its broken bytes are drawn from

  bool moved = false;  // at the end of a redirect chain: faults have had their turn
  unsigned copy = 0;
  bool near_copy = false;
  bool has_session = false;
  std::string_view session = {};
  std::string fresh_session = {};
};

}  // namespace bowerbird
