"""Random evidence: results as tools return them, over many domains and in three languages."""

import json
import random
import tomllib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.data import read_lines
from veridical.evidence.read import read_tables
from veridical.evidence.table import EvidenceTable


def shops(rows: int, seed: int) -> tuple[EvidenceTable, ...]:
    """A result of so many rows."""
    at = random.Random(seed)
    regions, states = ("North", "South", "East", "West"), ("open", "closed")
    return read_tables([{"tool": "shops", "rows": [
        {"shop": f"Shop {each}", "region": at.choice(regions), "status": at.choice(states),
         "due": f"2025-{at.randint(1, 9):02d}-{at.randint(1, 28):02d}", "late": at.random() < 0.3,
         "orders": at.randint(1, 900), "revenue_eur": round(at.uniform(10, 9e4), 2),
         "cost_eur": round(at.uniform(10, 9e4), 2), "margin_pct": round(at.uniform(0, 60), 1)}
        for each in range(rows)
    ]}])  # fmt: skip


_FIRST = date(2023, 1, 1)
_SECOND = 1_700_000_000
_KINDS = ("money", "scaled", "percent", "share", "count", "duration", "balance", "price", "number",
          "measure")  # fmt: skip
Row = dict[str, Any]


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("domains.toml").read_text("utf-8"))


def random_evidence(at: random.Random) -> list[dict[str, Any]]:
    """One to three results about one domain."""
    domain = at.choice(_data()["domain"])
    first = _result(at, domain)
    results = [first]
    if at.random() < 0.5:
        results.append(_beside(at, domain))
    if at.random() < 0.15:
        results.append(_series(at, domain))
    return results


def wild_evidence(folder: Path) -> list[Any]:
    """The evidences of recorded answers, each once; none where they are not there."""
    found: dict[str, Any] = {}
    for name in ("first.jsonl", "second.jsonl"):
        path = folder / "wild_answers" / name
        if path.exists():
            for line in read_lines(path):
                evidence = line["evidence"]
                found.setdefault(json.dumps(evidence, sort_keys=True), evidence)
    return list(found.values())


def _result(at: random.Random, domain: dict[str, Any]) -> dict[str, Any]:
    shape = at.choice((_items, _items, _items, _panel, _series, _entries))
    found = shape(at, domain)
    rows = found["rows"]
    _empty_cells(at, rows)
    if at.random() < 0.3:
        _written(at, rows)
    draw = at.random()
    if draw < 0.06:
        found |= {"columns": list(rows[0]), "rows": []}
    elif draw < 0.18:
        found |= {"truncated": True}
        if at.random() < 0.7:
            found["row_count"] = len(rows) + at.randint(1, 400)
    return found


def _items(at: random.Random, domain: dict[str, Any]) -> dict[str, Any]:
    """One row for each thing, with a totals row at times."""
    names = at.sample(domain["names"], at.randint(1, len(domain["names"])))
    if at.random() < 0.12 and len(names) > 2:
        names[-1] = names[0]
    columns = _columns(at, domain["language"], at.randint(1, 4))
    more = _others(at, domain["language"])
    rows = [_row(at, domain, name, columns, more, place) for place, name in enumerate(names)]
    if at.random() < 0.25 and len(rows) > 2:
        rows.append(_total(at, domain, rows, columns))
    return _called(at, domain, rows)


def _row(
    at: random.Random, domain: dict[str, Any], name: str, columns: dict[str, str],
    more: dict[str, str], place: int,
) -> Row:  # fmt: skip
    row: Row = {domain["name"]: name, domain["group"]: at.choice(domain["groups"])}
    row |= {column: _cell(at, kind) for column, kind in more.items() if kind != "code"}
    row |= {column: f"A-{place * 7 + 100}" for column, kind in more.items() if kind == "code"}
    return row | {column: _figure(at, kind) for column, kind in columns.items()}


def _total(
    at: random.Random, domain: dict[str, Any], rows: list[Row], columns: dict[str, str]
) -> Row:
    name = at.choice(_data()["total"][domain["language"]])
    sums = {column: round(sum(row[column] for row in rows), 4) for column in columns}
    return {**dict.fromkeys(rows[0]), domain["name"]: name, **sums}


def _panel(at: random.Random, domain: dict[str, Any]) -> dict[str, Any]:
    """Every thing in every period."""
    columns = _columns(at, domain["language"], at.randint(1, 3))
    name, periods = _periods(at, domain["language"], at.randint(2, 5))
    things = at.sample(domain["names"], at.randint(2, 4))
    rows = [
        {domain["name"]: thing, name: period}
        | {column: _figure(at, kind) for column, kind in columns.items()}
        for period in periods
        for thing in things
    ]
    if at.random() < 0.5:
        at.shuffle(rows)
    return _called(at, domain, rows)


def _series(at: random.Random, domain: dict[str, Any]) -> dict[str, Any]:
    """One row for each period."""
    columns = _columns(at, domain["language"], at.randint(1, 3))
    name, periods = _periods(at, domain["language"], at.randint(2, 12))
    if at.random() < 0.4:
        at.shuffle(periods)
    rows = [{name: period} | {c: _figure(at, kind) for c, kind in columns.items()}
            for period in periods]  # fmt: skip
    return _called(at, domain, rows)


def _entries(at: random.Random, domain: dict[str, Any]) -> dict[str, Any]:
    """Many rows with a number each, whose names repeat."""
    language = domain["language"]
    columns = _columns(at, language, at.randint(1, 3))
    code, day = (_named(at, kind, language) for kind in ("code", "day"))
    rows = [
        {code: f"{1000 + place}", domain["name"]: at.choice(domain["names"]),
         domain["group"]: at.choice(domain["groups"]), day: _cell(at, "day")}
        | {column: _figure(at, kind) for column, kind in columns.items()}
        for place in range(at.randint(3, 40))
    ]  # fmt: skip
    return _called(at, domain, rows)


def _beside(at: random.Random, domain: dict[str, Any]) -> dict[str, Any]:
    """Another result whose rows are found by the same names."""
    language = domain["language"]
    names = at.sample(domain["names"], at.randint(1, len(domain["names"])))
    columns = _columns(at, language, at.randint(1, 2))
    key = domain["name"] if at.random() < 0.6 else domain["name"] + "_2"
    rows = [{key: name} | {c: _figure(at, kind) for c, kind in columns.items()} for name in names]
    return _called(at, domain, rows)


def _called(at: random.Random, domain: dict[str, Any], rows: list[Row]) -> dict[str, Any]:
    arguments = {"year": at.choice((2023, 2024))} if at.random() < 0.3 else {}
    return {"tool": domain["title"], "arguments": arguments, "rows": rows}


def _columns(at: random.Random, language: str, count: int) -> dict[str, str]:
    kinds = at.choices(_KINDS, weights=(5, 1, 3, 2, 5, 3, 3, 2, 3, 1), k=count)
    return {_named(at, kind, language): kind for kind in kinds}


def _others(at: random.Random, language: str) -> dict[str, str]:
    kinds = [kind for kind in ("flag", "code", "day", "moment") if at.random() < 0.3]
    if "day" in kinds and at.random() < 0.3:  # two days of one row
        return dict.fromkeys(_data()["columns"]["day"][language], "day") | {
            _named(at, kind, language): kind for kind in kinds if kind != "day"
        }
    return {_named(at, kind, language): kind for kind in kinds}


def _named(at: random.Random, kind: str, language: str) -> str:
    return str(at.choice(_data()["columns"][kind][language]))


def _figure(at: random.Random, kind: str) -> float:
    if at.random() < 0.06:
        return 0.0
    draws: dict[str, Callable[[], float]] = {
        "money": lambda: round(at.uniform(-200, 90_000), at.choice((0, 2))),
        "scaled": lambda: round(at.uniform(1, 900), 1),
        "percent": lambda: round(at.uniform(0, 100), 1),
        "share": lambda: round(at.uniform(0, 1), 3),
        "count": lambda: float(at.choice((at.randint(0, 12), at.randint(0, 9000)))),
        "duration": lambda: float(at.randint(0, 600)),
        "balance": lambda: float(at.randint(0, 50_000)),
        "price": lambda: round(at.uniform(0.5, 90), 2),
        "number": lambda: round(at.uniform(-500, 500), 2),
        "measure": lambda: round(at.uniform(0, 3000), 1),
    }
    return draws[kind]()


def _cell(at: random.Random, kind: str) -> Any:
    day = _FIRST + timedelta(days=at.randint(0, 800))
    if kind == "flag":
        return at.random() < 0.6
    if kind == "day":
        return day.isoformat()
    seconds = _SECOND + at.randint(0, 40_000_000)
    if at.random() < 0.3:
        seconds = _SECOND + at.randint(0, 90)
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def _periods(at: random.Random, language: str, count: int) -> tuple[str, list[Any]]:
    """Months, quarters, years, days or seconds since 1970, one after another."""
    name = _named(at, "period", language)
    start = at.randint(0, 14)
    months = [(2023 + (start + each) // 12, (start + each) % 12 + 1) for each in range(count)]
    match at.choice(("iso", "quarter", "year", "spoken", "seconds", "days")):
        case "quarter":
            return name, [f"Q{each % 4 + 1} {2022 + each // 4}" for each in range(count)]
        case "year":
            column = {"en": "year", "de": "jahr", "zh": "年份"}[language]
            return column, [2010 + start + each for each in range(count)]
        case "spoken" if language == "zh":
            return name, [f"{year}年{month}月" for year, month in months]
        case "seconds":
            column = _named(at, "moment", language)
            return column, [_SECOND + each * 3600 * at.randint(1, 30) for each in range(count)]
        case "days":
            days = (_FIRST + timedelta(days=each * 9) for each in range(count))
            return _named(at, "day", language), [day.isoformat() for day in days]
        case _:
            return name, [f"{year}-{month:02d}" for year, month in months]


def _empty_cells(at: random.Random, rows: list[Row]) -> None:
    if at.random() < 0.45:
        return
    for row in rows:
        for column in list(row)[1:]:
            if at.random() < 0.1:
                row[column] = None


def _written(at: random.Random, rows: list[Row]) -> None:
    """The figures of one column as text."""
    columns = [name for name in rows[0] if isinstance(rows[0][name], float)] if rows else []
    if not columns:
        return
    name = at.choice(columns)
    for row in rows:
        if row[name] is not None:
            row[name] = f"{row[name]:.2f}"
