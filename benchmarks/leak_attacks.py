"""Statements that try to read another tenant's rows: attacks x targets x wrappers, always the same.

The attacks stand in ``leaks/``, one a line. ``{t}`` is a table as the attacker spells it, ``{n}``
its plain name, ``{c}`` a column, ``{o}`` another tenant's identifier.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from benchmarks.data import data_beside

ATTACKS = Path(__file__).parent / "leaks"
VICTIM = "tenant-beta-5f1c"

_DATA = data_beside(__file__)
COLUMNS: dict[str, list[str]] = _DATA["columns"]

AROUND_QUERIES: tuple[str, ...] = tuple(_DATA["around_queries"])
AROUND_STATEMENTS: tuple[str, ...] = tuple(_DATA["around_statements"])
SPELLINGS = ('"{n}"', 'public."{n}"')
RARE_SPELLINGS = ('"{n}"', 'U&"{u}"', '"public" . /* . */ "{n}"', "{n}", '"PUBLIC"."{n}"')


def leak_statements() -> Iterator[str]:
    """More than 5,000 distinct statements, the same in every run."""
    seen: set[str] = set()
    for statement in _combined():
        if statement not in seen:
            seen.add(statement)
            yield statement


def _combined() -> Iterator[str]:
    targets = [(table, f'"{column}"') for table, columns in COLUMNS.items() for column in columns]
    for file, wrappers in (("queries", AROUND_QUERIES), ("statements", AROUND_STATEMENTS)):
        attacks = (ATTACKS / f"{file}.txt").read_text("utf-8").splitlines()
        for (number, attack), target in product(enumerate(attacks), targets):
            for index, wrapper in enumerate(wrappers):
                spelling = SPELLINGS[(number + index) % len(SPELLINGS)]
                yield _filled(attack, wrapper, *target, spelling)
    for table, column in targets:
        for spelling, wrapper in product(RARE_SPELLINGS, AROUND_QUERIES):
            yield _filled("SELECT {c} FROM {t}", wrapper, table, column, spelling)


def _filled(template: str, wrapper: str, table: str, column: str, spelling: str) -> str:
    escaped = "".join(f"\\{ord(letter):04x}" for letter in table)
    name = spelling.format(n=table, u=escaped)
    query = template.format(t=name, n=table, c=column, o=VICTIM)
    return wrapper.replace("{q}", query).replace("{t}", name)
