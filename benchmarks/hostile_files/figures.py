"""All that is searched: texts for check, gate and route, files for their readers, and the worst of
the files at a server."""

from collections.abc import Mapping
from typing import Any

from benchmarks.fuzz_search import search
from benchmarks.hostile_files.formats import formats
from benchmarks.hostile_files.search import SIZE, Worst, search_files
from benchmarks.hostile_files.uploads import HostileFile, uploaded
from veridical.requirements.files.readers import READERS, TABLES

_FEW = 2


def everything(*, smoke: bool, seed: int) -> dict[str, Any]:
    """The figures of it."""
    texts = search(smoke=smoke, seed=seed)
    files = search_files(smoke=smoke, seed=seed)
    figures: dict[str, dict[str, Any]] = {
        **texts["targets"],
        **{name: worst.as_figures() for name, worst in files.items()},
    }
    return {
        "inputs": sum(each["inputs"] for each in figures.values()),
        "crashes": sum(each["crashes"] for each in figures.values()),
        "slowest_ms": max(each["slowest_ms"] for each in figures.values()),
        "slowest_wait_ms": max(each.get("slowest_wait_ms", 0.0) for each in figures.values()),
        "growth": texts["growth"],
        "hungriest_mb": max(each["hungriest_mb"] for each in figures.values()),
        **uploaded(_worst(files), smoke=smoke),
        "targets": figures,
    }


def _worst(files: Mapping[str, Worst]) -> list[HostileFile]:
    """The slowest of each format that the console takes."""
    kinds = formats()
    taken = {*READERS, *TABLES}
    return [
        HostileFile(kinds[name].ending, kinds[name].recipes[each.recipe].made(each.fragment, SIZE))
        for name, worst in files.items()
        if name.startswith("requirements") and kinds[name].ending in taken
        for each in sorted(worst.ranked, reverse=True)[:_FEW]
    ]
