"""Evidence search: quality beside plain engines, cost beside bare statements, growth.

    python -m benchmarks.search --data DIR --index postgres --json

``<set>_ndcg10_bm25`` is the lexical leg, ``_vector`` the vector leg with the embedder that
``--embedder`` names (all-MiniLM-L6-v2 was taught English alone; ``static-multilingual`` has to be
installed, see the README of the benchmarks), ``_hybrid`` both, fused as the product does, and
``<set>_vector_weight`` what the product measured that the vectors weigh. Figures that end in
``_held_out`` are of the questions that had no part when the way of fusing was chosen.
``xquad_de_to_en`` asks in German about English paragraphs.
Beside them, over the same documents in the same run, ``_ts_rank`` is PostgreSQL's own ranking and
``_bm25s`` that library with its defaults. Each document of a set is one chunk. A set whose folder
is missing is left out. Then ``scale`` (cost and growth), ``own`` (the stages of scoring over a
collection of our own), ``quotations`` (over the public texts), ``contract``, ``outages`` and
``injections`` (what tests promise). ``--only`` names the parts to run. The last line printed is one
JSON object.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.command import command, show
from benchmarks.quotations.__main__ import measure as quotations
from benchmarks.quotations.texts import Half, public_texts
from benchmarks.search import promises, stages
from benchmarks.search.bare import ground
from benchmarks.search.embedded import DEFAULT, EMBEDDERS, kept_embedder
from benchmarks.search.own.collection import collection
from benchmarks.search.quality import quality
from benchmarks.search.scale import FULL, SMOKE, Size, scale
from benchmarks.search.sets import retrieval_sets
from veridical.search.score.settings import Index


def figures(
    data: Path | None,
    only: frozenset[str],
    size: Size,
    embedder: str | None = DEFAULT,
    index: Index = Index.POSTGRES,
) -> dict[str, Any]:
    """All figures; those of the lexical leg alone where no embedder is named."""
    found: dict[str, Any] = {"index": index.value}
    model = kept_embedder(data, embedder) if data is not None and embedder is not None else None
    with ground(index) as place:
        for given in retrieval_sets(data) if data is not None else ():
            if only and given.name not in only:
                continue
            measured = quality(place.index(given.name), given, place.url, model)
            print(json.dumps(measured), file=sys.stderr, flush=True)
            found |= measured
        if not only or "scale" in only:
            found |= scale(place, size)
    return found


def further(data: Path | None, only: frozenset[str]) -> dict[str, Any]:
    """What needs no index of the public sets."""
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "own": lambda: {"own": stages.report(collection().questions)},
        "contract": promises.contract,
        "outages": promises.outages,
        "injections": promises.injections,
    }
    if data is not None:
        parts["quotations"] = lambda: {"quotations": quotations(public_texts(data, Half.PUBLISHED))}
    found: dict[str, Any] = {}
    for name, part in parts.items():
        if not only or name in only:
            found |= part()
    return found


def main() -> None:
    """Print the figures."""
    parser = command(__doc__, smoke="a small part that needs no data")
    parser.add_argument("--data", type=Path, help="the folder with the public sets")
    parser.add_argument("--index", choices=[*Index], default=Index.POSTGRES, help="what finds")
    parser.add_argument("--only", nargs="*", default=[], help="names of sets and parts")
    parser.add_argument("--chunks", nargs="*", type=int, help="generated chunks, rising")
    parser.add_argument("--embedder", choices=EMBEDDERS, default=DEFAULT, help="of the vectors")
    parser.add_argument("--no-vectors", action="store_true", help="the lexical leg alone")
    given = parser.parse_args()
    size = SMOKE if given.smoke else FULL
    if given.chunks:
        size = Size(tuple(sorted(given.chunks)), size.questions)
    embedder = None if given.no_vectors else given.embedder
    only = frozenset[str](given.only)
    found = figures(given.data, only, size, embedder, Index(given.index))
    if not given.smoke:
        found |= further(given.data, only)
    show(found, given)


if __name__ == "__main__":
    main()
