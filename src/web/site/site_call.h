// One request in progress; for site*.cc of this folder only. Lives on the stack of Site::answer().
#pragma once

#include "web/site/site.h"

namespace bowerbird {

struct Site::Call {
  const SiteRequest& request;
  const Moment& moment;
  SiteMemory& memory;
  SiteScratch& scratch;
  SiteAnswer& answer;

  LinkStyle style = LinkStyle::plain();
  bool https = false;
  std::string_view authority = {};  // in the Web: without the suffix of the style
  std::string_view target = {};
  std::uint64_t host_key = 0;
  std::uint64_t key = 0;  // of the requested resource: its form and its broken bytes are drawn from it

  bool moved = false;  // at the end of a redirect chain: no further faults
  unsigned copy = 0;
  bool near_copy = false;
  bool has_session = false;
  std::string_view session = {};
  std::string fresh_session = {};
};

}  // namespace bowerbird
