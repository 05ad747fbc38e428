// The URLs of the synthetic web, computed from the page and back:
// http://www.tomirela.org/news4/2/page17.html.
//
// Host names come from the scrambled number of the site, spelt in syllables. A path has the number of each
// directory, so that a name can be mapped back to its page (the test Web uses this to serve pages). Names are
// unique within a web. Lifetime: shares the model. Threads: const.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "graph/synthetic.h"
#include "graph/web.h"

namespace bowerbird {

class SyntheticNames final : public PageNames {
 public:
  explicit SyntheticNames(std::shared_ptr<const SyntheticModel> model);

  std::string name(PageId page) const override;
  std::string host_name(HostId host) const;
  // The page of this name, if there is one.
  std::optional<PageId> find(std::string_view name) const;
  std::optional<HostId> find_host(std::string_view host_name) const;

 private:
  std::shared_ptr<const SyntheticModel> model_;
  unsigned bits_;  // of a scrambled site number, a multiple of 6
};

}  // namespace bowerbird
