"""Numbers in an exact sentence: each must be one of the fact's, rounded as it is printed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from veridical.evidence.table import EvidenceTable

_NUMBER = re.compile(r"\d[\d.,'\u2019\u00a0\u202f]*\d|\d")
_UNITS = (1.0, 0.01, 60.0, 3600.0, 86_400.0, 604_800.0, 1000.0, 1e4, 1e6)
_DIGITS = re.compile(r"\d+")


def misprinted(
    sentence: str, fact: Any, arguments: Mapping[str, Any], tables: Sequence[EvidenceTable]
) -> list[str]:
    """The numbers of a sentence that are no figure, name, day or argument of its fact."""
    spoken = _spoken(fact, arguments, tables)
    figures = list(_figures(fact))
    found: list[str] = []
    for match in _NUMBER.finditer(sentence):
        if any(match[0] in text for text in spoken):
            continue
        readings = _readings(match[0])
        if not any(_is_near(number, digits, figure) for number, digits in readings
                   for figure in figures):  # fmt: skip
            found.append(match[0])
    return [f"{', '.join(found)} in: {sentence}"] if found else []


def _figures(fact: Any) -> Iterable[float]:
    """The figures of a fact in all units that they may be printed in."""
    values = [part.value for part in _all_parts(fact.parts.values()) if part.value is not None]
    grids = [each for each in (fact.grid, fact.words.get("grid")) if each is not None]
    for grid in grids:
        for measure in grid.measures:
            values += [v for at in range(len(grid.names)) if (v := measure.vector.at(at))]
    for each in fact.words.values():
        if hasattr(each, "role"):
            values += [part.value for part in _all_parts([each]) if part.value is not None]
    for pair in (*fact.words.get("pairs", ()), *_compared(fact)):
        values += [pair[1].value] if pair[1].value is not None else []
    for value in values:
        if isinstance(value.value, float):
            yield from (value.value / unit for unit in {*_UNITS, value.scale})
    population = fact.words.get("population")
    if population is not None:
        counts = (population.count, population.of, population.missing, population.total,
                  population.unmatched, population.ungrouped)  # fmt: skip
        yield from (float(each) for each in counts if each is not None)
    grid = fact.words.get("grid")
    if grid is not None:
        yield float(max(0, len(grid.names) - 40))
    yield from (float(each.more) for each in fact.parts.values() if each.more)


def _compared(fact: Any) -> Iterable[tuple[str, Any]]:
    for each in fact.words.get("compared", ()):
        yield from ((name, part) for name, part in each.items() if hasattr(part, "role"))


def _all_parts(parts: Iterable[Any]) -> Iterable[Any]:
    for part in parts:
        yield part
        yield from _all_parts(each for item in part.items for each in item)


def _spoken(fact: Any, arguments: Mapping[str, Any], tables: Sequence[EvidenceTable]) -> list[str]:
    """Texts whose digits may be repeated: names, arguments, columns, cells of times."""
    found = [str(value) for value in leaves(arguments)]
    for number in _DIGITS.findall(" ".join(found)):
        found.append(str(int(number)))
    for table in tables:
        found += [table.name, *(f"{key} {value}" for key, value in table.held.items())]
        found += [each.name for each in table.columns]
        found += [_dated(cell) for row in table.rows for cell in row
                  if isinstance(cell, str | date)]  # fmt: skip
    return [*found, *(f"#{at}" for at in range(2000)), *_limits(arguments)]


def _limits(arguments: Mapping[str, Any]) -> list[str]:
    """The constants of measures and conditions, as a language groups their digits."""
    found: list[str] = []
    for text in leaves(arguments):
        for match in re.finditer(r"\d+(?:\.\d+)?", str(text)):
            for factor in (1, 100, 1000, 1e4, 1e6):
                number = float(match[0]) * factor
                for digits in range(5):
                    plain = f"{number:,.{digits}f}"
                    turned = plain.translate(str.maketrans(",.", ".,"))
                    found += [plain, turned, plain.replace(",", "'")]
    return found


def _dated(cell: str | date) -> str:
    if isinstance(cell, str):
        whole = " ".join(str(int(each)) for each in _DIGITS.findall(cell) if len(each) < 9)
        return f"{cell} {whole}"
    clock = f" {cell:%H:%M}" if hasattr(cell, "hour") else ""
    return f"{cell.isoformat()} {cell.year} {cell.month} {cell.day}{clock}"


def leaves(value: Any) -> Iterable[Any]:
    """The values within lists and mappings, one after another."""
    if isinstance(value, Mapping):
        for each in value.values():
            yield from leaves(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from leaves(each)
    else:
        yield value


def _readings(text: str) -> list[tuple[float, int]]:
    """A printed number with its decimals; a point may part thousands or decimals."""
    found: list[tuple[float, int]] = []
    for decimal in ".,":
        plain = re.sub(rf"[^\d{re.escape(decimal)}]", "", text)
        whole, _, rest = plain.partition(decimal)
        if decimal not in rest:
            found.append((float(f"{whole or 0}.{rest or 0}"), len(rest)))
    found.append((float(re.sub(r"\D", "", text)), 0))
    return found


def _is_near(number: float, digits: int, figure: float) -> bool:
    return abs(abs(figure) - number) <= 0.5 * 10.0**-digits * (1 + 1e-6) + 1e-9 * abs(figure)
