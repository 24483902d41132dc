"""Every form computed again from its claim, by SQL."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from benchmarks.facts.database import TIMES, Database, Rows, folded, moment
from benchmarks.facts.measure_sql import (
    UnknownError,
    Writer,
    compared,
    has_aggregate,
    has_cells,
    read,
)
from benchmarks.facts.names import is_called, rows_named
from benchmarks.facts.records import (
    Claim,
    Measured,
    Reader,
    Record,
    Scope,
    sorted_places,
)
from veridical.evidence.column import Kind

Parts = Mapping[str, Any]
Differences = list[str]
_NEAR = 1e-9
_MOST_STATED = 200
"""Rows of a claim."""


def same(one: Any, other: Any, size: float = 0.0) -> bool:
    """Whether two values are equal, figures but for their last digits."""
    if (
        isinstance(one, float | int)
        and isinstance(other, float | int)
        and not isinstance(one, bool)
    ):
        return abs(one - other) <= _NEAR * max(abs(one), abs(other), size, 1e-6)
    return bool(one == other)


class Recomputation:
    """Compares claims over one evidence with what the database says."""

    def __init__(self, database: Database) -> None:
        self.read = Reader(database)
        self.database = database
        self._forms: dict[str, Callable[[Claim, Parts], Differences]] = {
            "value": self._value, "list": self._list, "which": self._list, "count": self._count,
            "total": self._total, "top": self._top, "bottom": self._top, "rank": self._rank,
            "compare": self._compare, "share": self._share, "change": self._change,
            "range": self._range, "check": self._check, "missing": self._missing,
            "absent": self._absent, "basis": self._basis, "quote": self._quote,
            "table": self._table,
        }  # fmt: skip

    def differences(self, claim: Claim, parts: Parts) -> Differences:
        """What the host says and the database does not."""
        try:
            return self._forms[claim.form](claim, parts)
        except UnknownError as error:
            if error.reason == "notAFigure" and _says_nothing(claim):
                return []  # a column without a value may be anything
            if error.reason in ("dimensions", "notAFigure") and not self.read.scope(claim).rids:
                return []  # and so may a sum of no rows
            return [f"not to be computed: {error.reason}"]

    def _value(self, claim: Claim, parts: Parts) -> Differences:
        scope, said = self.read.scope(claim), claim.values
        if "rows" not in said:
            stated = said["measures"]
            found = {t: self.read.of_all(t, scope, scope.rids) for t in stated}
            return [f"{text} {stated[text]} is {each.plain}" for text, each in found.items()
                    if not same(stated[text], each.plain)]  # fmt: skip
        return self._rows(claim, scope)

    def _rows(self, claim: Claim, scope: Scope, function: str = "sum") -> Differences:
        """Rows with their measures, in their order, the first of them where so many were
        wanted."""
        records = self.read.records(scope)
        given, said = claim.arguments, claim.values
        texts = given["measures"]
        measures = [self.read.measured(t, scope, records, function, given.get("format", ""))
                    for t in texts]  # fmt: skip
        rows = [[m[at].plain for m in measures] for at in range(len(records))]
        keys = self._sort_keys(given, scope, records, function)
        first = given.get("first") or len(records)
        found = _matched(said["rows"], [said["measures"][text] for text in texts], records, rows)
        first = min(first, _MOST_STATED) if len(said["rows"]) == _MOST_STATED else first
        if len(said["rows"]) != min(first, len(records)):
            return [f"{len(said['rows'])} rows, not {min(first, len(records))}"]
        if None in found:
            return [f"no row {said['rows'][found.index(None)]} with these values"]
        shown = [at for at in found if at is not None]
        if keys is None:
            return [] if shown == sorted(shown) else ["rows in another order"]
        descending = _descending(given["sort"])
        order = sorted_places(keys, descending=descending)[:first]
        wrong = [keys[one] != keys[other] for one, other in zip(shown, order, strict=True)]
        return ["rows in another order"] if any(wrong) else []

    def _sort_keys(
        self, given: Mapping[str, Any], scope: Scope, records: Sequence[Record], function: str
    ) -> list[Any] | None:
        text = _sorting(given.get("sort") or "")
        if not text:
            return None
        text = given.get("as", {}).get(text, text)
        grouped = [folded(each) for each in scope.by]
        if folded(text) in grouped:
            rid = [each.rids[0] for each in records]
            one = Scope(scope.rows, scope.of, tuple(rid), scope.pool)
            return [each.key for each in self.read.of_rows(_quoted(text), one)]
        return [each.key for each in self.read.measured(text, scope, records, function)]

    def _list(self, claim: Claim, parts: Parts) -> Differences:
        scope, said = self.read.scope(claim), claim.values
        found = self._rows(claim, scope)
        n, of = len(self.read.records(scope)), len(scope.of)
        of = n if scope.by else of
        found += _different(said, {"n": n, "of": of})
        return found + _parts(parts, {"share": n / of if of else None, "rest": of - n, "of": of})

    def _count(self, claim: Claim, parts: Parts) -> Differences:
        scope = self.read.scope(claim)
        n, of = len(scope.rids), len(scope.of)
        found = _different(claim.values, {"n": n, "of": of})
        share = n / of if of else None
        return found + _parts(parts, {"n": n, "value": n, "of": of, "share": share, "rest": of - n})

    def _total(self, claim: Claim, parts: Parts) -> Differences:
        scope, given = self.read.scope(claim), claim.arguments
        function = given["agg"]
        if scope.by:
            return self._rows(claim, scope, function)
        found: Differences = []
        for text in given["measures"]:
            value = self.read.of_all(text, scope, scope.rids, function)
            stated = claim.values["measures"][text]
            if not same(stated, value.plain):
                found.append(f"{text} {stated} is {value.plain}")
        return found

    def _top(self, claim: Claim, parts: Parts) -> Differences:
        scope, given, said = self.read.scope(claim), claim.arguments, claim.values
        records = self.read.records(scope)
        measures = self.read.measured(given["measure"], scope, records,
                                      percent=given.get("format", ""))  # fmt: skip
        descending = claim.form == "top"
        known = sum(each.key is not None for each in measures)
        order = sorted_places([each.key for each in measures], descending=descending)[:known]
        last = measures[order[min(given["n"], known) - 1]]
        wanted = [at for at in order if _reaches(measures[at].key, last.key, descending)]
        found = _different(said, {"of": known}) + _parts(parts, {"of": known})
        if len(said["rows"]) != len(wanted):
            found.append(f"{len(said['rows'])} rows, not {len(wanted)}")
        values = [measures[at].plain for at in wanted]
        if not all(map(same, said["values"], values)):
            found.append(f"values {said['values']} are {values}")
        matched = _matched(said["rows"], [said["values"]], records,
                           [[each.plain] for each in measures])  # fmt: skip
        if None in matched or not set(matched) <= set(wanted):
            found.append("another row")
        return found

    def _rank(self, claim: Claim, parts: Parts) -> Differences:
        scope, given, said = self.read.scope(claim, named=False), claim.arguments, claim.values
        records = self.read.records(scope)
        measures = self.read.measured(given["measure"], scope, records)
        mine = self._named(scope, records, given["rows"][0])
        own = measures[mine]
        ascending = given["order"] == "asc"
        ahead = sum(each.key is not None and not _close(each.key, own.key)
                    and (each.key < own.key if ascending else each.key > own.key)
                    for each in measures)  # fmt: skip
        known = sum(each.key is not None for each in measures)
        found = _different(said, {"rank": ahead + 1, "of": known, "value": own.plain})
        if not is_called(records[mine].cells, said["row"], records[mine].place):
            found.append(f"row {said['row']}")
        return found + _parts(parts, {"rank": ahead + 1, "of": known, "value": own.value})

    def _named(self, scope: Scope, records: Sequence[Record], name: str) -> int:
        found = self._all_named(scope, records, name)
        if len(found) != 1:
            raise UnknownError("severalRows")
        return found[0]

    def _all_named(self, scope: Scope, records: Sequence[Record], name: str) -> list[int]:
        if scope.by:
            return [at for at, each in enumerate(records)
                    if any(folded(cell) == folded(name) for cell in each.cells)
                    or is_called(each.cells, name)]  # fmt: skip
        rids = rows_named(scope.rows, name, scope.rids)
        return [at for at, each in enumerate(records) if each.rids[0] in rids]

    def _compare(self, claim: Claim, parts: Parts) -> Differences:
        given, said = claim.arguments, claim.values
        if "a" in given:
            scope = self.read.scope(claim)
            nodes = [read(given[end]) for end in ("a", "b")]
            beside = len({has_aggregate(each) for each in nodes}) > 1 and any(
                has_cells(each, scope.rows) for each in nodes if not has_aggregate(each)
            )
            one, other = (self.read.one(given[end], scope, beside=beside) for end in ("a", "b"))
            return _different(said, {"a": one.plain, "b": other.plain}) + _pair(parts, one, other)
        scope = self.read.scope(claim, named=False)
        records = self.read.records(scope)
        found: Differences = []
        if scope.by or "where" in given:
            ends = [records[self._named(scope, records, name)] for name in given["rows"]]
        else:
            rids = [rows_named(scope.rows, name) for name in given["rows"]]
            ends = [Record(each[0], scope.rows.cells[each[0]], (each[0],)) for each in rids]
        pair = Scope(scope.rows, scope.of, tuple(each.rids[0] for each in ends), scope.pool,
                     scope.by)  # fmt: skip
        for text in given["measures"]:
            one, other = self.read.measured(text, pair, ends)
            stated = said["measures"][text]
            if not all(map(same, stated, (one.plain, other.plain))):
                found.append(f"{text} {stated} are {one.plain}, {other.plain}")
            if text == given["measures"][0]:
                found += _pair(parts, one, other)
        return found

    def _share(self, claim: Claim, parts: Parts) -> Differences:
        given, said = claim.arguments, claim.values
        if "part" in given:
            return self._part(claim, parts)
        items = "among" in given
        whole = self.read.scope(claim, named=False, met=items)
        records = self.read.records(whole)
        total = self.read.sum_of(given["measure"], whole, records)
        if not total:
            raise UnknownError("zero")
        measures = self.read.measured(given["measure"], whole, records)
        if "shares" in said:
            rows = [[each.plain, None if each.value is None else each.value / total]
                    for each in measures]  # fmt: skip
            matched = _matched(said["rows"], [said["values"], said["shares"]], records, rows)
            found = [] if None not in matched else ["another row or share"]
            return found + (
                [] if len(matched) in (len(records), _MOST_STATED) else ["rows are missing"]
            )
        scope = self.read.scope(claim, named=not items and not whole.by, met=True)
        chosen = self.read.records(scope)
        if (items or whole.by) and given.get("rows"):
            places = [at for name in given["rows"] for at in self._all_named(scope, chosen, name)]
            chosen = [chosen[at] for at in dict.fromkeys(places)]
        values = (self.read.measured(given["measure"], scope, chosen) if scope.by or not items
                  else [measures[each.place] for each in chosen])  # fmt: skip
        part = math.fsum(each.value for each in values if each.value is not None)
        found = _different(said, {"share": part / total})
        return found + _parts(parts, {"share": part / total, "part": part, "whole": total,
                                      "left": total - part, "rest": 1 - part / total},
                              abs(total))  # fmt: skip

    def _part(self, claim: Claim, parts: Parts) -> Differences:
        given, scope = claim.arguments, self.read.scope(claim)
        nodes = [read(given[end]) for end in ("part", "whole")]
        beside = len({has_aggregate(each) for each in nodes}) > 1 and any(
            has_cells(each, scope.rows) for each in nodes if not has_aggregate(each)
        )
        part, whole = (self.read.one(given[end], scope, beside=beside, summed=True)
                       for end in ("part", "whole"))  # fmt: skip
        share = part.value / whole.value
        found = _different(claim.values, {"share": share, "part": part.plain, "whole": whole.plain})
        return found + _parts(parts, {"share": share, "rest": 1 - share,
                                      "left": whole.value - part.value},
                              abs(whole.value))  # fmt: skip

    def _change(self, claim: Claim, parts: Parts) -> Differences:
        given = claim.arguments
        if "over" in given:
            return self._over_time(claim, parts)
        scope = self.read.scope(claim)
        first, last = given["measures"]
        if "total" in given:
            if given["total"]:
                ends = [self.read.of_all(t, scope, scope.rids, "sum") for t in (first, last)]
            else:
                records = self.read.records(scope)
                ends = [self.read.measured(t, scope, records)[0] for t in (first, last)]
            values = {"from": ends[0].plain, "to": ends[1].plain}
            return _different(claim.values, values) + _pair(parts, ends[1], ends[0])
        records = self.read.records(scope)
        both = [self.read.measured(t, scope, records) for t in (first, last)]
        rows: list[list[Any]] = []
        for one, other in zip(*both, strict=True):
            if one.value is None or other.value is None:
                rows.append([None, None])
                continue
            growth = other.value / one.value - 1 if one.value > 0 else None
            rows.append([other.value - one.value, growth])
        said = claim.values
        gaps = [row[0] for row in rows if row[0] is not None]
        found = _different(said, {"up": sum(gap > 0 for gap in gaps),
                                  "down": sum(gap < 0 for gap in gaps),
                                  "same": sum(gap == 0 for gap in gaps)})  # fmt: skip
        matched = _matched(said["rows"], [said["pcts"]], records, [[row[1]] for row in rows])
        if None in matched or len(matched) != len(records):
            found.append("another row or growth")
        pcts = [each for each in said["pcts"] if each is not None]
        return found + ([] if pcts == sorted(pcts, reverse=True) else ["in another order"])

    def _over_time(self, claim: Claim, parts: Parts) -> Differences:
        given, said = claim.arguments, claim.values
        base = self.read.scope(claim)
        field = base.rows.field(given["over"])
        assert field is not None
        scope = Scope(base.rows, base.of, base.rids, base.pool, (given["over"],))
        records = self.read.records(scope)
        if all(len(each.rids) == 1 for each in records):
            rids = tuple(each.rids[0] for each in records)
            scope = Scope(base.rows, base.of, rids, base.pool)
        course = list(zip(records, self.read.measured(given["measure"], scope, records),
                          strict=True))  # fmt: skip
        if field.kind in TIMES or field.kind is Kind.FIGURE:
            heads = Scope(base.rows, base.of, tuple(each.rids[0] for each in records), ())
            keys = [each.key for each in self.read.of_rows(_quoted(given["over"]), heads)]
            course = [course[at] for at in sorted_places(keys, descending=False)]
        course = _between(course, given.get("start", ""), given.get("end", ""))
        course = [each for each in course if each[1].value is not None]
        values = [each[1].value for each in course]
        steps = [later - earlier for earlier, later in pairwise(values)]
        found = _different(said, {"from": course[0][1].plain, "to": course[-1][1].plain,
                                  "n": len(values)})  # fmt: skip
        for end, at in (("start", 0), ("end", -1)):
            if not is_called([_stated(cell) for cell in course[at][0].cells] or [""],
                             str(said[end])):  # fmt: skip
                found.append(f"{end} {said[end]}")
        size = max(map(abs, values))
        found += _pair(parts, course[-1][1], course[0][1], size)
        return found + _parts(parts, {
            "high": max(values), "low": min(values), "up": sum(step > 0 for step in steps),
            "down": sum(step < 0 for step in steps), "n": len(values),
            **({"rise": max(steps)} if max(steps) > 0 else {}),
            **({"drop": min(steps)} if min(steps) < 0 else {}),
        }, size)  # fmt: skip

    def _range(self, claim: Claim, parts: Parts) -> Differences:
        scope, said = self.read.scope(claim), claim.values
        records = self.read.records(scope)
        measures = self.read.measured(claim.arguments["measure"], scope, records)
        order = sorted_places([each.key for each in measures], descending=False)
        order = [at for at in order if measures[at].key is not None]
        low, high = measures[order[0]], measures[order[-1]]
        found: Differences = []
        for end, value, key in (("low", low, "low_at"), ("high", high, "high_at")):
            ends = [at for at in order if _close(measures[at].key, value.key)]
            if not same(said[end], value.plain) and not _close_times(said[end], value):
                found.append(f"{end} {said[end]} is {value.plain}")
            if not any(is_called(records[at].cells, said[key], records[at].place) for at in ends):
                found.append(f"{key} {said[key]}")
        if isinstance(low.value, float):
            found += _parts(parts, {"diff": high.value - low.value, "n": len(order)},
                            max(abs(low.value), abs(high.value)))  # fmt: skip
        return found

    def _check(self, claim: Claim, parts: Parts) -> Differences:
        scope, given, said = self.read.scope(claim), claim.arguments, claim.values
        value = self.read.one(given["measure"], scope)
        node = read(given["measure"])
        mixed = has_aggregate(node) and has_cells(node, scope.rows)
        writer = Writer(self.database, scope.rows, scope.pool if mixed else scope.rids)
        left = writer.write(node)
        text = given["limit"]
        beside = Writer(self.database, scope.rows, scope.pool)
        try:
            right = beside.write(read(text))
        except UnknownError:
            right = beside.write(read("'" + text.replace("'", "''") + "'"))
        if left.kind in TIMES and right.kind is Kind.FIGURE:
            right = beside.write(read(f"'{text}'"))
        sign = "<>" if given["is"] == "!=" else given["is"]
        condition = compared(sign, left, right)
        rids = ", ".join(map(str, scope.rids))
        where = f"FROM {scope.rows.view} WHERE rid IN ({rids})" if left.of_rows else ""
        met = self.database.all(f"SELECT {condition} {where}")[0][0]
        return _different(said, {"yes": met, "value": value.plain})

    def _missing(self, claim: Claim, parts: Parts) -> Differences:
        scope, said = self.read.scope(claim), claim.values
        if "measure" not in claim.arguments:
            return _different(said, {"n": len(scope.rids), "of": len(scope.of)})
        measures = self.read.of_rows(claim.arguments["measure"], scope)
        records = self.read.records(scope)
        empty = [at for at, each in enumerate(measures) if each.value is None]
        found = _different(said, {"n": len(empty), "of": len(scope.rids)})
        matched = _matched(said["rows"], [], [records[at] for at in empty], [[] for _ in empty])
        return found + (["another row"] if None in matched else [])

    def _absent(self, claim: Claim, parts: Parts) -> Differences:
        wanted = folded(claim.arguments["what"].replace("_", " "))
        names = [each.name for rows in self.database.results.values() for each in rows.fields]
        there = any(folded(name.replace("_", " ")) == wanted for name in names)
        return ["there is such a column"] if there else []

    def _basis(self, claim: Claim, parts: Parts) -> Differences:
        scope = self.read.scope(claim)
        return _different(claim.values, {"n": len(scope.rids)})

    def _quote(self, claim: Claim, parts: Parts) -> Differences:
        rows, said = self.database.results[claim.result], claim.values
        field = rows.field(said["column"])
        cell = rows.cells[said["row"]][field.at] if field is not None else None
        text = " ".join(str(cell).split())
        return [] if claim.arguments["text"] in text else ["words that are not there"]

    def _table(self, claim: Claim, parts: Parts) -> Differences:
        scope, given, said = self.read.scope(claim), claim.arguments, claim.values
        records = self.read.records(scope)
        columns: list[list[Any]] = []
        keys = [folded(each) for each in scope.by]
        for text in given["columns"]:
            if folded(text) in keys:
                heads = Scope(scope.rows, scope.of, tuple(each.rids[0] for each in records), ())
                columns.append([each.plain for each in self.read.of_rows(_quoted(text), heads)])
                continue
            name = _quoted(text) if scope.rows.field(text) else text
            found = self.read.measured(name, scope, records, "sum", given.get("format", ""))
            columns.append([each.plain for each in found])
        rows = [list(each) for each in zip(*columns, strict=True)]
        keys = self._sort_keys(given, scope, records, "sum")
        order = list(range(len(records)))
        if keys is not None:  # equal ones keep their order
            order = sorted_places(keys, descending=_descending(given["sort"]))
        wanted = [rows[at] for at in order[: given.get("first") or len(records)]]
        if len(said["cells"]) != len(wanted):
            return [f"{len(said['cells'])} rows, not {len(wanted)}"]
        pairs = zip(said["cells"], wanted, strict=True)
        return [f"row {one} is {other}" for one, other in pairs if not all(map(same, one, other))]


def _says_nothing(claim: Claim) -> bool:
    figures = {name: value for name, value in claim.values.items() if name not in _COUNTS}
    figures |= figures.pop("measures", {})
    return all(each is None for value in figures.values()
               for each in (value if isinstance(value, list) else [value]))  # fmt: skip


_COUNTS = frozenset({"n", "of", "rows", "up", "down", "same", "row"})


def _matched(
    names: Sequence[str], columns: Sequence[Sequence[Any]], records: Sequence[Record],
    rows: Sequence[Sequence[Any]],
) -> list[int | None]:  # fmt: skip
    """The record behind each row of a claim, each once; none where there is no such."""
    free = list(range(len(records)))
    found: list[int | None] = []
    for place, name in enumerate(names):
        wanted = [column[place] for column in columns]
        at = next((each for each in free if is_called(records[each].cells, name,
                  records[each].rids[0]) and all(map(same, wanted, rows[each]))), None)  # fmt: skip
        if at is not None:
            free.remove(at)
        found.append(at)
    return found


def _different(said: Mapping[str, Any], values: Mapping[str, Any]) -> Differences:
    return [f"{name} {said[name]} is {value}" for name, value in values.items()
            if not same(said[name], value)]  # fmt: skip


def _parts(parts: Parts, values: Mapping[str, Any], size: float = 0.0) -> Differences:
    """Figures that slots print, in base units."""
    found: Differences = []
    for name, value in values.items():
        part = parts.get(name)
        shown = part.value.value if part is not None and part.value is not None else None
        if not same(_stated(shown), value, size):
            found.append(f"part {name} {shown} is {value}")
    return found


def _pair(parts: Parts, one: Measured, other: Measured, size: float = 0.0) -> Differences:
    """What is said of two figures: the first against the second."""
    a, b = one.value, other.value
    if not isinstance(a, float) or not isinstance(b, float):
        return []
    values = {"diff": a - b, "pct": a / b - 1 if b > 0 else None, "ratio": a / b if b else None}
    found = _parts(parts, values, max(abs(a), abs(b), size))
    if "other" in parts:  # two rows, of which one may have more
        higher = parts.get("higher")
        if (higher is None) is not _close(a, b):
            found.append("higher")
        elif higher is not None and key_of(parts["row"]) != key_of(parts["other"]):
            wanted = parts["row" if a > b else "other"]
            found += [] if key_of(higher) == key_of(wanted) else ["higher is lower"]
    return found


def key_of(part: Any) -> str:
    """A name as text."""
    if part.items:
        return " ".join(key_of(each) for item in part.items for each in item)
    return str(part.value.value) if part.value is not None else ""


def _between(
    course: list[tuple[Record, Measured]], start: str, end: str
) -> list[tuple[Record, Measured]]:
    first = _place(course, start, 0) if start else 0
    last = _place(course, end, -1) if end else len(course) - 1
    return course[min(first, last) : max(first, last) + 1]


def _place(course: list[tuple[Record, Measured]], text: str, which: int) -> int:
    wanted = moment(text)
    found = [at for at, (record, _) in enumerate(course) for cell in record.cells
             if str(cell).casefold() == text.casefold() or (wanted and (its := moment(cell))
             and (wanted.covers(its) or its.covers(wanted)))]  # fmt: skip
    if not found:
        raise UnknownError("noRow")
    return found[which]


def _sorting(text: str) -> str:
    head, _, tail = text.strip().rpartition(" ")
    if head and tail.casefold() in ("asc", "desc"):
        return head.strip()
    return text.strip().removeprefix("-").strip()


def _descending(text: str) -> bool:
    head, _, tail = text.strip().rpartition(" ")
    if head and tail.casefold() in ("asc", "desc"):
        return tail.casefold() == "desc"
    return text.strip().startswith("-")


def _reaches(key: Any, last: Any, descending: bool) -> bool:
    return _close(key, last) or (key > last if descending else key < last)


def _close(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=_NEAR)
    return bool(one == other)


def _close_times(said: Any, value: Measured) -> bool:
    return isinstance(value.value, str) and moment(said) == moment(value.value)


def _stated(cell: Any) -> Any:
    return cell.isoformat() if hasattr(cell, "isoformat") else cell


def _quoted(name: str) -> str:
    return '"' + name.strip('"') + '"'


__all__ = ["Recomputation", "Rows"]
