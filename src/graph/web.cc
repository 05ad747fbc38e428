#include "graph/web.h"

#include <algorithm>

namespace bowerbird {

StoredHosts::StoredHosts(const std::vector<HostId>& host_of, std::vector<std::string> names)
    : names_(std::move(names)) {
  for (PageId page = 0; page < host_of.size(); ++page) {
    if (page == 0 || host_of[page] != host_of[page - 1]) {
      run_start_.push_back(page);
      run_host_.push_back(host_of[page]);
    }
    hosts_ = std::max(hosts_, host_of[page] + 1);
  }
  run_start_.push_back(static_cast<PageId>(host_of.size()));
  std::vector<bool> seen(hosts_);
  for (const HostId host : run_host_) {
    if (seen[host]) contiguous_ = false;
    seen[host] = true;
  }
}

std::size_t StoredHosts::run_of(PageId page) const {
  return static_cast<std::size_t>(std::upper_bound(run_start_.begin(), run_start_.end(), page) -
                                  run_start_.begin()) -
         1;
}

std::pair<PageId, PageId> StoredHosts::run(PageId page) const {
  const std::size_t r = run_of(page);
  return {run_start_[r], run_start_[r + 1]};
}

std::string StoredHosts::host_name(HostId host) const {
  return host < names_.size() ? names_[host] : std::string();
}

void StoredNames::add(std::string_view name) {
  text_.append(name);
  offsets_.push_back(text_.size());
}

std::string_view StoredNames::view(PageId page) const {
  return std::string_view(text_).substr(offsets_[page], offsets_[page + 1] - offsets_[page]);
}

}  // namespace bowerbird
