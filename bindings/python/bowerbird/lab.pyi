"""Types of bowerbird.lab; docs/python.md describes it."""
from collections.abc import Sequence
from typing import Any, Optional, Union

from . import Graph, _Ids

def register(ordering: type, name: Optional[str] = None) -> str: ...
def run(graph: Graph, policies: Union[str, type, Sequence[Union[str, type]]] = "all", seeds: Union[str, _Ids] = "top:160", *,
        importance: str = "pagerank", strategy: str = "all", pages: int = 0, repeat: int = 1, seed: int = 1, memory: int = 0,
        threads: int = 0, baselines: bool = False) -> list[dict[str, Any]]: ...
