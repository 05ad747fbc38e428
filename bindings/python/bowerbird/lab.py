"""Crawls of a graph by several orderings, side by side (docs/lab.md).

    rows = lab.run(graph, ["bfs", "lipr", MyOrdering], seeds="top:10")
    pandas.DataFrame(rows)[["policy", "auc", "seconds"]]
"""
from . import _core

__all__ = ["register", "run"]


def register(ordering, name=None):
    """Makes a class derived from Ordering known by a name (default: the class's); returns the name."""
    if not isinstance(ordering, type):
        raise TypeError(f"an ordering is a class, not an object of {type(ordering).__name__}")
    for method in ("seed", "score"):
        if not callable(getattr(ordering, method, None)):
            raise TypeError(f"{ordering!r} is no ordering: it has no method {method}()")
    name = name or ordering.__name__
    summary = (ordering.__doc__ or "").strip().split("\n")[0]
    _core.add_ordering(name, summary, ordering)
    return name


def _names_of(policies):
    """Names for all; of classes with the same name the second one gets "-2", and so on."""
    names, classes = [], {}
    for one in policies:
        if isinstance(one, type):
            same = classes.setdefault(one.__name__, [])
            if one not in same:
                same.append(one)
                register(one, one.__name__ if len(same) == 1 else f"{one.__name__}-{len(same)}")
            number = same.index(one) + 1
            one = one.__name__ if number == 1 else f"{one.__name__}-{number}"
        names.append(one)
    return names


def run(graph, policies="all", seeds="top:160", *, importance="pagerank", strategy="all", pages=0, repeat=1, seed=1, memory=0,
        threads=0, baselines=False):
    """Crawls the graph once for each ordering and repeat; returns a list of dicts, one per run.

    policies: names such as "fpr@100", classes derived from bowerbird.Ordering, or "all". seeds: "top:K", "random:K",
    "home", "file:NAME", or page ids. Each dict has policy, seed, auc, crawled, known, links, seconds and others; `at` (shares
    of the reachable pages), `importance` (share of the importance collected by then) and `hot` are NumPy arrays.
    """
    if isinstance(policies, (str, type)):
        policies = [policies]
    names = _names_of(policies)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"an ordering is a name or a class, not {type(name).__name__}")
    if not isinstance(seeds, str):
        seeds = "ids:" + ",".join(str(int(page)) for page in seeds)
    return _core.run_lab(graph, names, seeds, importance, strategy, pages, repeat, seed, memory, threads, baselines)
