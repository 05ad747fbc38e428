"""An ordering of your own, compared with built-in ones (docs/python.md): tools/python examples/ordering.py"""
import bowerbird
from bowerbird import lab


class Sparse(bowerbird.Ordering):
    """Links of pages with few links count more."""

    def seed(self, page, share):
        return 1 + share

    def score(self, visit, pages, scores, is_new, other_host):
        scores += 1 / visit.links


graph = bowerbird.Graph.generate(pages=10_000)
for row in lab.run(graph, [Sparse, "bfs", "lipr"], seeds="top:10"):
    print(f"{row['policy']:8} AUC {row['auc']:.4f}  {row['crawled']} pages")
