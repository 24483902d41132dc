"""All that a cheat may try: thousands of expressions over the evidence, by what they print."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from veridical.contracts.language import Language
from veridical.evidence.column import Kind
from veridical.evidence.table import Table
from veridical.gate.kernel.evaluate import Evaluator
from veridical.gate.kernel.parse import is_condition, is_rows, is_scalar, parse
from veridical.gate.kernel.value import EvaluationError, Figure
from veridical.gate.references.parts_schema import row_names
from veridical.gate.references.printed import Printer, read_form

MOST = 12_000
"""Expressions for one item."""
FORMS = ("", "0", "1", "2", "0%", "1%", "m", "1 m", "w", "~")
_OPERATIONS = ("sum", "mean", "median", "min", "max", "distinct")
_DIGITS = re.compile(r"\d")


@dataclass
class Repertoire:
    """What can be written about some tables, by what it prints."""

    tables: dict[str, Table]
    language: Language
    tried: int = 0
    printing: dict[str, list[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict[str, list[tuple[str, str]]](list)
    )
    """Expression and format, by the digits that are printed."""
    conditions: list[str] = field(default_factory=list[str])
    """Those that hold."""


def repertoire(tables: Sequence[Table], language: Language, seed: int = 7) -> Repertoire:
    """The expressions of one item; where there are more than ``MOST``, some of them by chance."""
    found = Repertoire({each.name: each for each in tables}, language)
    printer = Printer(language)
    sources = list(dict.fromkeys(each for table in tables for each in _scalars(table)))
    sources += list(dict.fromkeys(_across(tables)))
    near, far = sources[: MOST // 2], sources[MOST // 2 :]
    random.Random(seed).shuffle(far)
    for source in (*near, *far[: MOST // 2]):
        value = _value(source, found.tables)
        if value is None:
            continue
        found.tried += 1
        for form in FORMS:
            read = read_form(form)
            if read is not None:
                digits = figure_key(printer.value(value, read, unsigned=True, bare=True))
                found.printing[digits].append((source, form))
    holding = (each for table in tables for each in _conditions(table))
    found.conditions = [each for each in dict.fromkeys(holding) if _holds(each, found.tables)]
    found.tried += len(found.conditions)
    return found


def figure_key(text: str) -> str:
    """A printed figure without what languages write differently."""
    if not _DIGITS.search(text):
        return text.casefold().strip()
    return re.sub(r"[^\d.]", "", re.sub(r"[,'’ \u00a0\u202f]", "", text)).strip(".")


def _value(source: str, tables: dict[str, Table]) -> Figure | None:
    try:
        expression = parse(source, tables, {})
        value = Evaluator(tables).value(expression) if is_scalar(expression) else None
    except (EvaluationError, RecursionError):
        return None
    return value if isinstance(value, Figure) else None


def _holds(source: str, tables: dict[str, Table]) -> bool:
    try:
        expression = parse(source, tables, {})
        evaluator = Evaluator(tables)
        if is_condition(expression):
            return evaluator.holds(expression)
        return is_rows(expression) and bool(evaluator.rows(expression).rows)
    except (EvaluationError, RecursionError):
        return False


def _figures(table: Table) -> list[str]:
    return [each.name for each in table.columns if each.kind is Kind.FIGURE]


def _sets(table: Table) -> Iterator[str]:
    yield table.name
    for at, column in enumerate(table.columns):
        values = {row[at] for row in table.rows if row[at] is not None}
        if column.kind is Kind.FIGURE:
            for value in sorted(each for each in values if isinstance(each, float))[:12]:
                yield from (f"{table.name}[{column.name} {sign} {value:g}]" for sign in "><")
            yield from (f"top({table.name}.{column.name}, {n})" for n in (2, 3))
            yield from (f"bottom({table.name}.{column.name}, {n})" for n in (2, 3))
        elif len(values) < len(table.rows):
            for value in sorted(map(str, values)):
                yield f"{table.name}[{column.name} = {value}]"
                yield f"{table.name}[{column.name} != {value}]"


def _scalars(table: Table) -> Iterator[str]:
    """From the nearest to the farthest: cells, whole columns, sets, pairs."""
    rows, columns = list(row_names(table)), _figures(table)
    yield from (f"{row}.{column}" for row in rows for column in columns)
    sets = list(_sets(table))
    for rows_of in sets:
        yield f"count({rows_of})"
        yield f"share(count({rows_of}), count({table.name}))"
        for column in columns:
            yield from (f"{name}({rows_of}.{column})" for name in _OPERATIONS)
            yield f"share(sum({rows_of}.{column}), sum({table.name}.{column}))"
    for row in rows:
        for column in columns:
            yield f"share({row}.{column}, sum({table.name}.{column}))"
            yield f"{row}.{column} - mean({table.name}.{column})"
            yield from (f"{row}.{column} {sign} {n}" for sign in "*/" for n in (2, 3, 10, 12, 100))
        for one, other in permutations(columns, 2):
            yield from _pairs(f"{row}.{one}", f"{row}.{other}")
    for one, other in permutations(rows, 2):
        for column in columns:
            yield from _pairs(f"{one}.{column}", f"{other}.{column}")
    for one, other in permutations(columns, 2):
        yield from _pairs(f"sum({table.name}.{one})", f"sum({table.name}.{other})")


def _across(tables: Sequence[Table]) -> Iterator[str]:
    for one, other in permutations(tables, 2):
        for column in set(_figures(one)) & set(_figures(other)):
            yield from _pairs(f"sum({one.name}.{column})", f"sum({other.name}.{column})")


def _pairs(one: str, other: str) -> Iterator[str]:
    yield f"{one} - {other}"
    yield f"change({one}, {other})"
    yield f"{one} + {other}"
    yield f"{one} / {other}"
    yield f"share({one}, {other})"


def _conditions(table: Table) -> Iterator[str]:
    rows, columns = list(row_names(table)), _figures(table)
    for row in rows:
        for column in columns:
            yield from (f"{row} = {each}({table.name}.{column})" for each in ("top", "bottom"))
            yield from (f"{row} = nth({table.name}.{column}, {n})" for n in (2, 3, -2, -3))
        for one, other in permutations(columns, 2):
            yield from (f"{row}.{one} {sign} {row}.{other}" for sign in "><~")
    for rows_of in _sets(table):
        yield rows_of
        yield from (f"{each}({rows_of})" for each in ("all", "none", "some", "only"))
        yield from (f"{row} in {rows_of}" for row in rows)
    for one, other in permutations(rows, 2):
        for column in columns:
            yield from (f"{one}.{column} {sign} {other}.{column}" for sign in "><~")
            yield f"{one}.{column} < 9 * {other}.{column}"
            yield f"{one}.{column} > 0.1 * {other}.{column}"
    yield from (f"{each}({table.name}.{c})" for each in ("rising", "falling") for c in columns)
