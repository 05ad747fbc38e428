#include "graph/graph.h"

namespace bowerbird {

void Graph::scan(PageId first, PageId last, const Visitor& visit) const {
  LinkBuffer buffer;
  for (PageId page = first; page < last; ++page) {
    if (!visit(page, out(page, buffer))) return;
  }
}

}  // namespace bowerbird
