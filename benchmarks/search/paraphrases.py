"""Whether an embedder speaks German, English and Chinese: the same told in other words.

    python -m benchmarks.search.paraphrases --data DIR --embedder static-multilingual

Every first telling asks for the second telling of its group, in its own language and in the two
others. ``top1`` is how often that one is the nearest, ``margin`` how much nearer it is than the
nearest of another group, in the mean; an embedder that knows nothing has a top1 of one in eighteen
and a margin below 0.
"""

import argparse
import json
import tomllib
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy

from benchmarks.search.embedded import EMBEDDERS, kept_embedder
from veridical.contracts.language import Language
from veridical.search.embeddings.embedder import Embedder

_FILE = Path(__file__).with_name("paraphrases.toml")
_DIGITS = 3


def spoken(embedder: Embedder) -> dict[str, float]:
    """Both figures for every pair of languages."""
    groups = tomllib.loads(_FILE.read_text("utf-8"))["group"]
    asked, told = (
        {
            language: numpy.array(embedder.embed([group[language][place] for group in groups]))
            for language in Language
        }
        for place in (0, 1)
    )
    found: dict[str, float] = {}
    for one, other in product(Language, repeat=2):
        near = (asked[one] @ told[other].T).tolist()
        margins = [_margin(row, place) for place, row in enumerate(near)]
        found[f"{one}_to_{other}_top1"] = round(fmean(each > 0 for each in margins), _DIGITS)
        found[f"{one}_to_{other}_margin"] = round(fmean(margins), _DIGITS)
    return found


def _margin(near: Sequence[float], place: int) -> float:
    return near[place] - max(each for at, each in enumerate(near) if at != place)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the models")
    parser.add_argument("--embedder", choices=EMBEDDERS, default=EMBEDDERS[0])
    given = parser.parse_args()
    print(json.dumps(spoken(kept_embedder(given.data, given.embedder).embedder)))


if __name__ == "__main__":
    main()
