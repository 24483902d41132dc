"""Evidence search: quality beside plain engines, cost beside bare statements, growth.

    python -m benchmarks.search --data DIR --json

``<set>_ndcg10_bm25`` is the lexical leg, ``_vector`` the vector leg with all-MiniLM-L6-v2, which
was taught English alone (no multilingual model can be had without a hub), ``_hybrid`` both, fused
as the product does. ``xquad_de_to_en`` asks in German about English paragraphs.
Beside them, over the same documents in the same run, ``_ts_rank`` is PostgreSQL's own ranking and
``_bm25s`` that library with its defaults. Each document of a set is one chunk. A set whose folder
is missing is left out; ``--only`` names the sets to run. The last line printed is one JSON object.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from benchmarks.search.ground import ground
from benchmarks.search.quality import quality
from benchmarks.search.scale import FULL, SMOKE, Size, scale
from benchmarks.search.sets import retrieval_sets


def figures(
    data: Path | None, only: frozenset[str], size: Size, *, with_vectors: bool = True
) -> dict[str, Any]:
    """All figures."""
    found: dict[str, Any] = {}
    with ground() as place:
        for given in retrieval_sets(data) if data is not None else ():
            if only and given.name not in only:
                continue
            vectors_from = data if with_vectors else None
            measured = quality(place.index(given.name), given, place.url, vectors_from)
            print(json.dumps(measured), file=sys.stderr, flush=True)
            found |= measured
        if not only or "scale" in only:
            found |= scale(place, size)
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, help="the folder with the public sets")
    parser.add_argument("--only", nargs="*", default=[], help="names of sets, or scale")
    parser.add_argument("--chunks", nargs="*", type=int, help="generated chunks, rising")
    parser.add_argument("--no-vectors", action="store_true", help="the lexical leg alone")
    parser.add_argument("--smoke", action="store_true", help="a small part that needs no data")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    given = parser.parse_args()
    size = SMOKE if given.smoke else FULL
    if given.chunks:
        size = Size(tuple(sorted(given.chunks)), size.questions)
    found = figures(given.data, frozenset(given.only), size, with_vectors=not given.no_vectors)
    if not given.json:
        for name, value in found.items():
            print(f"{name:40} {value}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
