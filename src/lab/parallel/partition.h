// Which process of a team owns which page of a web [001].
//
// If names are known the owner comes from the text of the site, URL or top-level domain, by the same function
// as in a live crawl; otherwise from the number of the host or page. 2 bytes per page. Threads: one owner;
// dynamic partitions change while the crawl runs.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "graph/web.h"
#include "lab/parallel/team.h"

namespace bowerbird {

class Partition {
 public:
  // Fails if the partitioning needs hosts or names and the web has none. With dynamic coordination nobody
  // owns anything at first.
  static Result<Partition> make(const Web& web, const TeamOptions& team);

  // kNoProc if it has no owner yet (dynamic).
  ProcId owner(PageId page) const { return units_.empty() ? owners_[page] : owners_[units_[page]]; }
  // Gives the page's site, or the page itself, to this process (dynamic).
  void assign(PageId page, ProcId proc) { owners_[units_.empty() ? page : units_[page]] = proc; }

 private:
  static Partition by_url(const Web& web, const TeamOptions& team);
  static Partition by_site(const Web& web, const TeamOptions& team);
  static Result<Partition> by_domain(const Web& web, const TeamOptions& team);

  std::vector<ProcId> owners_;        // by page, or by unit
  std::vector<std::uint32_t> units_;  // by page: its site; only if owners are assigned by site
};

}  // namespace bowerbird
