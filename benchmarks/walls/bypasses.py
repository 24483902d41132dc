"""Functions and types hidden in statements: position x wrapper x function x spelling x dialect.

None of them may pass the check. Each has a twin of the same shape that calls an allowed function
or casts to an allowed type, and every twin must pass: to refuse everything is no wall.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.data import data_beside
from veridical.check.checker import Checker
from veridical.check.dialects import DIALECTS
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.ontology.catalog import Catalog
from veridical.ontology.compile import compile_catalog

HIDDEN = Path(__file__).parent / "hidden"
_DATA = data_beside(__file__)
FUNCTIONS: dict[str, list[str]] = _DATA["functions"]
TYPES: dict[str, list[str]] = _DATA["types"]
FOREIGN: dict[str, list[str]] = _DATA["foreign"]
"""Forms that a dialect does not have: their twins are not its SQL."""
ALLOWED_TYPES: tuple[str, ...] = tuple(_DATA["allowed_types"])
ALLOWED_FUNCTION = "upper"
SPELLINGS: tuple[str, ...] = tuple(_DATA["spellings"])
TWIN_SPELLINGS: tuple[str, ...] = tuple(_DATA["twin_spellings"])
ARGUMENTS: tuple[str, ...] = tuple(_DATA["arguments"])
CASTS: tuple[str, ...] = tuple(_DATA["casts"])
_TYPED = "{t} '{a}'"
_TYPED_IN = ("postgres",)
_VALUES: tuple[str, ...] = tuple(_DATA["values"])
_NAMES: tuple[str, ...] = tuple(_DATA["names"])
_SHOWN = 12


class Statement(NamedTuple):
    """One statement, and whether it must pass."""

    dialect: str
    sql: str
    passes: bool


def statements(seed: int = 1) -> list[Statement]:
    """Distinct statements for every dialect; names and values vary with the seed."""
    chance = random.Random(seed)
    found: dict[tuple[str, str], Statement] = {}
    for dialect in DIALECTS:
        for each in (*_hidden(dialect, chance), *_twins(dialect, chance)):
            found.setdefault((each.dialect, each.sql), each)
    return list(found.values())


def run(seed: int = 1, most: int = 1_000_000) -> dict[str, Any]:
    """How many hidden calls pass the check, and how many of their twins are refused; of all, or of
    a sample of so many."""
    tried = statements(seed)
    if len(tried) > most:
        tried = random.Random(seed).sample(tried, most)
    checkers = {dialect: Checker(_catalog(), dialect) for dialect in DIALECTS}
    by_dialect: dict[str, Counter[str]] = {dialect: Counter() for dialect in DIALECTS}
    bypasses: list[str] = []
    refused: list[str] = []
    for each in tried:
        counts = by_dialect[each.dialect]
        passed = isinstance(checkers[each.dialect].check(SqlCall(sql=each.sql)), CheckedQuery)
        counts["twins" if each.passes else "statements"] += 1
        if passed and not each.passes:
            counts["bypasses"] += 1
            bypasses.append(f"{each.dialect}: {each.sql}")
        elif each.passes and not passed:
            counts["refused_twins"] += 1
            refused.append(f"{each.dialect}: {each.sql}")
    return {
        "bypasses": len(bypasses),
        "statements": sum(counts["statements"] for counts in by_dialect.values()),
        "refused_twins": len(refused),
        "twins": sum(counts["twins"] for counts in by_dialect.values()),
        "by_dialect": {dialect: dict(counts) for dialect, counts in by_dialect.items()},
        "examples": [*bypasses[:_SHOWN], *refused[:_SHOWN]],
    }


def hidden_in(dialect: str, seed: int = 1) -> list[str]:
    """The statements of one dialect that must not pass."""
    return [each.sql for each in statements(seed) if each.dialect == dialect and not each.passes]


def _hidden(dialect: str, chance: random.Random) -> Iterator[Statement]:
    functions, positions = FUNCTIONS[dialect], _lines("positions.txt")
    for place, spelling, argument in product(positions, SPELLINGS, ARGUMENTS):
        call = f"{_spelled(chance.choice(functions), spelling)}({_filled(argument, chance)})"
        yield Statement(dialect, place.replace("{x}", call), False)
    for source, function in product(_lines("sources.txt"), functions):
        argument = _filled(chance.choice(ARGUMENTS), chance)
        name = _spelled(function, chance.choice(SPELLINGS))
        yield Statement(dialect, source.replace("{f}", name).replace("{a}", argument), False)
    typed = (_TYPED,) if dialect in _TYPED_IN else ()
    for place, cast in product(positions, (*CASTS, *typed)):
        value = _cast(cast, chance.choice(TYPES[dialect]), chance)
        yield Statement(dialect, place.replace("{x}", value), False)
    for kind, cast in product(TYPES[dialect], (*CASTS, *typed)):
        yield Statement(dialect, f"SELECT {_cast(cast, kind, chance)}", False)
    for line in _lines("forms.txt"):
        where, _, sql = line.partition(" | ")
        if where in ("*", dialect):
            yield Statement(dialect, sql, False)


def _twins(dialect: str, chance: random.Random) -> Iterator[Statement]:
    for place, spelling, argument in product(_lines("positions.txt"), TWIN_SPELLINGS, ARGUMENTS):
        call = f"{_spelled(ALLOWED_FUNCTION, spelling)}({_filled(argument, chance)})"
        sql = place.replace("{x}", call)
        if not any(form in sql for form in FOREIGN.get(dialect, ())):
            yield Statement(dialect, sql, True)
    for kind, cast in product(ALLOWED_TYPES, (*CASTS[:1], *CASTS[3:])):
        yield Statement(dialect, f"SELECT {_cast(cast, kind, chance)}", True)


def _spelled(function: str, spelling: str) -> str:
    return spelling.replace("{f}", function).replace("{F}", function.upper())


def _filled(argument: str, chance: random.Random) -> str:
    name, column = chance.sample(_NAMES, 2)
    text = argument.replace("{n}", name).replace("{c}", column)
    return text.replace("{a}", chance.choice(_VALUES))


def _cast(cast: str, kind: str, chance: random.Random) -> str:
    return cast.replace("{t}", kind).replace("{a}", chance.choice(_VALUES))


def _lines(name: str) -> list[str]:
    text = (HIDDEN / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _catalog() -> Catalog:
    columns = (
        Column("id", ValueType.INTEGER),
        Column("label", ValueType.TEXT),
        Column("balance", ValueType.NUMBER),
    )
    return compile_catalog(Schema.of([Table("Account", columns, keys=(("id",),))]))
