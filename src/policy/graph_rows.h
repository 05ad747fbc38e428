// Shared code of the orderings with a growing graph, for its log of links.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "graph/link_log.h"
#include "policy/policy.h"
#include "policy/registry.h"

namespace bowerbird {

// The crawl's rows as rows of the log, in the ordering's own page numbers. Empty if `rows` is.
inline LinkLog::Source node_rows(CrawledRows rows, std::function<LinkLog::Node(PageId)> node_of) {
  if (!rows) return {};
  return [rows = std::move(rows), node_of = std::move(node_of), pages = std::vector<PageId>()](
             std::uint64_t number, LinkLog::Row& row) mutable -> Status {
    BB_TRY_VOID(rows(number, pages));
    if (pages.empty()) return error("row {} of the log of links is empty", number);
    row.page = node_of(pages.front());
    row.links.clear();
    for (std::size_t i = 1; i < pages.size(); ++i) row.links.push_back(node_of(pages[i]));
    return {};
  };
}

inline GraphUse graph_use_of(const LinkLog& log) {
  const LinkLog::Use use = log.use();
  return {use.links_on_disk, use.disk};
}

}  // namespace bowerbird
