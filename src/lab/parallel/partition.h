// Who owns which page of a web, among the processes of a team [001].
//
// Where names are known the owner comes from the text of the site, URL or top-level domain, by the same
// function as in a live crawl; otherwise from the number of the host or page. 2 bytes a page. Threads: one
// owner; dynamic partitions change while the crawl runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "graph/web.h"
#include "lab/parallel/team.h"

namespace bowerbird {

class Partition {
 public:
  // Fails where the partitioning needs hosts or names and the web has none. With dynamic coordination nobody
  // owns anything at first.
  static Result<Partition> make(const Web& web, const TeamOptions& team);

  // kNoProc while nobody owns it (dynamic).
  ProcId owner(PageId page) const { return units_.empty() ? owners_[page] : owners_[units_[page]]; }
  // The page's site, or the page itself, goes to this process from here on (dynamic).
  void assign(PageId page, ProcId proc) { owners_[units_.empty() ? page : units_[page]] = proc; }

 private:
  static Partition by_url(const Web& web, const TeamOptions& team);
  static Partition by_site(const Web& web, const TeamOptions& team);
  static Result<Partition> by_domain(const Web& web, const TeamOptions& team);

  std::vector<ProcId> owners_;        // by page, or by unit
  std::vector<std::uint32_t> units_;  // by page: its site; only where owners are given out by site
};

}  // namespace bowerbird
