"""What ``init`` finds in databases whose truth is known, and what it costs.

    python -m benchmarks.onboarding --data DIR [--dbs FOLDER] [--traps FILE] --json
    python -m benchmarks.onboarding --blind|--second|--third|--fourth|--fifth|--sixth FOLDER
        [--misses] --json

What is mined is compared with labels, and put to work: mutants of right calls over the Trustee's
books, statements over ACME, pairs of a wrong statement and its right twin, and gold queries. The
last line printed is one JSON object.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.command import command, show
from benchmarks.onboarding import acme_mined, gold, mutants, traps
from benchmarks.onboarding.folder import SETS, write_planted
from benchmarks.onboarding.pairs import write_pairs
from benchmarks.onboarding.scale import growth, large
from benchmarks.onboarding.scoring import Score, difference, summed
from benchmarks.onboarding.sqlsure_beside import NAME

SET = "onboarding_dbs"
READ = frozenset({"chinook", "northwind", "jaffle_shop"})
"""Databases of the set whose misses were read while the miner was written. Those of the others were
read after the first run over them, whose figures docs/benchmarks.md tells."""
TRAPS = Path("sql_traps/traps.jsonl")
GOLD = "gold_sql"


def main() -> None:
    """Print the figures; with ``--misses``, what was wrong and missed in what may be read."""
    parser = command(__doc__, smoke="the planted databases only")
    parser.add_argument("--data", type=Path, help=f"the folder with {SET}")
    parser.add_argument("--dbs", type=Path, help="a folder of the same form, never read before")
    parser.add_argument("--traps", type=Path, help="pairs of statements, JSON lines")
    for name in SETS:
        parser.add_argument(f"--{name}", type=Path, help="where this set is written; only this one")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--sample", type=int, default=mutants.SAMPLE, help="calls to corrupt")
    parser.add_argument("--seed", type=int, default=1, help="which calls")
    chosen = parser.parse_args()
    apart = next((name for name in SETS if getattr(chosen, name)), None)
    if apart:
        folder: Path = getattr(chosen, apart)
        found = _apart(apart, folder, misses=chosen.misses)
        write_pairs(folder, apart)
    else:
        found = _mining(chosen.data, chosen.dbs, misses=chosen.misses)
    if not (chosen.smoke or apart):
        with TemporaryDirectory() as place:
            found |= _apart("blind", Path(place), misses=chosen.misses)
        found |= {"scale": large(), "growth": growth()}
        found |= {name: found["scale"][name] for name in ("init_s", "first_answer_s")}
        found |= mutants.run(chosen.sample, chosen.seed)
        found |= _statements(chosen.data)
    pairs = chosen.traps or (chosen.data / TRAPS if chosen.data else None)
    if pairs is not None and pairs.is_file():
        found |= traps.run(pairs, chosen.dbs, None)
    elif chosen.traps:
        parser.error(f"{chosen.traps}: not there")
    show(found, chosen)


def _mining(data: Path | None, dbs: Path | None, *, misses: bool) -> dict[str, Any]:
    groups: dict[str, dict[str, dict[str, Score]]] = {}
    with TemporaryDirectory() as place:
        groups["planted"] = dict(_scored(write_planted(Path(place)), misses=misses))
    known = data / SET if data else None
    if known is not None and (known / "gold_keys.json").is_file():
        every = dict(_scored(known, misses=misses))
        groups["read"] = {name: each for name, each in every.items() if name in READ}
        groups["read_late"] = {name: each for name, each in every.items() if name not in READ}
    elif known is not None:
        print(f"{known}: not there, left out")
    if dbs is not None:
        groups["given"] = dict(_scored(dbs, misses=False))
    result: dict[str, Any] = {
        group: _figures(by_name.values()) | {"databases": sorted(by_name)}
        for group, by_name in groups.items()
    }
    judged = next(group for group in ("given", "read_late", "planted") if groups.get(group))
    figures = _figures(groups[judged].values())
    named = {f"constraint_{name}": figures["all"][name] for name in ("precision", "recall")}
    return {**named, "judged_on": judged, **result}


def _apart(group: str, folder: Path, *, misses: bool) -> dict[str, Any]:
    """The databases by somebody who had not seen the miner, as figures of their own."""
    found = dict(_scored(write_planted(folder, group), misses=misses))
    figures = _figures(found.values())
    named = {f"{group}_{name}": figures["all"][name] for name in ("precision", "recall")}
    return {**named, group: {**figures, "databases": sorted(found)}}


def _scored(folder: Path, *, misses: bool) -> Iterable[tuple[str, dict[str, Score]]]:
    keys = json.loads((folder / "gold_keys.json").read_text("utf-8"))
    semantics = json.loads((folder / "gold_semantics.json").read_text("utf-8"))
    for name, labels in keys.items():
        found = difference(folder, name, labels, semantics.get(name, {}))
        if misses and (folder.name != SET or name in READ):
            for kind in found.right:
                for fact in sorted(found.wrong[kind], key=str):
                    print(name, kind, "wrong", *fact)
                for fact in sorted(found.missed[kind], key=str):
                    print(name, kind, "missed", *fact)
        yield name, found.scores()


def _figures(found: Iterable[dict[str, Score]]) -> dict[str, Any]:
    by_kind = summed(found)
    every = sum(by_kind.values(), Score())
    return {
        "all": every.as_json(),
        "by_kind": {kind: score.as_json() for kind, score in sorted(by_kind.items())},
    }


def _statements(data: Path | None) -> dict[str, Any]:
    """What is said of statements that others wrote, where the data is there."""
    if data is None:
        return {}
    found: dict[str, Any] = {"acme_mined": acme_mined.run(data)}
    if (data / GOLD).is_dir():
        found |= gold.run(data / GOLD)
        found[f"gold_{NAME}"] = traps.gold_beside(data / GOLD)
    return found


if __name__ == "__main__":
    main()
