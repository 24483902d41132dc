"""How much of what is wrong the check catches, and how little of what is right it blocks.

    python -m benchmarks.query_check --data DIR --json

DIR holds the public data sets as ``benchmarks/README.md`` describes them; a set that is not there
is skipped with a line on standard error. The last line printed is one JSON object.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import acme, bird, fuzz, mutants, spider, tenant_leaks
from benchmarks.command import command, show

Figures = dict[str, Any]


def main() -> None:
    """Run the chosen parts and print their figures."""
    parser = command(__doc__, smoke="a small part of everything")
    parser.add_argument("--data", type=Path, help="folder of the public data sets")
    parser.add_argument("--only", nargs="*", default=None, help="run these parts only")
    options = parser.parse_args()
    figures: Figures = {}
    for name, part in _parts(options.data, options.smoke).items():
        if options.only is None or name in options.only:
            figures |= _timed(name, part)
    show(figures, options)


def _parts(data: Path | None, smoke: bool) -> dict[str, Callable[[], Figures]]:
    some = 60 if smoke else None
    public: dict[str, tuple[str, Callable[[Path], Figures]]] = {
        "bird": ("bird", lambda folder: bird.run(folder.parent, some)),
        "spider": ("spider_en", lambda folder: spider.run(folder.parent, some)),
        "acme": ("acme_dbt", acme.run),
        "acme_sql": ("acme_dbt", acme.run_sql),
        "nl2sql_bugs": ("nl2sql_bugs", lambda folder: bird.run_bugs(folder.parent)),
    }
    parts: dict[str, Callable[[], Figures]] = {}
    for name, (folder, run) in public.items():
        parts[name] = _with_data(data, folder, run)
    parts["mutants"] = lambda: dict(mutants.run(some))
    parts["tenant_leaks"] = lambda: _leaks(some)
    parts["fuzz"] = lambda: fuzz.run(500 if smoke else 100_000)
    return parts


def _with_data(
    data: Path | None, folder: str, run: Callable[[Path], Figures]
) -> Callable[[], Figures]:
    def part() -> Figures:
        if data is None or not (data / folder).is_dir():
            print(f"skipped {folder}: not in the data folder", file=sys.stderr)
            return {}
        return run(data / folder)

    return part


def _leaks(limit: int | None) -> Figures:
    figures = dict(tenant_leaks.run(limit))
    return {
        "tenant_leaks": figures.pop("tenant_leaks"),
        "tenant_statements": figures.pop("statements"),
        "tenant_detail": figures,
    }


def _timed(name: str, part: Callable[[], Figures]) -> Figures:
    print(f"{name} …", file=sys.stderr, flush=True)
    start = time.perf_counter()
    figures = part()
    print(f"{name}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return figures


if __name__ == "__main__":
    main()
